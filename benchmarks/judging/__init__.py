"""How well the offline judge finds what it is meant to find."""
