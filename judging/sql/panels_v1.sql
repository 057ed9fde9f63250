-- Guards of panels: sections are added and never rewritten. Functions are those of debates/sql/guards_v1.sql.
CREATE TRIGGER judge_report_10_immutable BEFORE UPDATE ON judging_judgereport FOR EACH ROW
  EXECUTE FUNCTION moot_only_blanks('judge_report_is_append_only', 'body');
CREATE TRIGGER judge_report_20_kept BEFORE DELETE ON judging_judgereport FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('judge_report_is_append_only');
CREATE TRIGGER judge_report_30_truncate BEFORE TRUNCATE ON judging_judgereport FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('judge_report_is_append_only');

CREATE TRIGGER judge_score_10_immutable BEFORE UPDATE OR DELETE ON judging_judgescore FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('judge_score_is_never_edited');
CREATE TRIGGER judge_score_30_truncate BEFORE TRUNCATE ON judging_judgescore FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('judge_score_is_never_edited');

CREATE TRIGGER consensus_10_immutable BEFORE UPDATE OR DELETE ON judging_consensus FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('consensus_is_never_edited');
CREATE TRIGGER consensus_30_truncate BEFORE TRUNCATE ON judging_consensus FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('consensus_is_never_edited');

-- Guards fire under session_replication_role = replica too.
ALTER TABLE judging_judgereport ENABLE ALWAYS TRIGGER judge_report_10_immutable;
ALTER TABLE judging_judgereport ENABLE ALWAYS TRIGGER judge_report_20_kept;
ALTER TABLE judging_judgereport ENABLE ALWAYS TRIGGER judge_report_30_truncate;
ALTER TABLE judging_judgescore ENABLE ALWAYS TRIGGER judge_score_10_immutable;
ALTER TABLE judging_judgescore ENABLE ALWAYS TRIGGER judge_score_30_truncate;
ALTER TABLE judging_consensus ENABLE ALWAYS TRIGGER consensus_10_immutable;
ALTER TABLE judging_consensus ENABLE ALWAYS TRIGGER consensus_30_truncate;
