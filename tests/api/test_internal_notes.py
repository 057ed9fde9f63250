"""What moderators note for each other beside the public reason: read at the desk, erased with it, and nowhere else;
remarks also by the API, to those who work on cases."""

import re
from decimal import Decimal

import pytest
from asgiref.sync import async_to_sync
from django.core.management import CommandError
from django.test import Client
from django.utils import timezone

from debates.models import Debate, Membership
from judging.engine import appeals, lifecycle, reviews
from judging.engine.appeals import AppealDecision
from judging.engine.reviews import Decision
from judging.models import Review
from scoring import verify
from scoring.enums import AlertState, AppealGround, AppealState, BulkAction, HeldChoice
from scoring.models import Alert, Approval, Evaluation, InternalNote, Reason, ScoreChange
from scoring.services import alerts, approvals, cases, conflicts, rescore, undo
from scoring.services.entries import reason_record
from scoring.services.undo import UndoOrder
from tests import acts, addresses, factories, playing
from tests.api import path_rows
from tests.api.clients import Api
from tests.api.webhook_receiver import hook, work
from tests.judging.erasure.erase import erase
from tests.judging.formats.panel import play as panels
from tests.mail.outbox import send_due
from tests.moderators import client_of
from tests.scoring.commands import said

pytestmark = pytest.mark.django_db
WORD = "quinquereme"
NOTE = f"Ask the {WORD} about this judge."
REMARKS = "/api/v1/evaluations/ID/remarks/"
"""Not public: those who work on cases read there what they told each other."""
WHY = "The judge misread the third paragraph."
PRIVATE = ("/admin/", "/accounts/", "/api/v1/docs/", "/api/v1/schema/", "/static/", "/healthz", "/readyz", "/metrics")
MODERATED = {"freeze", "unfreeze", "strike", "reinstate", "override", "override_lifted", "rollback", "rerun"}


def played() -> Debate:
    rounds = [[playing.ruling("2"), playing.ruling("-1", challenge="C2")], [playing.ruling("3")]]
    debate = playing.debate(playing.script(rounds), criteria=("P1", "P2"), rounds=2)
    playing.work()
    return debate


def look(evaluation: Evaluation) -> int:
    return Evaluation.objects.values_list("moderation_version", flat=True).get(pk=evaluation.pk)


def every_act(settings) -> list[Debate]:
    """Act in every way, by service, API and command, each time with a note; return the debates that were acted on."""
    alice, bob = factories.moderator("alice"), factories.moderator("bob")
    debate, now = played(), timezone.now()
    first, second = debate.evaluations.order_by("pk")

    def order(row: Evaluation = first):
        return factories.order(row, alice, note=NOTE)

    acts.freeze(order=order(), now=now)
    acts.unfreeze(order=order(), now=now, choice=HeldChoice.APPLY)
    acts.strike(order=order(), facts=first.basis[:1], now=now)
    acts.reinstate(order=order(), facts=first.basis[:1], now=now)
    acts.override(order=order(), value="7", now=now)
    acts.lift(order=order(), now=now)
    settings.SECOND_PERSON_FROM = Decimal(2)
    for decide in (approvals.approve, approvals.refuse):
        asked = acts.override(order=order(second), value="2" if decide is approvals.approve else "9", now=now)
        assert isinstance(asked, Approval)
        decide(approval_id=asked.pk, by=bob, reason=WHY, note=NOTE, now=now)
    settings.SECOND_PERSON_FROM = None
    acts.roll_back(order=order(), target=1, now=now)
    for end in (rescore.apply, rescore.cancel):
        rows = [(row.pk, look(row)) for row in (first, second)]
        staged = rescore.stage(action=BulkAction.FREEZE, rows=rows[:1], reason=WHY, note=NOTE, by=alice, now=now)
        why = {} if end is rescore.apply else {"reason": WHY, "note": NOTE}
        end(set_id=staged.pk, by=alice, now=now, **why)
        if end is rescore.apply:
            acts.unfreeze(order=order(), now=now, choice=None)

    api = Api(alice)
    path = f"/evaluations/{first.public_id}"
    body = {"reason": WHY, "note": NOTE}
    asked = [
        api.post(f"{path}/freeze/", body, Idempotency_Key="once"),
        api.post(f"{path}/freeze/", body, Idempotency_Key="once"),
        api.post(f"{path}/unfreeze/", {**body, "held": "apply"}, If_Match=f'"{look(first)}"'),
    ]
    seen = [{"evaluation": str(second.public_id), "seen": look(second)}]
    asked.append(api.post("/evaluations/bulk/", {**body, "action": "freeze", "evaluations": seen}))
    seen = [{"evaluation": str(second.public_id), "seen": look(second)}]
    asked.append(api.post("/evaluations/bulk/", {**body, "action": "unfreeze", "held": "apply", "evaluations": seen}))
    alert = an_alert(first)
    asked.append(api.post(f"/alerts/{alert.public_id}/handle/", {**body, "state": "dismissed"}))
    asked.append(api.post(f"/debates/{debate.public_id}/rollback/", body))
    assert [answer.status_code for answer in asked] == [200] * len(asked), [answer.content for answer in asked]

    said("moderate", "freeze", first.public_id, "--as", "alice", "--reason", WHY, "--note", NOTE)
    said(
        "moderate", "unfreeze", first.public_id, "--as", "alice", "--reason", WHY, "--note", NOTE, "--held", "apply",
        "--seen", str(look(first)),
    )  # fmt: skip
    lifecycle.rerun(debate_id=debate.pk, by=alice, reason=WHY, note=NOTE, criteria=["P1"], now=now)
    playing.work()
    panel = panels.played(panels.alone(("4", "3"), None, None))
    review = Review.objects.get(debate=panel)
    reviews.claim(review_id=review.pk, by=alice, now=timezone.now())
    versions = dict(Evaluation.objects.filter(debate=panel).values_list("key", "moderation_version"))
    decisions = {code: Decision("4", WHY, versions[code], NOTE) for code in review.disputed}
    reviews.settle(review_id=review.pk, by=alice, decisions=decisions, now=timezone.now())
    playing.work()
    beside_scores(debate, panel, alice, bob)
    return [debate, panel]


def beside_scores(debate: Debate, panel: Debate, alice, bob) -> None:
    """Undo, declare a conflict, remark on a case, answer an alert, and decide an appeal, each with a note."""
    row, now = debate.evaluations.latest("pk"), timezone.now()
    acts.freeze(order=factories.order(row, alice, note=NOTE), now=now)
    undo.undo(order=UndoOrder(evaluation_id=row.pk, by=alice, reason=WHY, note=NOTE, seen=look(row)), now=now)
    for about in (row, Evaluation.objects.latest("pk")):
        cases.remark(evaluation_id=about.pk, by=alice, text=NOTE, now=now)
    factories.person("cora")
    conflicts.declare(debate_id=debate.pk, by=alice, username="cora", reason=WHY, note=NOTE, now=now)
    ids = [Alert.objects.create(debate=debate, evaluation=row, code="no_effect", severity="info", evidence={},
                                facts_digest="e").pk]  # fmt: skip
    alerts.handle(alert_ids=ids, by=alice, state=AlertState.ACKNOWLEDGED, reason=WHY, note=NOTE, now=now)
    paula = factories.person("paula", email="paula@example.org")
    Membership.objects.create(debate=panel, user=paula, role="participant")
    appeal = appeals.file(debate_id=panel.pk, by=paula, ground=AppealGround.OTHER, words=WHY, now=timezone.now())
    appeals.claim(appeal_id=appeal.pk, by=bob, now=timezone.now())
    decision = AppealDecision(by=bob, outcome=AppealState.DISMISSED, reason=WHY, note=NOTE)
    appeals.decide(appeal_id=appeal.pk, decision=decision, now=timezone.now())


def an_alert(evaluation: Evaluation) -> Alert:
    about = {"code": "net_capped", "severity": "info", "evidence": {}, "facts_digest": "d"}
    return Alert.objects.create(debate=evaluation.debate, evaluation=evaluation, **about)


def paths(debate: Debate) -> list[str]:
    """Every address of a public page, a part of one, a document, an export or a resource, about a debate."""
    found = []
    for address in addresses.addresses():
        pattern = "/" + address.route
        if pattern.startswith(PRIVATE) or ".*" in pattern:
            continue
        if pattern.startswith("/api/"):
            named = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", pattern)
            try:
                found.append(named.format(**path_rows.names(named)))
            except (AttributeError, KeyError):
                continue  # nothing of this kind was written
        else:
            found.append(re.sub(r"<uuid:address>", str(debate.public_id), pattern))
            evaluation = debate.evaluations.earliest("pk")
            found[-1] = found[-1].replace("<uuid:score>", str(evaluation.public_id))
            found[-1] = found[-1].replace("<int:entry>", str(evaluation.version))
            if appeal := debate.appeals.first():
                found[-1] = found[-1].replace("<uuid:number>", str(appeal.public_id))
            found[-1] = re.sub(r"<(\w+):\w+>", lambda part: addresses.EXAMPLES[part[1]], found[-1])
    return found


async def whole(answer) -> bytes:
    return b"".join([part async for part in answer.streaming_content])


@pytest.mark.slow
def test_no_word_of_an_internal_note_is_in_anything_public(settings, mailoutbox):
    settings.API_PER_MINUTE = settings.API_PER_MINUTE_ANONYMOUS = 100_000
    settings.MAIL_IS_SENT = True
    debates = every_act(settings)
    send_due()
    noted = ScoreChange.objects.exclude(reason=None).filter(reason__note__text=NOTE)
    alice = noted.first().actor.user
    reader = client_of(alice)
    api = Api(alice)
    callers = [(Client(), {}), (reader, {}), (api.client, api.headers)]
    read = {}
    for debate in debates:
        for path in paths(debate):
            for number, (client, key) in enumerate(callers[: 3 if path.startswith("/api/") else 2]):
                answer = client.get(path, headers=key)
                body = async_to_sync(whole)(answer) if answer.streaming else answer.content
                read[path, number] = (answer.status_code, body.decode(errors="replace") + str(answer.headers))

    assert set(noted.values_list("kind", flat=True)) == MODERATED
    assert InternalNote.objects.filter(text=NOTE).count() >= 20
    assert sum(status == 200 for status, _ in read.values()) > 100
    assert WHY in read["/api/v1/exports/ledger.jsonl", 2][1]
    for path in ("/moderation/", "/moderation/feed.atom", "/api/v1/moderation/"):
        assert WHY in read[path, 0][1], path
    inside = {where for where, (_, text) in read.items() if WORD in text}
    assert {(re.sub(r"[0-9a-f-]{36}", "ID", path), number) for path, number in inside} == {
        (REMARKS, number) for number in (1, 2)
    }
    assert {mail.subject for mail in mailoutbox if "appeal" in mail.subject} != set()
    assert [mail.subject for mail in mailoutbox if WORD in str(mail.message())] == []


def test_no_word_of_an_internal_note_is_sent_to_a_webhook(receiver):
    alice, evaluation = factories.moderator("alice"), factories.criterion()
    hook(receiver, owner=alice)

    acts.freeze(order=factories.order(evaluation, alice, note=NOTE, seen=None), now=timezone.now())
    work()

    sent = [body.decode() for _, body in receiver.got]
    assert "score:frozen" in str(sent)
    assert [body for body in sent if WORD in body] == []


def test_a_note_stands_at_the_desk_beside_the_reason(client):
    alice = factories.moderator("alice")
    evaluation = factories.criterion()
    client.force_login(alice)
    page = f"/admin/scoring/evaluation/{evaluation.pk}"

    client.post(f"{page}/freeze/", {"reason": WHY, "note": NOTE, "seen": "0"})

    entry = ScoreChange.objects.select_related("reason__note").get(kind="freeze")
    assert (entry.reason.text, entry.reason.note.text) == (WHY, NOTE)
    for path in (
        f"{page}/change/",
        f"/admin/scoring/scorechange/{entry.pk}/change/",
        f"/admin/scoring/reason/{entry.reason_id}/change/",
    ):
        assert NOTE in client.get(path).content.decode(), path


def test_a_note_of_blanks_is_none():
    assert reason_record(WHY, note=" \n ").note is None
    assert InternalNote.objects.count() == 0


@pytest.mark.parametrize(
    ("note", "refused"),
    [
        pytest.param("x" * 4001, "at most 4000 characters", id="too long"),
        pytest.param("Ask \x1b[2J them.", "control characters", id="an escape"),
        pytest.param("Ask \x07 them.", "control characters", id="a bell"),
    ],
)
def test_what_a_note_may_not_hold_is_refused_in_words(note, refused):
    alice, evaluation = factories.moderator("alice"), factories.criterion()

    with pytest.raises(CommandError, match=refused):
        said("moderate", "freeze", evaluation.public_id, "--as", alice.username, "--reason", WHY, "--note", note)

    assert (InternalNote.objects.count(), Reason.objects.count()) == (0, 0)


def test_a_note_goes_with_an_erasure_of_its_debate_and_the_ledger_is_proved():
    alice, bob = factories.moderator("alice"), factories.moderator("bob")
    debate = played()
    acts.freeze(order=factories.order(debate.evaluations.first(), bob, note=NOTE), now=timezone.now())

    erase(debate, alice)

    assert list(InternalNote.objects.values_list("text", flat=True)) == [""]
    assert verify.verify().faults == ()
