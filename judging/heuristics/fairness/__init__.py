"""How fairly somebody argued: four marks and what they rest on. Meaning is matched by words, not understood."""

from judging.heuristics.fairness.evaluation import evaluate
from judging.heuristics.fairness.quick import Flags, quick

__all__ = ["Flags", "evaluate", "quick"]
