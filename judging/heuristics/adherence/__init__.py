"""How fairly somebody argued: four marks and what they rest on. Meaning is matched by words, not understood."""

from judging.heuristics.adherence.dimensions import Flags, evaluate, quick

__all__ = ["Flags", "evaluate", "quick"]
