"""The offline judge: reads a subject, quotes it and weighs evidence by rule. No randomness, no clock, no network."""

from judging.heuristics.arbiter import judge, synthesise
from judging.heuristics.challenger import challenge, press
from judging.heuristics.evaluator import assess, defend

VERSION = "19"
"""Changes whenever the same material would get another answer."""

__all__ = ["VERSION", "assess", "challenge", "defend", "judge", "press", "synthesise"]
