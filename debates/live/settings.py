"""How patient and how generous live delivery is: from the settings, with luck where many would act at once."""

from __future__ import annotations

import random

from django.conf import settings

SPREAD = 0.2


def heartbeat() -> float:
    """Seconds of silence after which a reader is told that all is well."""
    return float(settings.LIVE_HEARTBEAT_SECONDS)


def stalled() -> float:
    """Seconds after which a reader who takes nothing is sent away."""
    return float(settings.LIVE_STALLED_SECONDS)


def lifetime() -> float:
    """Seconds for which one connection lasts: each a little more or less, so that not all come back at once."""
    return float(settings.LIVE_ROTATE_SECONDS) * random.uniform(1 - SPREAD, 1 + SPREAD)  # noqa: S311 -- no secret


def rights() -> float:
    """Seconds between two looks at everybody's rights."""
    return float(settings.LIVE_RIGHTS_SECONDS)


def per_address() -> int:
    """How many connections one address may have to this process."""
    return int(settings.LIVE_PER_ADDRESS)
