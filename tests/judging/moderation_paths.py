"""Every way to moderate, each as a function that tries it: by service, page, API, command and raw SQL."""

import io
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import DatabaseError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from debates.models import Ballot, Debate, Invitation, Participant, Thread
from debates.services import invitations, visibility
from debates.services.invitations import Offer
from debates.types import MemberRole, News, Visibility
from judging.engine import appeals, ballots, creation, human_turns, lifecycle, reviews
from judging.engine.appeals import AppealDecision
from judging.models import Review
from scoring.constraint_errors import REFUSALS, guard_of
from scoring.enums import AlertState, AppealState, BulkAction, EntryKind, HeldChoice
from scoring.errors import BulkRefused, ConflictOfInterest
from scoring.models import Alert, Appeal, Approval, Evaluation, ReplacedJudge, RescoreSet, ScoreChange
from scoring.services import alerts, approvals, bulk, cases, conflicts, moderation, rescore, undo
from scoring.services.actions import ACTIONS, Intent
from scoring.services.bulk import BulkOrder
from scoring.services.entries import actor_of, reason_record
from scoring.services.undo import UndoOrder
from tests import acts, factories, playing
from tests.api.clients import Api
from tests.judging.formats.panel import seats
from tests.judging.formats.panel.play import AGREEING, answer
from tests.judging.formats.panel.small_panel import analysis
from tests.judging.test_reviews import decided, opened, panel
from tests.moderators import client_of, of_score
from tests.playing import ruling, script
from tests.schema.attacks import run
from tests.schema.entries import entry

NOW = timezone.now
BECAUSE = {"reason": factories.REASON}
PARTY = ("where they are a party", "does not moderate it", "do not moderate it")
"""What a page or command says to whoever is kept out."""


@dataclass
class Scene:
    """A debate that can be moderated, who tries to, and a second person who is no party."""

    me: User
    other: User
    debate: Debate
    evaluation: Evaluation
    client: Client
    api: Api
    row: Any = None
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def seen(self) -> int:
        return Evaluation.objects.values_list("moderation_version", flat=True).get(pk=self.evaluation.pk)


@dataclass(frozen=True)
class Path:
    """A way to moderate: what has to be there before, and the try itself.

    ``public`` is whether the act is told of; ``own`` is what whoever organises a debate does to it by that, always.
    """

    name: str
    attempt: Callable[[Scene], Any]
    before: Callable[[Scene], None] = lambda _scene: None
    build: Callable[[], Evaluation] | None = None
    public: bool = True
    own: bool = False

    @property
    def is_a_door(self) -> bool:
        """Say whether it is a page, a command or an address of the API: a way into a service that is here, too."""
        return self.name.endswith((", page", ", API", ", command"))


def criterion() -> Evaluation:
    evaluation = factories.criterion(factories.debate())
    factories.count(evaluation, "1", "0.5")
    return evaluation


def disputed() -> Evaluation:
    return panel().evaluations.get(key="correctness")


def ended() -> Evaluation:
    evaluation = criterion()
    factories.over(evaluation.debate)
    return evaluation


def build(path: Path) -> Scene:
    me, other = factories.moderator("carol"), factories.moderator("dora")
    evaluation = (path.build or criterion)()
    scene = Scene(me, other, evaluation.debate, evaluation, client_of(me), Api(me))
    path.before(scene)
    return scene


def refused_on(text: str) -> None:
    if any(words in text for words in PARTY):
        raise ConflictOfInterest(text)


# -- what a person does to one score -----------------------------------------------------------------------------------


def ready(kind: EntryKind) -> Callable[[Scene], None]:
    def bring(scene: Scene) -> None:
        order = factories.order(scene.evaluation, scene.other)
        if kind is EntryKind.UNFREEZE:
            acts.freeze(order=order, now=NOW())
        if kind is EntryKind.OVERRIDE_LIFTED:
            acts.override(order=order, value="7", now=NOW())
        if kind is EntryKind.REINSTATE:
            acts.strike(order=order, facts=scene.evaluation.basis[:1], now=NOW())

    return bring


def inputs(kind: EntryKind, scene: Scene) -> dict[str, Any]:
    scene.evaluation.refresh_from_db()
    facts = list(scene.evaluation.facts.order_by("pk").values_list("pk", flat=True)[:1])
    return {
        EntryKind.OVERRIDE: {"value": "8"},
        EntryKind.STRIKE: {"facts": facts},
        EntryKind.REINSTATE: {"facts": facts},
        EntryKind.ROLLBACK: {"target": 1},
        EntryKind.UNFREEZE: {"choice": HeldChoice.APPLY},
    }.get(kind, {})


def by_service(kind: EntryKind) -> Callable[[Scene], Any]:
    def attempt(scene: Scene) -> Any:
        order = factories.order(scene.evaluation, scene.me)
        return moderation.perform(order=order, intent=Intent(kind, **inputs(kind, scene)), now=NOW()).entries[0]

    return attempt


PAGE = {EntryKind.OVERRIDE_LIFTED: "lift", EntryKind.ROLLBACK: "roll_back"}


def by_page(kind: EntryKind) -> Callable[[Scene], Any]:
    def attempt(scene: Scene) -> Any:
        form = {**BECAUSE, **inputs(kind, scene), "seen": scene.seen}
        if "choice" in form:
            form["choice"] = form["choice"].value
        page = scene.client.post(of_score(PAGE.get(kind, kind.value), scene.evaluation), form, follow=True)
        refused_on(page.content.decode())
        return newest(scene)

    return attempt


def by_api(kind: EntryKind) -> Callable[[Scene], Any]:
    def attempt(scene: Scene) -> Any:
        given = inputs(kind, scene)
        body: dict[str, Any] = {**BECAUSE, **{name: value for name, value in given.items() if name != "choice"}}
        if "facts" in body:
            body["facts"] = [str(fact.public_id) for fact in scene.evaluation.facts.filter(pk__in=given["facts"])]
        if "choice" in given:
            body["held"] = given["choice"].value
        address = f"/evaluations/{scene.evaluation.public_id}/{ACTIONS[kind].name}/"
        return answered(scene, scene.api.post(address, body, If_Match=f'"{scene.seen}"'))

    return attempt


OPTIONS = {
    EntryKind.OVERRIDE: lambda _scene: ["--value", "8"],
    EntryKind.STRIKE: lambda scene: ["--facts", scene.evaluation.facts.order_by("pk")[0].public_id],
    EntryKind.REINSTATE: lambda scene: ["--facts", scene.evaluation.facts.order_by("pk")[0].public_id],
    EntryKind.ROLLBACK: lambda _scene: ["--to", "1"],
    EntryKind.UNFREEZE: lambda _scene: ["--held", "apply"],
}


def by_command(kind: EntryKind) -> Callable[[Scene], Any]:
    def attempt(scene: Scene) -> Any:
        looked = ["--seen", scene.seen] if ACTIONS[kind].versioned else []
        more = OPTIONS[kind](scene) if kind in OPTIONS else []
        command(ACTIONS[kind].name, scene.evaluation.public_id, "--as", "carol", "--reason", factories.REASON,
                *looked, *more)  # fmt: skip
        return newest(scene)

    return attempt


def command(*words: object) -> None:
    try:
        call_command("moderate", *map(str, words), stdout=io.StringIO())
    except CommandError as error:
        refused_on(str(error))
        raise


def answered(scene: Scene, response: Any) -> Any:
    told = response.json()
    if response.status_code == 403 and told["code"] == "conflict_of_interest":
        raise ConflictOfInterest(told["detail"])
    if told.get("code") == "bulk_refused" and {row["code"] for row in told["refused"]} == {"conflict_of_interest"}:
        raise ConflictOfInterest(told["detail"])
    assert response.status_code < 300, (response.status_code, told)
    return newest(scene)


def row_of(scene: Scene) -> Any:
    return type(scene.row).objects.get(pk=scene.row.pk) if scene.row is not None else newest(scene)


Form = Callable[[Scene], dict[str, Any]]


def because(_scene: Scene) -> dict[str, Any]:
    return dict(BECAUSE)


def post_to(address: str, body: Form = because) -> Callable[[Scene], Any]:
    """Ask the API; the address names the row, the debate or the score."""

    def attempt(scene: Scene) -> Any:
        ids = {"debate": scene.debate.public_id, "score": scene.evaluation.public_id}
        row = scene.row.public_id if scene.row is not None else ""
        answered(scene, scene.api.post(address.format(**ids, row=row), body(scene)))
        return row_of(scene)

    return attempt


def send_to(address: str, form: Form = because) -> Callable[[Scene], Any]:
    """Send the form of a page of the desk."""

    def attempt(scene: Scene) -> Any:
        row = scene.row.pk if scene.row is not None else ""
        at = f"/admin/{address.format(debate=scene.debate.pk, score=scene.evaluation.pk, row=row)}"
        page = scene.client.post(at, form(scene), follow=True)
        assert page.status_code == 200, (at, page.status_code)
        refused_on(page.content.decode())
        return row_of(scene)

    return attempt


def say(*words: str) -> Callable[[Scene], Any]:
    """Give the command."""

    def attempt(scene: Scene) -> Any:
        row = scene.row.public_id if scene.row is not None else ""
        command(*(word.format(debate=scene.debate.public_id, row=row) for word in words), "--as", "carol")
        return row_of(scene)

    return attempt


def newest(scene: Scene) -> ScoreChange | Debate:
    if scene.evaluation.pk is None:  # of a debate that has no scores yet
        return scene.debate
    return ScoreChange.objects.filter(evaluation=scene.evaluation).latest("sequence")


def by_sql(scene: Scene) -> Any:
    """As somebody with the app role, past every service."""
    world = {
        "played": scene.evaluation.pk,
        "actor": actor_of(scene.me).pk,
        "reason": reason_record(factories.REASON).pk,
    }
    return in_sql(entry(EntryKind.FREEZE), world) or newest(scene)


def in_sql(statement: str, world: dict[str, object]) -> None:
    try:
        run(f"SET LOCAL ROLE {settings.APP_ROLE}")
        run(statement, world)
        run("RESET ROLE")
    except DatabaseError as error:
        refusal, message = REFUSALS[guard_of(error) or ""]
        assert refusal is ConflictOfInterest
        raise ConflictOfInterest(message) from error


# -- what a person does to many, and what others asked for


def many(scene: Scene) -> Any:
    rows = [(scene.evaluation.pk, scene.seen)]
    try:
        bulk.act(order=BulkOrder(action=BulkAction.FREEZE, rows=rows, by=scene.me, reason=factories.REASON), now=NOW())
    except BulkRefused as refusal:
        if {row["code"] for row in refusal.details["refused"]} != {"conflict_of_interest"}:
            raise
        raise ConflictOfInterest(refusal.message) from refusal
    return newest(scene)


def many_by_api(scene: Scene) -> Any:
    rows = [{"evaluation": str(scene.evaluation.public_id)}]
    return answered(scene, scene.api.post("/evaluations/bulk/", {**BECAUSE, "action": "freeze", "evaluations": rows}))


def stage(scene: Scene, by: User) -> RescoreSet:
    rows = [(scene.evaluation.pk, scene.seen)]
    try:
        return rescore.stage(action=BulkAction.FREEZE, rows=rows, reason=factories.REASON, by=by, now=NOW())
    except BulkRefused as refusal:
        raise ConflictOfInterest(refusal.message) from refusal


def staged(scene: Scene) -> None:
    scene.row = stage(scene, scene.other)


def apply_set(scene: Scene) -> Any:
    try:
        rescore.apply(set_id=scene.row.pk, by=scene.me, now=NOW())
    except BulkRefused as refusal:
        raise ConflictOfInterest(refusal.message) from refusal
    return newest(scene)


def asked_by(name: str) -> Callable[[Scene], None]:
    def bring(scene: Scene) -> None:
        by = getattr(scene, name)
        scene.row = Approval.objects.create(
            evaluation=scene.evaluation, value=8, value_seen=scene.evaluation.value, seen=scene.seen, door="moderator",
            requested_by=actor_of(by), because=reason_record(factories.REASON),
        )  # fmt: skip

    return bring


def approve(scene: Scene) -> Any:
    approvals.approve(approval_id=scene.row.pk, by=scene.me, reason=factories.REASON, now=NOW())
    return Approval.objects.get(pk=scene.row.pk)


def approved_for_a_party(scene: Scene) -> Any:
    return approvals.approve(approval_id=scene.row.pk, by=scene.other, reason=factories.REASON, now=NOW()).entries[0]


def refuse(scene: Scene) -> Any:
    approvals.refuse(approval_id=scene.row.pk, by=scene.me, reason=factories.REASON, now=NOW())
    return Approval.objects.get(pk=scene.row.pk)


def alerted(scene: Scene) -> None:
    scene.row = Alert.objects.create(
        debate=scene.debate, evaluation=scene.evaluation, code="net_capped", severity="info", evidence={},
        facts_digest="d",
    )  # fmt: skip


def handle(state: AlertState) -> Callable[[Scene], Any]:
    def attempt(scene: Scene) -> Any:
        return alerts.handle(alert_ids=[scene.row.pk], by=scene.me, state=state, reason=factories.REASON, now=NOW())[0]

    return attempt


def dismissal(_scene: Scene) -> dict[str, Any]:
    return {**BECAUSE, "state": "dismissed"}


def handle_two(scene: Scene) -> Any:
    ids = [scene.row.pk, scene.more["second"].pk]
    done = alerts.handle(alert_ids=ids, by=scene.me, state=AlertState.DISMISSED, reason=factories.REASON, now=NOW())
    return done[0]


def two_alerted(scene: Scene) -> None:
    alerted(scene)
    scene.more["second"] = Alert.objects.create(
        debate=scene.debate, evaluation=None, code="one_sided", severity="info", evidence={}, facts_digest="e"
    )


def dismissed(scene: Scene) -> None:
    alerted(scene)
    alerts.handle(
        alert_ids=[scene.row.pk], by=scene.other, state=AlertState.DISMISSED, reason=factories.REASON, now=NOW()
    )


def in_dispute(scene: Scene) -> None:
    scene.row = opened(scene.debate)


def claimed(scene: Scene) -> None:
    in_dispute(scene)
    reviews.claim(review_id=scene.row.pk, by=scene.me, now=NOW())


def claim(scene: Scene) -> Any:
    return reviews.claim(review_id=scene.row.pk, by=scene.me, now=NOW())


def settle(scene: Scene) -> Any:
    decisions = decided(scene.debate, correctness="3")
    reviews.settle(review_id=scene.row.pk, by=scene.me, decisions=decisions, now=NOW())
    return Review.objects.get(pk=scene.row.pk)


def appealed(scene: Scene) -> None:
    engine = scene.evaluation.entries.get(sequence=1)
    erna = factories.person("erna of the appeal")
    scene.row = Appeal.objects.create(
        debate=scene.debate, entry=engine, person=erna, appellant=actor_of(erna), ground="other", evidence={},
        because=reason_record(factories.REASON),
    )  # fmt: skip


def claimed_appeal(scene: Scene) -> None:
    appealed(scene)
    claim_appeal(scene)


def claim_appeal(scene: Scene) -> Any:
    return appeals.claim(appeal_id=scene.row.pk, by=scene.me, now=NOW())


def decision(scene: Scene) -> dict[str, Any]:
    return {**BECAUSE, "outcome": "dismissed"}


def decide_appeal(scene: Scene) -> Any:
    decision = AppealDecision(by=scene.me, outcome=AppealState.DISMISSED, reason=factories.REASON)
    appeals.decide(appeal_id=scene.row.pk, decision=decision, now=NOW())
    return Appeal.objects.get(pk=scene.row.pk)


def settled(scene: Scene) -> dict[str, Any]:
    """The body of the API; ``on_page`` makes the fields of a page of it."""
    [one] = decided(scene.debate, correctness="3").values()
    return {"decisions": {"correctness": {"value": one.value, "reason": one.reason, "seen": one.seen}}}


def settled_on_page(scene: Scene) -> dict[str, Any]:
    return {f"{name}:correctness": value for name, value in settled(scene)["decisions"]["correctness"].items()}


def remark(scene: Scene) -> Any:
    return cases.remark(evaluation_id=scene.evaluation.pk, by=scene.me, text="Look at this.", now=NOW())


def assign(scene: Scene, *, to: str = "dora") -> Any:
    return cases.assign(evaluation_id=scene.evaluation.pk, by=scene.me, username=to, now=NOW())


def given_to_me(scene: Scene) -> Any:
    return cases.assign(evaluation_id=scene.evaluation.pk, by=scene.other, username="carol", now=NOW())


def declare(scene: Scene) -> Any:
    about = {"username": "dora", "reason": factories.REASON}
    return conflicts.declare(debate_id=scene.debate.pk, by=scene.me, now=NOW(), **about)


def seen_scores(scene: Scene) -> dict[str, Any]:
    rows = scene.debate.evaluations.values_list("pk", "moderation_version")
    return {**BECAUSE, "seen": " ".join(f"{pk}:{version}" for pk, version in rows)}


def paused(scene: Scene) -> Any:
    return lifecycle.pause(debate_id=scene.debate.pk, by=scene.me, now=NOW())


def held_up(scene: Scene) -> None:
    lifecycle.pause(debate_id=scene.debate.pk, by=scene.other, now=NOW())


def on_debate(service: Callable[..., Any], **more: Any) -> Callable[[Scene], Any]:
    return lambda scene: service(debate_id=scene.debate.pk, by=scene.me, now=NOW(), **more) or scene.debate


def conduct(action: str, **form: Any) -> Callable[[Scene], Any]:
    """Send the form of the page of a debate where whoever conducts it does so."""

    def attempt(scene: Scene) -> Any:
        page = scene.client.post(reverse("conduct-debate", args=[scene.debate.public_id, action]), form)
        if page.status_code != 302:
            refused_on(page.content.decode())
            raise AssertionError((page.status_code, page.content.decode()))
        return scene.debate

    return attempt


def in_play() -> Evaluation:
    """A debate that is played here. Of its scores none is there yet."""
    return Evaluation(debate=playing.debate(script([[ruling("1")]]), rounds=1))


def failed() -> Evaluation:
    """A score of a debate of which everything was played, and the synthesis failed."""
    evaluation = criterion()
    Thread.objects.filter(debate=evaluation.debate).update(status="complete")
    factories.stands(evaluation.debate, "failed", News("debate:failed", {"because": "synthesis"}))
    return evaluation


def draft() -> Evaluation:
    """A score of a debate that has yet to be started, as a debate that is conducted elsewhere has none."""
    return factories.criterion(factories.debate(status="draft"))


def free_seat(scene: Scene) -> None:
    scene.row = Participant.objects.create(debate=scene.debate, role="chair", kind="human", name="A free seat")


def invite(scene: Scene) -> Any:
    debate = Debate.objects.get(pk=scene.debate.pk)
    return invitations.invite(offer=Offer(debate=debate, role=MemberRole.GUEST), by=scene.me, now=NOW())[0]


def invite_on_page(scene: Scene) -> Any:
    form = {"role": "guest", "email": "", "places": 1, "days": 7}
    page = scene.client.post(reverse("people", args=[scene.debate.public_id]), form)
    if page.status_code != 302:
        refused_on(page.content.decode())
        raise AssertionError(page.content.decode())
    return Invitation.objects.latest("pk")


def planned(scene: Scene) -> Any:
    return creation.plan_start(
        debate_id=scene.debate.pk, by=scene.me, starts_at=NOW() + timedelta(hours=2), now=NOW()
    ).debate


def ballots_awaited() -> Evaluation:
    """A panel that waits for a ballot, of which one is given already. Of its scores none is there yet."""
    debate = seats.waits([answer(3, 0, analysis(*AGREEING[2]))])
    seats.give(debate, 1, seats.sit(debate, 1, "ida of the panel"), analysis(*AGREEING[0]))
    return Evaluation(debate=debate)


def replaced(scene: Scene) -> Any:
    successor = ballots.replace_judge(
        participant_id=seats.seat_of(scene.debate, 1).pk, by=scene.me, reason=factories.REASON, now=NOW()
    )
    return ReplacedJudge.objects.get(successor=successor)


def unsealed(scene: Scene) -> Any:
    ballot = Ballot.objects.get(round__thread__debate=scene.debate)
    return conflicts.break_seal(ballot_id=ballot.pk, by=scene.me, reason=factories.REASON, now=NOW())


def given_time(scene: Scene) -> Any:
    until = NOW() + timedelta(days=2)
    return human_turns.move_deadline(debate_id=scene.debate.pk, by=scene.me, deadline=until, now=NOW())


def cancelled(scene: Scene) -> Any:
    return lifecycle.cancel(debate_id=scene.debate.pk, by=scene.me, now=NOW())


def staged_rows(scene: Scene) -> dict[str, Any]:
    rows = [{"evaluation": str(scene.evaluation.public_id), "seen": scene.seen}]
    return {**BECAUSE, "action": "freeze", "evaluations": rows}


def chosen(scene: Scene) -> dict[str, Any]:
    return {**BECAUSE, "rows": f"{scene.evaluation.pk}:{scene.seen}"}


def rerun(scene: Scene) -> Any:
    lifecycle.rerun(debate_id=scene.debate.pk, by=scene.me, reason=factories.REASON, now=NOW())
    return newest(scene)


def acted(scene: Scene) -> None:
    acts.freeze(order=factories.order(scene.evaluation, scene.other), now=NOW())


def undone(scene: Scene) -> Any:
    order = UndoOrder(evaluation_id=scene.evaluation.pk, by=scene.me, reason=factories.REASON, seen=scene.seen)
    return undo.undo(order=order, now=NOW())[0].entries[0]


def undone_by_page(scene: Scene) -> Any:
    form = {**BECAUSE, "seen": scene.seen}
    page = scene.client.post(of_score("undo", scene.evaluation), form, follow=True)
    refused_on(page.content.decode())
    return newest(scene)


def undone_by_api(scene: Scene) -> Any:
    address = f"/evaluations/{scene.evaluation.public_id}/undo/"
    return answered(scene, scene.api.post(address, BECAUSE, If_Match=f'"{scene.seen}"'))


def undone_by_command(scene: Scene) -> Any:
    command("undo", scene.evaluation.public_id, "--as", "carol", "--reason", factories.REASON, "--seen", scene.seen)
    return newest(scene)


def applied(attempt: Callable[[Scene], Any]) -> Callable[[Scene], Any]:
    """Return the entry that comes of a set, which says whose it is."""

    def look(scene: Scene) -> Any:
        attempt(scene)
        return newest(scene)

    return look


def roll_back_all(scene: Scene) -> Any:
    moderation.roll_back_debate(debate_id=scene.debate.pk, by=scene.me, reason=factories.REASON, now=NOW())
    return newest(scene)


DOORS = (("service", by_service), ("page", by_page), ("API", by_api), ("command", by_command))
PATHS = [
    *(
        Path(f"{ACTIONS[kind].name}, {door}", make(kind), before=ready(kind))
        for kind in ACTIONS
        for door, make in DOORS
    ),
    Path("freeze, raw SQL as the app role", by_sql),
    Path("bulk, service", many),
    Path("bulk, page", send_to("scoring/evaluation/bulk/freeze/", chosen)),
    Path("bulk, API", many_by_api),
    Path("stage a rescore set", lambda scene: stage(scene, scene.me), public=False),
    Path(
        "stage a rescore set, page",
        send_to("scoring/evaluation/bulk/freeze/", lambda scene: {**chosen(scene), "_stage": "1"}),
        public=False,
    ),
    Path("stage a rescore set, API", post_to("/rescore-sets/", staged_rows), public=False),
    Path("apply a rescore set", apply_set, before=staged),
    Path("apply a rescore set, page", applied(send_to("scoring/rescoreset/{row}/apply/", lambda _: {})), before=staged),
    Path("apply a rescore set, API", applied(post_to("/rescore-sets/{row}/apply/", lambda _: {})), before=staged),
    Path("apply a rescore set, command", applied(say("apply-set", "{row}")), before=staged),
    Path(
        "cancel a rescore set",
        lambda scene: rescore.cancel(set_id=scene.row.pk, by=scene.me, reason=factories.REASON, now=NOW()),
        before=staged,
        public=False,
    ),
    Path("cancel a rescore set, page", send_to("scoring/rescoreset/{row}/cancel/"), before=staged, public=False),
    Path("cancel a rescore set, API", post_to("/rescore-sets/{row}/cancel/"), before=staged, public=False),
    *(
        Path(f"{name}{door}", attempt, before=asked_by("other"))
        for name, service in {"approve": approve, "refuse": refuse}.items()
        for door, attempt in {
            "": service,
            ", page": send_to(f"scoring/approval/{{row}}/{name}/"),
            ", API": post_to(f"/approvals/{{row}}/{name}/"),
            ", command": say(name, "{row}", "--reason", factories.REASON),
        }.items()
    ),
    Path("have one's own request approved", approved_for_a_party, before=asked_by("me")),
    Path("acknowledge an alert", handle(AlertState.ACKNOWLEDGED), before=alerted),
    Path("dismiss an alert", handle(AlertState.DISMISSED), before=alerted),
    Path("dismiss an alert, page", send_to("scoring/alert/{row}/dismiss/"), before=alerted),
    Path("dismiss an alert, API", post_to("/alerts/{row}/handle/", dismissal), before=alerted),
    Path("reopen an alert", handle(AlertState.OPEN), before=dismissed),
    Path("reopen an alert, page", send_to("scoring/alert/{row}/reopen/"), before=dismissed),
    Path("dismiss many alerts", handle_two, before=two_alerted),
    Path(
        "dismiss many alerts, page",
        send_to("scoring/alert/many/dismiss/", lambda scene: {**BECAUSE, "rows": scene.row.pk}),
        before=alerted,
    ),
    Path(
        "dismiss many alerts, API",
        post_to("/alerts/handle/", lambda scene: {**dismissal(scene), "alerts": [str(scene.row.public_id)]}),
        before=alerted,
    ),
    Path("claim a review", claim, before=in_dispute, build=disputed, public=False),
    Path(
        "claim a review, page", send_to("judging/review/{row}/claim/"), before=in_dispute, build=disputed, public=False
    ),
    Path(
        "claim a review, API",
        post_to("/reviews/{row}/claim/", lambda _: {}),
        before=in_dispute,
        build=disputed,
        public=False,
    ),
    Path("settle a review", settle, before=claimed, build=disputed),
    Path(
        "settle a review, page",
        send_to("judging/review/{row}/settle/", settled_on_page),
        before=claimed,
        build=disputed,
    ),
    Path("settle a review, API", post_to("/reviews/{row}/settle/", settled), before=claimed, build=disputed),
    Path("claim an appeal", claim_appeal, before=appealed, public=False),
    Path("claim an appeal, page", send_to("scoring/appeal/{row}/claim/", lambda _: {}), before=appealed, public=False),
    Path("claim an appeal, API", post_to("/appeals/{row}/claim/", lambda _: {}), before=appealed, public=False),
    Path("claim an appeal, command", say("claim-appeal", "{row}"), before=appealed, public=False),
    Path("decide an appeal", decide_appeal, before=claimed_appeal),
    Path("decide an appeal, page", send_to("scoring/appeal/{row}/decide/", decision), before=claimed_appeal),
    Path("decide an appeal, API", post_to("/appeals/{row}/decide/", decision), before=claimed_appeal),
    Path(
        "decide an appeal, command",
        say("decide-appeal", "{row}", "--outcome", "dismissed", "--reason", factories.REASON),
        before=claimed_appeal,
    ),
    Path("undo, service", undone, before=acted),
    Path("undo, page", undone_by_page, before=acted),
    Path("undo, API", undone_by_api, before=acted),
    Path("undo, command", undone_by_command, before=acted),
    Path("rerun", rerun, build=ended),
    Path("rerun, page", send_to("debates/debate/{debate}/rerun/", seen_scores), build=ended),
    Path("rerun, API", post_to("/debates/{debate}/rerun/"), build=ended),
    Path("roll back a whole debate", roll_back_all, build=ended),
    Path("roll back a whole debate, page", send_to("debates/debate/{debate}/roll_back/", seen_scores), build=ended),
    Path("roll back a whole debate, API", post_to("/debates/{debate}/rollback/"), build=ended),
    Path(
        "roll back a whole debate, command",
        say("rollback-debate", "{debate}", "--reason", factories.REASON),
        build=ended,
    ),
    Path("remark on a case", remark, public=False),
    Path(
        "remark on a case, page",
        send_to("scoring/evaluation/{score}/remark/", lambda _: {"text": "Look at this."}),
        public=False,
    ),
    Path(
        "remark on a case, API",
        post_to("/evaluations/{score}/remark/", lambda _: {"text": "Look at this."}),
        public=False,
    ),
    Path("give a case to somebody", assign, public=False),
    Path(
        "give a case to somebody, page",
        send_to("scoring/evaluation/{score}/assign/", lambda _: {"username": "dora"}),
        public=False,
    ),
    Path("be given a case", given_to_me, public=False),
    Path("declare a conflict of somebody else", declare, public=False),
    Path("pause a debate", paused, own=True),
    Path("pause a debate, page", send_to("debates/debate/{debate}/pause/", lambda _: {}), own=True),
    Path("pause a debate, API", post_to("/debates/{debate}/pause/", lambda _: {}), own=True),
    Path("cancel a debate", cancelled, own=True),
    Path("cancel a debate, page", send_to("debates/debate/{debate}/cancel/", lambda _: {}), own=True),
    Path("cancel a debate, API", post_to("/debates/{debate}/cancel/", lambda _: {}), own=True),
    Path("resume a debate", on_debate(lifecycle.resume), before=held_up, build=in_play, own=True),
    Path(
        "resume a debate, page",
        send_to("debates/debate/{debate}/resume/", lambda _: {}),
        before=held_up,
        build=in_play,
        own=True,
    ),
    Path(
        "resume a debate, API",
        post_to("/debates/{debate}/resume/", lambda _: {}),
        before=held_up,
        build=in_play,
        own=True,
    ),
    Path("stop a debate", on_debate(lifecycle.stop, reason=factories.REASON), build=in_play, own=True),
    Path("stop a debate, page", send_to("debates/debate/{debate}/stop/"), build=in_play, own=True),
    Path("stop a debate, API", post_to("/debates/{debate}/stop/"), build=in_play, own=True),
    Path("move the deadline of whom a debate waits for", given_time, build=ballots_awaited, own=True),
    Path("conclude a debate again", on_debate(lifecycle.retry_synthesis), build=failed, own=True),
    Path(
        "conclude a debate again, page",
        send_to("debates/debate/{debate}/retry_synthesis/", lambda _: {}),
        build=failed,
        own=True,
    ),
    Path("conclude a debate again in public, page", conduct("retry_synthesis"), build=failed, own=True),
    Path(
        "conclude a debate again, API",
        post_to("/debates/{debate}/retry-synthesis/", lambda _: {}),
        build=failed,
        own=True,
    ),
    Path("change who may read a debate", on_debate(visibility.change, visibility=Visibility.PRIVATE), own=True),
    Path(
        "change who may read a debate, page",
        send_to("debates/debate/{debate}/visibility/", lambda _: {"visibility": "private"}),
        own=True,
    ),
    Path("change who may read a debate in public, page", conduct("visibility", visibility="private"), own=True),
    Path(
        "change who may read a debate, API",
        post_to("/debates/{debate}/visibility/", lambda _: {"visibility": "private"}),
        own=True,
    ),
    Path("plan the start of a draft", planned, build=draft, own=True),
    Path("withdraw a draft", on_debate(creation.withdraw_draft), build=draft, own=True),
    Path("invite to a debate", invite, own=True),
    Path("invite to a debate, page", invite_on_page, own=True),
    Path(
        "invite to a seat, page", send_to("debates/participant/{row}/invite/", lambda _: {}), before=free_seat, own=True
    ),
    Path("invite to a seat, API", post_to("/participants/{row}/invite/", lambda _: {}), before=free_seat, own=True),
    Path("replace a judge", replaced, build=ballots_awaited),
    Path("break the seal of a ballot", unsealed, build=ballots_awaited),
]
