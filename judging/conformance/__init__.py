"""Runs files of worked numbers through the pure rules and says where they differ. Knows no database."""

from judging.conformance.runs import Outcome, run
from judging.conformance.vectors import BadVectors

__all__ = ["BadVectors", "Outcome", "run"]
