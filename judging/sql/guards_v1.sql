-- Guards of the judging tables: what was said and ruled is never edited. Functions are those of debates/sql/guards_v1.sql.
CREATE TRIGGER call_10_immutable BEFORE UPDATE ON judging_call FOR EACH ROW
  EXECUTE FUNCTION moot_only_blanks('call_is_never_edited', 'raw_answer');
CREATE TRIGGER call_20_kept BEFORE DELETE ON judging_call FOR EACH ROW EXECUTE FUNCTION moot_refuse('call_is_never_edited');
CREATE TRIGGER call_30_truncate BEFORE TRUNCATE ON judging_call FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('call_is_never_edited');

CREATE TRIGGER challenge_10_immutable BEFORE UPDATE ON judging_challenge FOR EACH ROW
  EXECUTE FUNCTION moot_only_blanks('challenge_is_never_edited', 'quote');
CREATE TRIGGER challenge_20_kept BEFORE DELETE ON judging_challenge FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('challenge_is_never_edited');
CREATE TRIGGER challenge_30_truncate BEFORE TRUNCATE ON judging_challenge FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('challenge_is_never_edited');

CREATE TRIGGER defence_10_immutable BEFORE UPDATE OR DELETE ON judging_defence FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('defence_is_never_edited');
CREATE TRIGGER defence_30_truncate BEFORE TRUNCATE ON judging_defence FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('defence_is_never_edited');

CREATE TRIGGER verdict_10_immutable BEFORE UPDATE ON judging_verdict FOR EACH ROW
  EXECUTE FUNCTION moot_only_blanks('verdict_is_never_edited', 'reasoning');
CREATE TRIGGER verdict_20_kept BEFORE DELETE ON judging_verdict FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('verdict_is_never_edited');
CREATE TRIGGER verdict_30_truncate BEFORE TRUNCATE ON judging_verdict FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('verdict_is_never_edited');

CREATE TRIGGER synthesis_10_immutable BEFORE UPDATE OR DELETE ON judging_synthesis FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('synthesis_is_never_edited');
CREATE TRIGGER synthesis_30_truncate BEFORE TRUNCATE ON judging_synthesis FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('synthesis_is_never_edited');

CREATE TRIGGER script_10_fixed BEFORE UPDATE ON judging_script FOR EACH ROW EXECUTE FUNCTION moot_refuse('script_is_never_edited');

-- Guards fire under session_replication_role = replica too.
ALTER TABLE judging_call ENABLE ALWAYS TRIGGER call_10_immutable;
ALTER TABLE judging_call ENABLE ALWAYS TRIGGER call_20_kept;
ALTER TABLE judging_call ENABLE ALWAYS TRIGGER call_30_truncate;
ALTER TABLE judging_challenge ENABLE ALWAYS TRIGGER challenge_10_immutable;
ALTER TABLE judging_challenge ENABLE ALWAYS TRIGGER challenge_20_kept;
ALTER TABLE judging_challenge ENABLE ALWAYS TRIGGER challenge_30_truncate;
ALTER TABLE judging_defence ENABLE ALWAYS TRIGGER defence_10_immutable;
ALTER TABLE judging_defence ENABLE ALWAYS TRIGGER defence_30_truncate;
ALTER TABLE judging_verdict ENABLE ALWAYS TRIGGER verdict_10_immutable;
ALTER TABLE judging_verdict ENABLE ALWAYS TRIGGER verdict_20_kept;
ALTER TABLE judging_verdict ENABLE ALWAYS TRIGGER verdict_30_truncate;
ALTER TABLE judging_synthesis ENABLE ALWAYS TRIGGER synthesis_10_immutable;
ALTER TABLE judging_synthesis ENABLE ALWAYS TRIGGER synthesis_30_truncate;
ALTER TABLE judging_script ENABLE ALWAYS TRIGGER script_10_fixed;
