"""Two cheap looks: what they see, and what earlier patterns saw wrongly."""

import pytest

from judging.heuristics.adherence import Flags, quick


@pytest.mark.parametrize(
    ("text", "steel_manning", "self_critique"),
    [
        pytest.param("I appreciate the point.", True, False, id="a point appreciated"),
        pytest.param("They are wrong.", False, False, id="wrong"),
        pytest.param("I'll admit my framework struggles.", False, True, id="a struggle admitted"),
        pytest.param("My framework is superior.", False, False, id="superior"),
        pytest.param("I see no merit in their ridiculous position.", False, False, id="no merit"),
        pytest.param("I concede that you are right about the ward.", True, False, id="a concession is not both"),
        pytest.param("Critics of my view would say it lacks heart.", False, False, id="critics are somebody else"),
        pytest.param("I do not acknowledge any weakness.", False, False, id="no weakness acknowledged"),
        pytest.param("I appreciate it, you idiots.", False, False, id="appreciation with an insult"),
        pytest.param('Mira said "I admit that my view fails here".', False, False, id="somebody else's words quoted"),
        pytest.param("", False, False, id="nothing"),
    ],
)
def test_the_quick_look_sees(text, steel_manning, self_critique):
    assert quick(text=text, opponents=["Mira"]) == Flags(steel_manning, self_critique)
