"""Value types of the rules of scoring."""
from enum import StrEnum
from dataclasses import dataclass
from decimal import Decimal
class Instrument(StrEnum):
    CRITERION = "criterion"
    ADHERENCE = "adherence"
    PANEL = "panel"
    STANDING = "standing"
class Severity(StrEnum):
    INFO = "info"
    WARNING = "warning"
    CRITICAL = "critical"
class AlertCode(StrEnum):
    EXTREME_VERDICT = "extreme_verdict"
    EXTREME_NET = "extreme_net"
    NET_CAPPED = "net_capped"
    LARGE_CHANGE = "large_change"
    CONTRADICTION = "contradiction"
    ONE_SIDED = "one_sided"
    UNIFORM_EXTREME = "uniform_extreme"
    NO_EFFECT = "no_effect"
    WINNER_SIGN_MISMATCH = "winner_sign_mismatch"
    INJECTION_SUSPECTED = "injection_suspected"
    JUDGE_FAILED = "judge_failed"
