"""What the public pages show: queries in a fixed number, and values that templates only have to print."""
