-- Takes back what tables_v1.sql installs.
DROP TRIGGER response_05_total ON judging_responseevaluation;
DROP TRIGGER response_10_immutable ON judging_responseevaluation;
DROP TRIGGER response_20_kept ON judging_responseevaluation;
DROP TRIGGER response_30_truncate ON judging_responseevaluation;
DROP TRIGGER effect_10_immutable ON judging_effect;
DROP TRIGGER effect_30_truncate ON judging_effect;
DROP TRIGGER state_05_follows ON judging_participantstate;
DROP TRIGGER state_10_immutable ON judging_participantstate;
DROP TRIGGER state_30_truncate ON judging_participantstate;
DROP TRIGGER standing_05_total ON judging_standing;
DROP TRIGGER standing_10_immutable ON judging_standing;
DROP TRIGGER standing_30_truncate ON judging_standing;
DROP TRIGGER cached_10_kept ON judging_cachedjudgement;
DROP FUNCTION moot_response_equals_its_fact();
DROP FUNCTION moot_standing_equals_its_fact();
DROP FUNCTION moot_state_follows();
