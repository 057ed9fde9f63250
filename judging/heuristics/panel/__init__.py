"""Three offline judges of a panel, who read with different eyes: logic, dialectic, rhetoric."""

from judging.heuristics.panel.judges import analyse, argue, report

__all__ = ["analyse", "argue", "report"]
