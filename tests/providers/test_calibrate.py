"""A model is calibrated through its endpoint: asked no more than it must be, and no key is shown."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from judging.engine import db_threads

WORDS = ["Shade pays.", "Shade pays, says Hale.", "Shade pays, says Hale (2021).", "Shade."]


@pytest.fixture(autouse=True)
def threads_that_leave_connections_alone(monkeypatch):
    """Other tests leave connections in the threads; to look whether they are too old takes a database."""
    monkeypatch.setattr(db_threads, "close_old_connections", lambda: None)


@pytest.fixture
def labels(tmp_path):
    file = tmp_path / "labels.csv"
    file.write_text("text,label\n" + "".join(f'"{words}",{at}\n' for at, words in enumerate(WORDS)))
    return str(file)


@pytest.mark.parametrize("model", ["status-401", "telling"])
def test_an_endpoint_that_refuses_ends_a_calibration_and_no_key_is_shown(endpoint, labels, model):
    with pytest.raises(CommandError, match="so no other was asked for: ") as refused:
        call_command(
            "calibrate", labels, "--provider", "openai", "--model", model, stdout=StringIO(), stderr=StringIO()
        )

    assert len(endpoint.asked) == {"status-401": 1, "telling": 3}[model]
    assert "sk-secret-1234" not in str(refused.value)
