"""Three offline judges of a panel, who read with different eyes: logic, dialectic, rhetoric."""

from judging.heuristics.bench.analysis import analyse
from judging.heuristics.bench.debate import argue
from judging.heuristics.bench.report import report

__all__ = ["analyse", "argue", "report"]
