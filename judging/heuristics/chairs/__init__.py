"""The voices of an open debate by rule: chairs that argue from what was said, and the arbiter who hosts them."""

from judging.heuristics.chairs.closing import sum_up
from judging.heuristics.chairs.hosting import interject, introduce
from judging.heuristics.chairs.influence import influence
from judging.heuristics.chairs.opening import opening
from judging.heuristics.chairs.response import respond

__all__ = ["influence", "interject", "introduce", "opening", "respond", "sum_up"]
