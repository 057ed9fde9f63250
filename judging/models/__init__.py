"""Tables of judging."""

from judging.models.call import Call, Claim, Script
from judging.models.criterion import Challenge, Defence, Synthesis, Verdict

__all__ = ["Call", "Challenge", "Claim", "Defence", "Script", "Synthesis", "Verdict"]
