"""Any order of rounds, moderation, undos and appeals: the ledger stays whole, and every appeal ends as it may.

``MOOT_STATEFUL_EXAMPLES=2000 pytest tests/scoring/test_appeals_stateful.py`` looks longer.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.db.models import Q
from django.utils import timezone
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from debates.errors import DomainError
from debates.models import Membership
from judging.engine import appeals
from judging.engine.appeals import AppealDecision, Remedy
from scoring import verify
from scoring.enums import ActorKind, AppealGround, AppealState, EntryKind, ReasonCode
from scoring.errors import AppealLate
from scoring.models import Appeal
from scoring.services.actions import Intent
from tests import factories
from tests.module_fixtures import nested
from tests.scoring import state_machine
from tests.scoring.state_machine import EXAMPLES, decimal
from tests.scoring.test_undo_stateful import Undoing

OPEN, CLAIMED, WITHDRAWN = AppealState.OPEN, AppealState.CLAIMED, AppealState.WITHDRAWN
ALLOWED, DISMISSED, MOOT = AppealState.ALLOWED, AppealState.DISMISSED, AppealState.MOOT
WORDS = "The third paragraph says 120 wells, and not 12."
APPELLANT = st.integers(0, 1)
DECIDER = st.integers(0, 3)


@dataclass
class Filed:
    """An appeal as it should stand: what it is against (an entry, or the result of a moment), and who claimed it."""

    by: int
    against: int | datetime
    state: AppealState = OPEN
    holder: int | None = None


class Appealing(Undoing):
    """Three people who act and undo, two who appeal, one of whom takes part, and a fourth moderator who never acts."""

    appellants: tuple[User, ...]
    bystander: User

    @property
    def deciders(self) -> tuple[User, ...]:
        return (*self.people, self.bystander)

    def sit_down(self) -> None:
        super().sit_down()
        self.filed: dict[int, Filed] = {}
        Membership.objects.create(debate=self.row.debate, user=self.appellants[0], role="participant")

    def one(self, luck: st.DataObject) -> tuple[Appeal | None, Filed | None]:
        """One of the appeals, where there is any."""
        if not self.filed:
            return None, None
        key = luck.draw(st.sampled_from(sorted(self.filed)))
        related = ("debate", "entry__evaluation", "fact__evaluation", "claimed_by")
        return Appeal.objects.select_related(*related).get(pk=key), self.filed[key]

    def void(self, appeal: Appeal) -> bool:
        return bool(appeals.voided(appeals.against(appeal), result_at=appeal.result_at))

    def acted(self, appeal: Appeal, who: int, outcome: AppealState = ALLOWED) -> bool:
        """Whether somebody wrote what an appeal is against, or may have voided what they would find moot.

        What was written for an appeal since may allow it, and so counts only where it is not allowed.
        """
        entries = self.row.entries.exclude(actor_kind=ActorKind.ENGINE.value)
        if appeal.entry is not None:
            sequence = appeal.entry.sequence
            voids = Q(kind=EntryKind.RERUN.value) | Q(reason_code=ReasonCode.UNDO.value)
            voids |= Q(kind=EntryKind.ROLLBACK.value, target_sequence__lt=sequence)
            later = Q(sequence__gt=sequence) & voids if outcome is MOOT else Q(pk__in=[])
            entries = entries.filter(Q(pk=appeal.entry_id) | later)
        if outcome is ALLOWED:
            entries = entries.exclude(reason_code=ReasonCode.APPEAL.value, at__gte=appeal.filed_at)
        return entries.filter(actor__user=self.deciders[who]).exists()

    def expect(self, allowed, act):
        """Act, or be refused with nothing changed; return whether it was done."""
        if allowed:
            act()
        else:
            with pytest.raises(DomainError), nested():
                act()
        return allowed

    @rule(who=APPELLANT, luck=st.data(), of_the_result=st.booleans(), late=st.booleans())
    def file(self, who: int, luck: st.DataObject, of_the_result: bool, late: bool) -> None:
        sequence = None if of_the_result else luck.draw(st.integers(1, len(self.story.log)))
        entry = self.row.entries.get(sequence=sequence) if sequence else None
        self.row.debate.refresh_from_db()
        what = appeals.Against(self.row.debate, entry)
        against = sequence or self.row.debate.concluded_at
        twice = any((filed.by, filed.against) == (who, against) for filed in self.filed.values())
        may = who == 0 and not twice and not appeals.voided(what)
        given = {
            "debate_id": self.row.debate_id, "by": self.appellants[who], "ground": AppealGround.PASSAGE_MISREAD,
            "words": WORDS, "entry_id": entry.pk if entry else None,
        }  # fmt: skip
        if may and late:
            with pytest.raises(AppealLate), nested():
                appeals.file(**given, now=timezone.now() + timedelta(days=365))
        elif self.expect(may and not late, lambda: given.update(done=appeals.file(**given, now=timezone.now()))):
            self.filed[given["done"].pk] = Filed(who, against)

    @rule(who=DECIDER, luck=st.data())
    def claim(self, who: int, luck: st.DataObject) -> None:
        appeal, filed = self.one(luck)
        if appeal is None:
            return
        free = filed.state is OPEN or (filed.state is CLAIMED and filed.holder == who)
        act = lambda: appeals.claim(appeal_id=appeal.pk, by=self.deciders[who], now=timezone.now())  # noqa: E731 -- named for the line below
        if self.expect(free and not self.acted(appeal, who), act):
            filed.state, filed.holder = CLAIMED, who

    @rule(who=DECIDER, luck=st.data())
    def give_back(self, who: int, luck: st.DataObject) -> None:
        appeal, filed = self.one(luck)
        if appeal is None:
            return
        act = lambda: appeals.release(appeal_id=appeal.pk, by=self.deciders[who])  # noqa: E731 -- as above
        if self.expect(filed.state is CLAIMED and filed.holder == who, act):
            filed.state, filed.holder = OPEN, None

    @rule(who=APPELLANT, luck=st.data())
    def withdraw(self, who: int, luck: st.DataObject) -> None:
        appeal, filed = self.one(luck)
        if appeal is None:
            return
        act = lambda: appeals.withdraw(appeal_id=appeal.pk, by=self.appellants[who], now=timezone.now())  # noqa: E731 -- as above
        if self.expect(filed.by == who and filed.state in {OPEN, CLAIMED}, act):
            filed.state, filed.holder = WITHDRAWN, None

    @rule(
        luck=st.data(), who=st.none() | DECIDER, outcome=st.sampled_from([ALLOWED, DISMISSED, MOOT]),
        value=st.integers(50, 1050),
    )  # fmt: skip
    def decide(self, luck: st.DataObject, who: int | None, outcome: AppealState, value: int) -> None:
        """Somebody decides, most often who holds it; it is allowed by an override."""
        appeal, filed = self.one(luck)
        if appeal is None:
            return
        by = who if who is not None else filed.holder or 0
        intent = Intent(EntryKind.OVERRIDE, value=decimal(value))
        remedy = Remedy(self.row.pk, intent=intent, seen=self.moderated) if outcome is ALLOWED else None
        decision = AppealDecision(by=self.deciders[by], outcome=outcome, reason=factories.REASON, remedy=remedy)
        holds = filed.state is CLAIMED and filed.holder == by and not self.acted(appeal, by, outcome)
        fits = {MOOT: self.void(appeal), DISMISSED: not self.void(appeal), ALLOWED: True}[outcome]
        takes = outcome is not ALLOWED or (not self.story.now.frozen and 100 <= value <= 1000)
        act = lambda: appeals.decide(appeal_id=appeal.pk, decision=decision, now=timezone.now())  # noqa: E731 -- as above
        if self.expect(holds and fits and takes, act):
            filed.state, filed.holder = outcome, None
            if outcome is ALLOWED:
                self.newest = [self.add("override", value)]
                self.moderated = len(self.story.log)

    @invariant()
    def every_appeal_stands_as_it_should_and_the_ledger_is_whole(self) -> None:
        if not hasattr(self, "filed"):
            return
        rows = Appeal.objects.values_list("pk", "state", "act", "entry")
        assert {pk: state for pk, state, _, _ in rows} == {pk: row.state.value for pk, row in self.filed.items()}
        assert all((act is not None) == (state == ALLOWED.value) for _, state, act, _ in rows)
        assert verify.verify(debate_id=self.row.debate_id).faults == ()


@pytest.mark.slow
@pytest.mark.django_db
def test_any_order_of_rounds_acts_undos_and_appeals_leaves_the_ledger_whole(settings):
    settings.APPEALS_OPEN_PER_PERSON = settings.APPEALS_OPEN_PER_DEBATE = settings.APPEALS_PER_DAY = 1000
    Appealing.appellants = (factories.person("paula"), factories.person("peter"))
    Appealing.bystander = factories.moderator("dora")
    state_machine.run(Appealing, examples=EXAMPLES)
