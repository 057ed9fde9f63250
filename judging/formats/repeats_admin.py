"""How the desk shows what was judged several times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from django.contrib import admin

from debates.admin import as_lines
from judging.models.call import Several


class Readings:
    """A part of an admin: single judgements as lines instead of JSON."""

    hidden: ClassVar[Sequence[str]] = ("readings",)
    extra: ClassVar[Sequence[str]] = ("readings_shown",)

    @admin.display(description="judgements")
    def readings_shown(self, row: Several) -> str:
        return as_lines(row.readings)
