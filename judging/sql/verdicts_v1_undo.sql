-- Takes back what verdicts_v1.sql installs.
DROP TRIGGER verdict_05_fits ON judging_verdict;
DROP FUNCTION moot_verdict_fits();
