"""The catalogue of events: what fits it enters a log, and nothing else does."""

import json
from uuid import uuid4

import pytest
from django.utils import timezone

from debates import event_log, event_schemas
from debates.event_schemas import NotInTheCatalogue, page
from debates.models import Event
from debates.types import Audience, News
from tests import factories

FROZEN = {"evaluation": str(uuid4()), "criterion": "P1", "entry": 2, "before": "6.00", "after": "6.00"}
TYPES = (
    "debate:started debate:paused debate:resumed debate:concluding debate:concluded debate:failed debate:cancelled "
    "debate:rerun debate:visibility "
    "thread:started criterion:complete round:started round:complete turn:added turn:awaited verdict:issued "
    "response:evaluated arbiter:interjection state:changed participant:surrendered round:held turn:forfeited "
    "score:updated criterion:score-updated score:frozen score:unfrozen score:overridden score:override_lifted "
    "score:rolled_back score:struck score:reinstated score:fallback ballot:unsealed panel:report panel:consensus "
    "review:opened review:resolved alert:raised budget:status synthesis:complete alert:handled approval:requested "
    "approval:decided result:changed appeal:filed appeal:withdrawn appeal:decided judge:replaced"
)


def told(type="score:frozen", audience=Audience.PUBLIC, **data):
    return {"type": type, "audience": audience, "data": json.dumps(FROZEN | data)}


def test_every_type_has_its_place():
    assert sorted(event_schemas.TYPES) == sorted(TYPES.split())


@pytest.mark.parametrize(
    ("event", "because"),
    [
        pytest.param(told("score:melted"), "score:melted is no event of the catalogue", id="an unknown type"),
        pytest.param(told(audience=Audience.MODERATORS), "score:frozen is not told to moderators", id="wrong readers"),
        pytest.param(told(reason="secret"), "Extra inputs are not permitted", id="a field too many"),
        pytest.param(told(before=6.5), "Input should be a valid string", id="a float"),
        pytest.param(told(before="6.5"), "String should match pattern", id="a decimal of one place"),
        pytest.param(told(entry="2"), "Input should be a valid integer", id="a number as text"),
        pytest.param(told(entry=0), "greater than or equal to 1", id="an entry before the first"),
        pytest.param(told(evaluation="7"), "String should match pattern", id="an id from inside"),
        pytest.param({**told(), "data": "[]"}, "Input should be an object", id="no object"),
    ],
)
def test_what_does_not_fit_is_refused(event, because):
    with pytest.raises(NotInTheCatalogue) as refusal:
        event_schemas.check(**event)

    assert because in str(refusal.value)


@pytest.mark.parametrize("type", sorted(event_schemas.TYPES))
def test_every_type_has_a_schema_and_says_when_it_is_told(type):
    schema = event_schemas.schema(type)

    assert (schema["type"], schema["additionalProperties"]) == ("object", True)
    assert event_schemas.TYPES[type].__doc__.strip().endswith(".")


READ_BY = {
    Audience.PUBLIC: "",
    Audience.PARTICIPANTS: " For those who take part, and moderators.",
    Audience.MODERATORS: " Moderators only.",
}


@pytest.mark.parametrize("type", sorted(event_schemas.TYPES))
def test_the_page_says_who_reads_every_type(type):
    event = event_schemas.TYPES[type]
    widest = next(audience for audience in Audience if audience in event.audiences)

    assert page.when(event) == " ".join(event.__doc__.split()) + READ_BY[widest]


def test_readers_see_the_words_that_the_log_does_not_keep():
    kept = set(event_schemas.TYPES["turn:added"].model_fields)
    read = set(event_schemas.schema("turn:added")["properties"])

    assert read - kept == {"speaker", "text", "challenge", "persona", "severity", "quote", "reply"}


@pytest.mark.django_db
def test_a_log_takes_nothing_that_is_not_in_the_catalogue():
    debate = factories.debate()

    with pytest.raises(NotInTheCatalogue):
        event_log.append(debate_id=debate.pk, news=[News("debate:paused", {"by": "alice"})], now=timezone.now())

    assert Event.objects.filter(debate=debate).count() == 0
