"""What an alert means, and what it rests on, in words."""

from collections.abc import Mapping

from django.urls import reverse
from django.utils.html import format_html

from debates.admin.read_only import shortened
from scoring.admin.formatting import SITE
from scoring.models import Alert

MEANINGS: Mapping[str, str] = {
    "extreme_verdict": "A single round moved the score by 3 points or more.",
    "extreme_net": "All verdicts together moved the score by more than 3 points.",
    "net_capped": "The verdicts add up to more than the cap lets count.",
    "large_change": "The score changed by more than half of what it was.",
    "contradiction": "Two rounds in a row went clearly in opposite directions.",
    "one_sided": "More than 80 % of the verdicts of this debate went one way.",
    "uniform_extreme": "All verdicts of this thread sit at the same limit.",
    "no_effect": "The debate ended, and no score differs from where it began.",
    "winner_sign_mismatch": "A verdict, or a ruling in it, names one side as winner and moves the score the other way.",
    "injection_suspected": "A turn or the subject tries to tell the judge what to do.",
    "judge_failed": "A judge's answer could not be had or read, not even when asked again, or not be written down.",
    "not_assessed": "The judge cannot judge this, said so, and gave no number.",
}

SHORTLY: Mapping[str, str] = {
    "extreme_verdict": "one round moved it by {applied}",
    "extreme_net": "all verdicts together: {capped_net}",
    "net_capped": "the verdicts add up to {raw}, of which {cap} count",
    "large_change": "from {initial} to {final}",
    "contradiction": "{earlier}, then {later}",
    "one_sided": "{side} won {won} of the {verdicts} verdicts that were no draw",
    "uniform_extreme": "{verdicts} verdicts, all of them {adjustment}",
    "no_effect": "{evaluations} scores, none of them moved",
    "winner_sign_mismatch": "{by}{winner} wins, with {adjustment} and confidence {impact}",
    "injection_suspected": "{signs}",
    "judge_failed": "{why}",
    "not_assessed": "{why} {helps}",
}
PAGES: Mapping[str, str] = {"turn": "debates_turn", "subject": "debates_subject", "conflict": "scoring_conflict"}
"""Evidence that is the public id of a row leads to that row."""


def shortly(alert: Alert) -> str:
    return shortened(sentence(alert.code, alert.evidence), longest=160)


def sentence(code: str, evidence: Mapping[str, object]) -> str:
    values = {name: _written(value) for name, value in evidence.items()}
    by = f"by ruling {values['ruling']}: " if "ruling" in values else ""
    try:
        words = SHORTLY.get(code, "").format_map(values | {"by": by}).strip()
    except KeyError:
        words = ""
    return words or "; ".join(f"{name} {value}" for name, value in sorted(values.items())) or "-"


def parts(alert: Alert) -> list[tuple[str, str]]:
    """Return everything that an alert rests on, part by part; what is a row is a link to it."""
    return [(name.replace("_", " "), _linked(name, value)) for name, value in sorted(alert.evidence.items())]


def _linked(name: str, value: object) -> str:
    if name not in PAGES:
        return _written(value)
    address = reverse(f"{SITE}:{PAGES[name]}_changelist")
    return format_html('<a href="{}?q={}">{}</a>', address, str(value), str(value))


def _written(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(str(item) for item in value) or "none"
    if value == "evaluator":
        return "the evaluator"
    return "none" if value is None else str(value).replace("red_team", "the red team").replace("_", " ")
