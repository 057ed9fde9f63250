"""What the list of scores can be narrowed down to. Each asks at most one query, however many scores there are."""

from abc import abstractmethod
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.contrib import admin
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Abs
from django.http import HttpRequest

from debates.admin.read_only import shortened
from debates.models import Debate
from scoring.enums import AlertState
from scoring.models import Alert, Evaluation

MOST_DEBATES = 20
Choices = list[tuple[str, str]]

STATES: Mapping[str, tuple[str, Q]] = {
    "not_evaluated": ("not evaluated", Q(final_score=None)),
    "counted": ("counted", Q(counted=True) & ~Q(basis=[])),
    "fallback": ("fell back to initial", Q(counted=True, basis=[], override_score=None)),
    "held": ("held verdicts", ~Q(held=[])),
    "complete": ("complete", Q(debate_complete=True)),
    "in_play": ("in play", Q(debate_complete=False)),
}
OPEN_ALERTS = Alert.objects.filter(state=AlertState.OPEN.value, evaluation__isnull=False)
CHANGED = ("0.01", "0.5", "1", "2", "3", "5")


class Narrowing(admin.SimpleListFilter):
    """A filter over the rows of a list."""

    @abstractmethod
    def narrow(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        """Return the rows that fit."""

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return all rows, or those that fit; what is not a choice fits nothing."""
        value = self.value()
        return queryset if value is None else self.narrow(queryset, value)


class StateFilter(Narrowing):
    title, parameter_name = "state", "state"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin[Any]) -> Choices:
        return [(name, words) for name, (words, _) in STATES.items()]

    def narrow(self, rows: QuerySet[Evaluation], value: str) -> QuerySet[Evaluation]:
        return rows.filter(STATES[value][1]) if value in STATES else rows.none()


class YesNo(Narrowing):
    """Whether something holds."""

    holds: Q

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin[Any]) -> Choices:
        return [("yes", "yes"), ("no", "no")]

    def narrow(self, rows: QuerySet[Any], value: str) -> QuerySet[Any]:
        return rows.filter(self.holds if value == "yes" else ~self.holds)


class FrozenFilter(YesNo):
    title, parameter_name = "frozen", "is_frozen"
    holds = Q(frozen_at__isnull=False)


class OverriddenFilter(YesNo):
    title, parameter_name = "overridden", "is_overridden"
    holds = Q(override_score__isnull=False)


class AlertsFilter(YesNo):
    title, parameter_name = "open alerts", "has_alerts"
    holds = Q(pk__in=OPEN_ALERTS.values("evaluation"))


class ChangedFilter(Narrowing):
    title, parameter_name = "changed by", "changed"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin[Any]) -> Choices:
        return [(size, "at all" if size == CHANGED[0] else f"at least {size}") for size in CHANGED]

    def narrow(self, rows: QuerySet[Evaluation], value: str) -> QuerySet[Evaluation]:
        if value not in CHANGED:
            return rows.none()
        moved = Abs(F("final_score") - F("initial_score"))
        return rows.alias(moved=moved).filter(moved__gte=Decimal(value))


class DebateFilter(Narrowing):
    """The newest debates; the page of any debate leads here too, with its own number."""

    title, parameter_name = "debate", "of_debate"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin[Any]) -> Choices:
        newest = Debate.objects.order_by("-pk").values_list("pk", "title")[:MOST_DEBATES]
        choices = [(str(pk), shortened(title, longest=40)) for pk, title in newest]
        chosen = self.used_parameters.get(self.parameter_name)
        if isinstance(chosen, str) and chosen not in dict(choices):
            choices.append((chosen, f"debate {chosen}"))
        return choices

    def narrow(self, rows: QuerySet[Evaluation], value: str) -> QuerySet[Evaluation]:
        is_number = value.isascii() and value.isdigit() and len(value) < 19
        return rows.filter(debate=int(value)) if is_number else rows.none()


class CriterionFilter(Narrowing):
    """The criteria of the newest debates; any other code can be searched for."""

    title, parameter_name = "criterion", "key"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin[Any]) -> Choices:
        newest = Debate.objects.order_by("-pk").values("pk")[:MOST_DEBATES]
        keys = set(Evaluation.objects.filter(debate__in=newest).values_list("key", flat=True))
        chosen = self.used_parameters.get(self.parameter_name)
        return [(key, key) for key in sorted(keys | ({chosen} if isinstance(chosen, str) else set()))]

    def narrow(self, rows: QuerySet[Evaluation], value: str) -> QuerySet[Evaluation]:
        return rows.none() if "\0" in value else rows.filter(key=value)  # no column can hold that
