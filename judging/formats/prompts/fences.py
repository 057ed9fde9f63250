"""The marks between which other people's words stand in a prompt."""

from __future__ import annotations


def fenced(text: str, *, limit: int) -> str:
    """Return somebody's words between marks that the words themselves cannot contain, cut at ``limit`` characters."""
    bare = text.replace("\N{MATHEMATICAL LEFT WHITE SQUARE BRACKET}", "[").replace(
        "\N{MATHEMATICAL RIGHT WHITE SQUARE BRACKET}", "]"
    )
    kept = bare if len(bare) <= limit else bare[:limit] + " (cut)"
    return f"\N{MATHEMATICAL LEFT WHITE SQUARE BRACKET}{kept}\N{MATHEMATICAL RIGHT WHITE SQUARE BRACKET}"
