-- Takes back what one_round_v1.sql installs.
DROP TRIGGER entry_15_one_round ON scoring_scorechange;
DROP FUNCTION moot_panel_of_one_round();
