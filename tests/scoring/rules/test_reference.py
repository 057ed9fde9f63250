"""The page of reference that the rules cite has every heading that they cite."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "reference" / "rules.md").read_text(encoding="utf-8")
ANCHORS = {
    re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-")
    for heading in re.findall(r"^#+ (.+)$", PAGE, flags=re.MULTILINE)
}
CITED = sorted(
    {
        anchor
        for app in ("scoring", "judging")
        for path in (ROOT / app).rglob("*.py")
        for anchor in re.findall(r"docs/reference/rules\.md#([a-z0-9-]+)", path.read_text(encoding="utf-8"))
    }
)


@pytest.mark.parametrize("anchor", CITED)
def test_a_cited_rule_is_on_the_page(anchor):
    assert anchor in ANCHORS


def test_rules_cite_the_page():
    assert {"the-computed-score", "consensus", "standing", "warnings"} <= set(CITED)


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(#([a-z0-9-]+)\)", PAGE))))
def test_links_inside_the_page_lead_somewhere(link):
    assert link in ANCHORS
