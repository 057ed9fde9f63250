"""Of every column that can hold words, what becomes of it when they are erased."""

from django.apps import apps
from django.db import models

from judging.engine import erasure
from judging.engine.erasure import spoken
from scoring.models import Actor, Reason
from scoring.signed import SIGNED, pointing_to

KEPT = {
    "debates.Debate": {"parameters", "partial_reason"},
    "debates.Event": {"type", "data"},
    "debates.Participant": {"provider", "model"},
    "debates.Thread": {"key", "ended_because"},
    "debates.Turn": {"slot", "strategy"},
    "debates.ApiKey": {"prefix", "digest"},
    "debates.IdempotencyKey": {"key", "digest"},
    "debates.Invitation": {"digest"},
    "debates.Mail": {"about"},
    "debates.Seal": {"relation"},
    "debates.Webhook": set(),
    "scoring.Evaluation": {"key", "category"},
    "scoring.Actor": {"role"},
    "scoring.Reason": {"digest"},
    "scoring.ScoreChange": {"held_choice", "idempotency_key"},
    "scoring.Alert": {"evidence", "facts_digest", "again"},
    "scoring.Appeal": {"evidence"},  # ids, numbers and digests
    "scoring.Approval": {"idempotency_key"},
    "scoring.Erasure": {"counts"},
    "scoring.Fact": {"parts"},
    "scoring.RescoreSet": set(),
    "scoring.Rubric": {"slug", "name", "description"},
    "scoring.Criterion": {"code", "name", "category", "question", "high", "low"},
    "judging.Call": {"prompt_name", "prompt_digest", "provider", "model", "parameters"},
    "judging.Challenge": {"label", "persona"},
    "judging.Synthesis": {"numbers"},
    "judging.JudgeScore": {"key", "readings"},
    "judging.Verdict": {"readings"},
    "judging.Effect": {"readings"},
    "judging.ResponseEvaluation": {"readings"},
    "judging.Consensus": {"policy", "found"},
    "judging.Review": {"policy", "decisions"},
}
"""Columns that hold codes, numbers, ids and what the operator wrote, and so stay."""
TAKEN = {
    "debates.Debate": {"title", "motion", "problem", "stop_reason"},
    "debates.Subject": {"title", "text"},
    "debates.Participant": {"name"},
    "debates.ApiKey": {"name"},
    "debates.IdempotencyKey": {"body"},
    "debates.Invitation": {"email"},
    "debates.Mail": {"address", "secret", "problem"},
    "debates.MailStop": {"digest"},
    "debates.TurnDraft": {"text", "place"},
    "debates.Profile": {"time_zone"},
    "debates.Webhook": {"url", "secret", "former_secret", "disabled_because"},
    "debates.Delivery": {"log"},
    "scoring.Evaluation": {"name"},
    "scoring.Actor": {"name"},
    "scoring.InternalNote": {"text"},
    "scoring.Reason": {"text", "salt"},
    "scoring.RescoreSet": {"lines"},
    "judging.Script": {"answers"},
    "judging.CachedJudgement": {"digest", "answer", "model", "holder"},
    "judging.NewDebate": {"body"},
    "judging.PlannedStart": {"problem"},
    **{one.model._meta.label: set(one.emptied) for one in spoken()},
    "judging.Call": {"raw_answer", "problem", "about"},
}


def test_every_column_that_can_hold_words_is_either_taken_or_known_to_stay():
    texts = (models.CharField, models.TextField, models.JSONField)
    found = {
        (model._meta.label, field.name)
        for app in ("debates", "scoring", "judging")
        for model in apps.get_app_config(app).get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, texts) and not field.choices
    }
    known = {(label, name) for columns in (KEPT, TAKEN) for label, names in columns.items() for name in names}

    assert found == known, "say in judging/engine/erasure.py what becomes of a new column, and here"


def test_every_reason_that_a_table_points_to_is_found_by_who_gave_it():
    pointing = {
        (model, field.name)
        for app in ("debates", "scoring", "judging")
        for model in apps.get_app_config(app).get_models()
        for field in model._meta.concrete_fields
        if field.related_model is Reason
    }

    assert pointing == {(model, reason) for model, _, reason, _ in SIGNED}
    assert erasure.ERASED == "[erased]"


def test_what_points_to_a_reason_or_a_name_has_a_debate_that_is_told_or_is_a_set_of_scores():
    pointing = [(model._meta.label, path) for pointed in (Actor, Reason) for model, _, path in pointing_to(pointed)]

    assert {label for label, path in pointing if not path} == {"scoring.RescoreSet"}
