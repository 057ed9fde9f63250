"""The formats that are played here: the only place that names them. A new one is a package, a line here, its tests."""

from collections.abc import Iterator, Mapping
from typing import Any

from judging.formats.base import Format
from judging.formats.criterion.format import CriterionFormat
from judging.formats.open.format import OpenFormat
from judging.formats.panel.format import PanelFormat
from judging.formats.repeated import RepeatedTable
from judging.formats.responses.format import ResponsesFormat
from scoring.proof import Fault

FORMATS: Mapping[str, Format[Any]] = {
    CriterionFormat.name: CriterionFormat(),
    OpenFormat.name: OpenFormat(),
    PanelFormat.name: PanelFormat(),
    ResponsesFormat.name: ResponsesFormat(),
}
DEFAULT = CriterionFormat.name
"""What a request asks for that names no format."""


def format_of(name: str) -> Format[Any]:
    return FORMATS[name]


def repeated_tables() -> Iterator[RepeatedTable]:
    for format_ in FORMATS.values():
        yield from format_.repeated_tables


def faults(debate_id: int | None) -> Iterator[Fault]:
    for format_ in FORMATS.values():
        yield from format_.faults(debate_id=debate_id)
