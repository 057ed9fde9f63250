"""After play: has the synthesis of a debate written and concludes it. It holds no transaction while it asks."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar

from judging.engine import attempt, conclusion, failures, selectors
from judging.engine.attempt import Outdated, Question, Unanswered
from judging.engine.calls import Answered
from judging.engine.conclusion import Ended
from judging.engine.db_threads import in_thread
from judging.engine.judgement_cache import Withheld, require_permit
from judging.formats.registry import format_of
from judging.formats.state import Brief
from judging.types import Permit


async def conclude(*, debate_id: int) -> None:
    """Have the synthesis of a concluding debate written, where its format has one, and conclude it.

    Raises: ``Stuck`` where it cannot be written down that there is none.
    """
    brief = await in_thread(selectors.brief)(debate_id)
    outcome = await attempt.ask(SynthesisAsker(brief))
    if isinstance(outcome, Unanswered) and not outcome.recorded:
        raise await failures.stuck(debate_id=debate_id, problem=outcome.problem)


@dataclass(slots=True)
class SynthesisAsker:
    """Asks for the last words about a debate. About what has changed meanwhile it asks again, as it is now.

    Shape: ``ended`` is what the synthesis is about that was asked for last.
    """

    brief: Brief
    ended: Ended = field(init=False)
    lost: ClassVar[str] = "lack of a synthesis"

    def begin(self, *, attempt: int, now: datetime) -> Question:
        """Ask about what is now; where the format has no synthesis, conclude without."""
        brief, format_ = self.brief, format_of(self.brief.format)
        ended = conclusion.to_conclude(debate_id=brief.debate_id)
        if ended is None:
            raise Withheld(Permit.LEAVE)
        synthesis = format_.synthesis(brief=brief, numbers=ended.numbers, said=ended.said, attempt=attempt)
        if synthesis is None:
            conclusion.without_words(brief=brief, now=now)
            raise Withheld(Permit.LEAVE)
        self.ended, (step, request) = ended, synthesis
        permit, under_way = conclusion.permit(brief=brief, now=now)
        require_permit(permit)
        return Question(
            request=request,
            voice=brief.voice(step),
            read=lambda text: format_.read_synthesis(brief=brief, text=text),
            permit=lambda: conclusion.goes_on(brief=brief),
            under_way=under_way,
        )

    def record(self, *, answered: Answered, answer: Any, now: datetime) -> None:
        if conclusion.conclude(brief=self.brief, answer=answer, answered=answered, ended=self.ended, now=now):
            raise Outdated

    def record_failure(self, *, answered: Answered, last: bool, now: datetime) -> None:
        ask_again = conclusion.fail(brief=self.brief, answered=answered, ended=self.ended, now=now, last=last)
        if not ask_again:
            raise Withheld(Permit.LEAVE)
        if last:
            raise Outdated
