-- Takes back what desk_v1.sql installs.
DROP TRIGGER approval_05_waits ON scoring_approval;
DROP TRIGGER approval_10_fixed ON scoring_approval;
DROP TRIGGER approval_11_once ON scoring_approval;
DROP TRIGGER approval_20_decided ON scoring_approval;
DROP TRIGGER approval_30_kept ON scoring_approval;
DROP TRIGGER approval_40_truncate ON scoring_approval;
DROP TRIGGER rescore_05_staged ON scoring_rescoreset;
DROP TRIGGER rescore_10_fixed ON scoring_rescoreset;
DROP TRIGGER rescore_11_once ON scoring_rescoreset;
DROP TRIGGER rescore_30_kept ON scoring_rescoreset;
DROP TRIGGER rescore_40_truncate ON scoring_rescoreset;
ALTER TABLE scoring_rescoreset DROP CONSTRAINT rescore_has_1_to_500_lines;
DROP FUNCTION moot_approval_decided();
