"""``manage.py practise``: an alert, held verdicts and a review for moderators to practise with."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from debates.models import Debate
from debates.services import rights
from judging.models import Review
from scoring.groups import AUDITOR, MODERATOR
from scoring.models import Alert, Evaluation
from tests import playing
from tests.moderators import member


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("organisers_moderate", [True, False])
def test_there_is_something_of_each_kind_to_do_also_where_organisers_do_not_moderate(settings, organisers_moderate):
    settings.ORGANISERS_MODERATE = organisers_moderate
    mo = member(MODERATOR, "mo")
    told = StringIO()

    call_command("practise", "--as", "mo", stdout=told)
    playing.work()

    frozen = Evaluation.objects.get(key="N2")
    assert (str(frozen.value), len(frozen.held), frozen.frozen_at is None) == ("6.750000", 1, False)
    assert set(Alert.objects.values_list("evaluation__key", "code")) == {("N1", "extreme_verdict")}
    assert list(Review.objects.values_list("disputed", flat=True)) == [["quiet"]]
    assert set(Debate.objects.values_list("visibility", "created_by")) == {("private", None)}
    rights.may_moderate(by=mo, debates=Debate.objects.values_list("pk", flat=True))
    assert "frozen and holds a verdict" in told.getvalue()


@pytest.mark.django_db
@pytest.mark.parametrize(("group", "said"), [(None, "nobody called 'mo'"), (AUDITOR, "lacks the permission freeze")])
def test_who_may_not_freeze_makes_nothing(group, said):
    if group:
        member(group, "mo")

    with pytest.raises(CommandError, match=said):
        call_command("practise", "--as", "mo")
    assert not Debate.objects.exists()
