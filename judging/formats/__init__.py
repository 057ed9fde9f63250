"""Formats of debates: what they share, the registry that names them, and a package for each."""
