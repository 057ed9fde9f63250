"""Who may read a debate, changed after it was created."""

from datetime import datetime

from debates import event_log, rules
from debates.errors import NotFound, NotPermitted
from debates.models import Debate
from debates.services import rights
from debates.services.idempotency import UseCase
from debates.services.rights import Asker, may_conduct
from debates.types import News, Visibility


def find_debate(*, debate_id: int) -> Debate:
    """Lock a debate and return it.

    Raises: ``NotFound``.
    """
    debate = Debate.objects.select_for_update(no_key=True, of=("self",)).filter(pk=debate_id).first()
    if debate is None:
        raise NotFound("There is no such debate.")
    return debate


@UseCase
def change(*, debate_id: int, by: Asker, visibility: Visibility, now: datetime) -> Debate:
    """Let more people read a debate, or fewer; nothing happens where it is so already.

    Whoever follows it live and may not read it any more is sent away before the event of this is sent.

    Raises: ``NotFound``, ``ConflictOfInterest``; ``NotPermitted``, also for who shows it to more people than a
    moderator has said.
    Source: docs/reference/debates.md, "Who may read it".
    """
    debate = find_debate(debate_id=debate_id)
    may_conduct(by=by, debate=debate)
    moderates = rights.moderates(by=by, debate=debate)
    if not moderates and rules.shows_more(visibility, than=debate.visibility_limit):
        raise NotPermitted(
            f"A moderator made this debate {debate.visibility_limit}; only a moderator shows it to more people."
        )
    changes = debate.visibility != visibility.value
    debate.visibility = visibility.value
    is_own = by is not None and debate.created_by_id == by.pk
    if moderates and (not is_own or rules.shows_more(visibility, than=debate.visibility_limit)):
        debate.visibility_limit = visibility.value  # what its creator made narrower they may show again
    debate.save(update_fields=["visibility", "visibility_limit"])
    if not changes:
        return debate
    event_log.append(debate_id=debate.pk, news=[News("debate:visibility", {"visibility": visibility.value})], now=now)
    return debate
