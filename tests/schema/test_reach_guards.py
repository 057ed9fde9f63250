"""Every guard of how far one person alone brings a score, broken on purpose; with the triggers off as well."""

import pytest

from scoring.enums import EntryKind as K
from tests.schema.attacks import attack, change, commit_so_far, nothing_stays, refusal_test, run
from tests.schema.entries import SIGNED, entry, following

pytestmark = pytest.mark.django_db
BEYOND = "override_beyond_the_threshold_is_approved_by_a_second_person"
ENTRY = "scoring_scorechange"
FROM_ONE = "INSERT INTO scoring_threshold (points) VALUES (1)"
NEAR = {"override_after": "7", "computed_alone": "7.5"}
"""An override of a score of 7.5 that one person may set where a second is needed from one point on."""
APPROVED = change(
    "scoring_approval", "{approval}", state="'approved'", decided_by_id="{second_actor}",
    decided_because_id="{reason}", decided_at="now()",
    entry_id="(SELECT max(id) FROM scoring_scorechange WHERE evaluation_id = {played})",
)  # fmt: skip
COVERED = {"covered_by_id": "{approval}"}
FELL = {"basis": "'{{}}'", "computed_after": "initial_score", "confidence_after": "initial_confidence"}


def unmeasured(**changes: str) -> str:
    """An entry that says itself from where on it needs a second person, with the triggers off."""
    signed = {"kind": "'override'", "second_person_from": "1", **SIGNED}
    return following("{entry}", **{**signed, **changes})


def test_a_small_override_passes_and_so_does_an_approved_one_with_small_ones_after_it(world):
    with nothing_stays():
        run(FROM_ONE)
        run(entry(K.OVERRIDE, **NEAR), world)
        run(entry(K.OVERRIDE_LIFTED, on="{played}"), world)
        run(entry(K.OVERRIDE, **COVERED), world)
        run(APPROVED, world)
        commit_so_far()
        run(entry(K.OVERRIDE, override_after="4.9"), world)
        run(entry(K.STRIKE), world)
        commit_so_far()
        rows = run("SELECT covered_value, computed_alone, second_person_from FROM scoring_scorechange"
                   " WHERE evaluation_id = {played} AND kind = 'strike'", world)  # fmt: skip
        assert [tuple(map(str, row)) for row in rows] == [("4.000000", "None", "1.000000")]


test_how_far_one_person_brings_a_score_is_guarded = refusal_test(
    attack(BEYOND, "an override a point from the computed score",
           FROM_ONE, entry(K.OVERRIDE, **{**NEAR, "override_after": "6.5"})),
    attack(BEYOND, "an override that says nothing of what its author decided",
           FROM_ONE, entry(K.OVERRIDE, override_after="7")),
    attack(BEYOND, "an override a point from what its author has struck",
           FROM_ONE, entry(K.OVERRIDE, override_after="7", computed_alone="8")),
    attack(BEYOND, "many small overrides that come to a large one",
           FROM_ONE, entry(K.OVERRIDE, **NEAR), entry(K.OVERRIDE, **{**NEAR, "override_after": "6.2"})),
    attack(BEYOND, "a strike beneath an override", FROM_ONE, entry(K.OVERRIDE, **NEAR),
           entry(K.STRIKE, **FELL, computed_alone="7.5")),
    attack(BEYOND, "a rollback that brings an override back", entry(K.OVERRIDE, override_after="5"),
           entry(K.OVERRIDE_LIFTED, on="{played}"), FROM_ONE,
           entry(K.ROLLBACK, target_sequence="version - 1", override_after="5", computed_alone="7.5", basis="basis",
                 computed_after="computed_score", confidence_after="confidence", rounds_after="debate_round_count")),
    attack(BEYOND, "a looser threshold of one's own", FROM_ONE,
           entry(K.OVERRIDE, override_after="4", computed_alone="7.5", second_person_from="9")),
    attack(BEYOND, "a request that nobody has approved", FROM_ONE, entry(K.OVERRIDE, **COVERED)),
    attack(BEYOND, "a request that is refused afterwards", FROM_ONE, entry(K.OVERRIDE, **COVERED),
           change("scoring_approval", "{approval}", state="'refused'", decided_by_id="{second_actor}",
                  decided_because_id="{reason}", decided_at="now()")),
    attack(BEYOND, "a request for another value", FROM_ONE, entry(K.OVERRIDE, **COVERED, override_after="3")),
    attack(BEYOND, "a request of somebody else", FROM_ONE, entry(K.OVERRIDE, **COVERED, actor_id="{second_actor}")),
    attack(BEYOND, "a request of another score", FROM_ONE, entry(K.OVERRIDE, on="{struck}", **COVERED)),
    attack(BEYOND, "an approval of an override that was lifted since",
           FROM_ONE, entry(K.OVERRIDE, **COVERED), APPROVED, entry(K.OVERRIDE_LIFTED, on="{played}"),
           entry(K.OVERRIDE, **COVERED)),
    attack(BEYOND, "a point from what a second person approved",
           FROM_ONE, entry(K.OVERRIDE, **COVERED), APPROVED, entry(K.OVERRIDE, override_after="5")),
    attack(BEYOND, "far from the computed score, with the triggers off",
           unmeasured(override_after="9", value_after="9", computed_alone="9"), without=[ENTRY]),
    attack(BEYOND, "far from what its author has struck, with the triggers off",
           unmeasured(override_after="value_after", computed_alone="1"), without=[ENTRY]),
    attack("threshold_is_positive", "a threshold of nothing", "INSERT INTO scoring_threshold (points) VALUES (0)"),
    attack("threshold_is_kept", "a threshold loosened", FROM_ONE, "UPDATE scoring_threshold SET points = 9"),
    attack("threshold_is_kept", "a threshold removed", FROM_ONE, "DELETE FROM scoring_threshold"),
    attack("threshold_is_kept", "no thresholds any more", "TRUNCATE scoring_threshold"),
)  # fmt: skip

AGAIN = '[{{"at": "2026-01-31T18:00:00Z"}}]'

test_what_an_alert_counts_is_guarded = refusal_test(
    attack("alert_counts_what_comes_again", "two at once", change("scoring_alert", "{alert}", again="'[1, 2]'")),
    attack("alert_counts_what_comes_again", "one taken away",
           change("scoring_alert", "{alert}", again=f"'{AGAIN}'"), change("scoring_alert", "{alert}", again="'[]'")),
    attack("alert_counts_what_comes_again", "one exchanged",
           change("scoring_alert", "{alert}", again=f"'{AGAIN}'"), change("scoring_alert", "{alert}", again="'[1]'")),
    attack("alert_counts_what_comes_again", "one before another",
           change("scoring_alert", "{alert}", again=f"'{AGAIN}'"),
           change("scoring_alert", "{alert}", again=f"'[1]' || '{AGAIN}'::jsonb")),
    attack("alert_counts_what_comes_again", "one that was answered",
           change("scoring_alert", "{alert}", state="'dismissed'", handled_by_id="{actor}",
                  handled_because_id="{reason}", handled_at="now()"),
           change("scoring_alert", "{alert}", again="'[1]'")),
)  # fmt: skip
