"""The event in the admin: to be read there; play writes it. Also how every page of ours shows and acts."""

from debates.admin import access, debate, mail, webhooks
from debates.admin.action_pages import Acting, ActionForm, Closed, Outcome, Page, ReasonForm, StaffRequest, filled_in
from debates.admin.read_only import MadeOnPages, ReadOnly, ReadOnlyInline, as_lines

__all__ = [
    "Acting",
    "ActionForm",
    "Closed",
    "MadeOnPages",
    "Outcome",
    "Page",
    "ReadOnly",
    "ReadOnlyInline",
    "ReasonForm",
    "StaffRequest",
    "access",
    "as_lines",
    "debate",
    "filled_in",
    "mail",
    "webhooks",
]
