"""Looking debates up: what is kept of one, the panel that gives a new one its initial scores, what it repeats."""

from uuid import UUID

from django.contrib.auth.models import User

from debates.errors import Invalid, NotFound
from debates.models import Debate
from debates.rules import IN_PLAY
from debates.selectors import visible_debates
from debates.types import Kind, Role, Status, Visibility
from judging.formats.state import Brief, Voice
from judging.models import Script


def read_brief(debate_id: int) -> Brief:
    """Return what does not change about a started debate, but by replacing a judge: who was is not in it."""
    debate = Debate.objects.select_related("subject").get(pk=debate_id)
    script = Script.objects.filter(debate=debate).values_list("answers", flat=True).first()
    everybody = tuple(
        Voice(row.pk, Role(row.role), row.name, row.provider, row.model, Kind(row.kind))
        for row in debate.participants.filter(replacement=None).order_by("position", "pk")
    )
    return Brief(
        debate_id=debate.pk,
        public_id=str(debate.public_id),
        format=debate.format,
        title=debate.subject.title if debate.subject else debate.title,
        subject=debate.subject.text if debate.subject else debate.motion,
        rounds=debate.rounds,
        parameters=debate.parameters,
        voices={voice.role: voice for voice in reversed(everybody)},
        everybody=everybody,
        has_limit=debate.has_limit,
        script=script or (),
    )


def earlier(*, named: str, of: str, called: str, field: str, by: User | None) -> Debate:
    """Return a debate of this format by its public id.

    Shape: ``called`` is what people call one of its format; ``field`` is where it was named;
    ``by`` is nobody when the operator of the machine asks.
    Raises: ``NotFound``, for one that somebody may not read as well; ``Invalid`` for what is no id.
    """
    readable = Debate.objects.all() if by is None else visible_debates(visitor=by)
    try:
        debate = readable.filter(public_id=UUID(named), format=of).first()
    except ValueError as error:
        message = f"{field} must be the id of a debate ({called}); got {named[:40]!r}."
        raise Invalid(message, field=field) from error
    if debate is None:
        raise NotFound(f"{field}: there is no {called} {named}.", field=field)
    return debate


def repeated(*, named: str, of: str, called: str, visibility: Visibility, by: User | None) -> Debate | None:
    """Return the debate that a new one of this visibility repeats; nothing where it names none.

    Raises: ``NotFound``; ``Invalid`` unless it is of the same format and has ended, and for an unlisted one whose
    address a public one would tell.
    Source: docs/reference/ledger.md, "rerun"
    """
    if not named:
        return None
    debate = earlier(named=named, of=of, called=called, field="repeat_of", by=by)
    if debate.started_at is None or Status(debate.status) in IN_PLAY:
        withdrawn = debate.started_at is None and debate.status != Status.DRAFT.value
        stands = "was withdrawn before it began" if withdrawn else f"is {debate.status.replace('_', ' ')}"
        message = f"repeat_of: only a debate that has ended is held again; this one {stands}."
        raise Invalid(message, field="repeat_of")
    if debate.visibility == Visibility.UNLISTED.value and visibility is Visibility.PUBLIC:
        message = "repeat_of: it is unlisted, and a public debate would tell its address; make this one unlisted."
        raise Invalid(message, field="repeat_of")
    return debate
