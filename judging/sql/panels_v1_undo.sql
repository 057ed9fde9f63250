-- Takes back what panels_v1.sql installs.
DROP TRIGGER judge_report_10_immutable ON judging_judgereport;
DROP TRIGGER judge_report_20_kept ON judging_judgereport;
DROP TRIGGER judge_report_30_truncate ON judging_judgereport;
DROP TRIGGER judge_score_10_immutable ON judging_judgescore;
DROP TRIGGER judge_score_30_truncate ON judging_judgescore;
DROP TRIGGER consensus_10_immutable ON judging_consensus;
DROP TRIGGER consensus_30_truncate ON judging_consensus;
