"""Tables of the score."""

from scoring.models.alert import Alert
from scoring.models.evaluation import Evaluation
from scoring.models.fact import Fact
from scoring.models.ledger import Actor, Reason, ScoreChange
from scoring.models.rubric import Criterion, Rubric

__all__ = ["Actor", "Alert", "Criterion", "Evaluation", "Fact", "Reason", "Rubric", "ScoreChange"]
