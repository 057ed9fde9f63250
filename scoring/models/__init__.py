"""Tables of the score."""

from scoring.models.alert import Alert, AlertAnswer
from scoring.models.appeal import Appeal
from scoring.models.approval import Approval, Threshold
from scoring.models.case import Assignment, Remark
from scoring.models.conflict import BrokenSeal, Conflict, OrganiserRule, ReplacedJudge
from scoring.models.erasure import Erasure
from scoring.models.evaluation import Evaluation
from scoring.models.fact import Fact
from scoring.models.ledger import Actor, InternalNote, Reason, ScoreChange
from scoring.models.rescore import RescoreSet
from scoring.models.rubric import Criterion, Rubric

__all__ = [
    "Actor",
    "Alert",
    "AlertAnswer",
    "Appeal",
    "Approval",
    "Assignment",
    "BrokenSeal",
    "Conflict",
    "Criterion",
    "Erasure",
    "Evaluation",
    "Fact",
    "InternalNote",
    "OrganiserRule",
    "Reason",
    "Remark",
    "ReplacedJudge",
    "RescoreSet",
    "Rubric",
    "ScoreChange",
    "Threshold",
]
