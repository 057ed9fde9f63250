-- Takes back what guards_v1.sql installs.
DROP TRIGGER call_10_immutable ON judging_call;
DROP TRIGGER call_20_kept ON judging_call;
DROP TRIGGER call_30_truncate ON judging_call;
DROP TRIGGER challenge_10_immutable ON judging_challenge;
DROP TRIGGER challenge_20_kept ON judging_challenge;
DROP TRIGGER challenge_30_truncate ON judging_challenge;
DROP TRIGGER defence_10_immutable ON judging_defence;
DROP TRIGGER defence_30_truncate ON judging_defence;
DROP TRIGGER verdict_10_immutable ON judging_verdict;
DROP TRIGGER verdict_20_kept ON judging_verdict;
DROP TRIGGER verdict_30_truncate ON judging_verdict;
DROP TRIGGER synthesis_10_immutable ON judging_synthesis;
DROP TRIGGER synthesis_30_truncate ON judging_synthesis;
DROP TRIGGER script_10_fixed ON judging_script;
