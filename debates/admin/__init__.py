"""The event in the admin: to be read there; play writes it."""

from debates.admin import event, play
from debates.admin.reading import Kept, ReadOnly, ReadOnlyInline, as_lines

__all__ = ["Kept", "ReadOnly", "ReadOnlyInline", "as_lines", "event", "play"]
