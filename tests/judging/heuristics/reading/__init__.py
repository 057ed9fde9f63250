"""What the offline judge makes of a text that is written otherwise."""
