"""How many examples a law is tried with: fewer in the ordinary run, all of them where somebody takes the time.

``pytest --hypothesis-profile soak``, which ``make soak`` passes, tries every law with its full count; ``quick`` a few.
"""

from hypothesis import settings

QUICK, ORDINARY, SOAK = "quick", "ordinary", "soak"
FULL = 100
"""Hypothesis' own count, for laws that name none."""


def register() -> None:
    """Register the profiles and load the ordinary one. None has a deadline: others use the machine too."""
    settings.register_profile(QUICK, deadline=None, max_examples=FULL // 20)
    settings.register_profile(ORDINARY, deadline=None, max_examples=FULL // 4)
    settings.register_profile(SOAK, deadline=None, max_examples=FULL)
    settings.load_profile(ORDINARY)


def examples(full: int) -> int:
    """Return how many of so many examples the profile in force asks for."""
    asked_for: int = settings().max_examples
    return max(1, full * asked_for // FULL)
