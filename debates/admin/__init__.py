"""The event in the admin: to be read there; play writes it. Also how every page of ours shows and acts."""

from debates.admin import access, event, hooks, log, play
from debates.admin.acting import Acting, ActionForm, Closed, Outcome, Page, ReasonForm, StaffRequest, filled_in
from debates.admin.reading import Kept, ReadOnly, ReadOnlyInline, as_lines

__all__ = [
    "Acting",
    "ActionForm",
    "Closed",
    "Kept",
    "Outcome",
    "Page",
    "ReadOnly",
    "ReadOnlyInline",
    "ReasonForm",
    "StaffRequest",
    "access",
    "as_lines",
    "event",
    "filled_in",
    "hooks",
    "log",
    "play",
]
