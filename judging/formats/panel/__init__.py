"""Independent judges who debate to consensus, or a person decides."""

from debates.types import Format

NAME = Format.PANEL.value
CALLED = "panel"
"""What people call one of its debates, without an article."""
