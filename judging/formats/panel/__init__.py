"""Independent judges who debate to consensus, or a person decides."""
