"""How far judges agree, and how each differs from the others. Statistics about scores; none of them is a score."""
