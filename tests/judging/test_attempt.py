"""How long is waited before a provider is asked again."""

import pytest

from judging.engine.attempt import went
from judging.errors import AnswerRejected, ProviderError


@pytest.mark.parametrize(
    ("failure", "attempt", "pause"),
    [
        pytest.param(None, 1, 0.0, id="none"),
        pytest.param(AnswerRejected("no number"), 1, 0.0, id="of no use"),
        pytest.param(ProviderError("busy", permanent=False), 1, 0.5, id="first"),
        pytest.param(ProviderError("busy", permanent=False), 3, 2.0, id="third"),
        pytest.param(ProviderError("busy", permanent=False), 20, 60.0, id="grows no further"),
        pytest.param(ProviderError("busy", permanent=False, retry_after=300), 1, 300, id="as told"),
        pytest.param(ProviderError("busy", permanent=False, retry_after=900), 1, 900, id="as long as may be told"),
        pytest.param(ProviderError("busy", permanent=False, retry_after=901), 1, None, id="too long"),
        pytest.param(ProviderError("wrong key", permanent=True, retry_after=5), 1, None, id="for good"),
    ],
)
def test_a_provider_is_asked_again_when_it_said_or_later_each_time(failure, attempt, pause):
    assert went(failure, attempt=attempt)[2] == pause
