-- Takes back what erasure_v1.sql installs.
DROP TRIGGER synthesis_20_kept ON judging_synthesis;
DROP TRIGGER synthesis_11_fixed ON judging_synthesis;
DROP TRIGGER synthesis_10_immutable ON judging_synthesis;
CREATE TRIGGER synthesis_10_immutable BEFORE UPDATE OR DELETE ON judging_synthesis FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('synthesis_is_never_edited');
ALTER TABLE judging_synthesis ENABLE ALWAYS TRIGGER synthesis_10_immutable;

DROP TRIGGER call_12_fixed ON judging_call;
DROP TRIGGER call_11_renamed ON judging_call;
DROP TRIGGER call_10_immutable ON judging_call;
CREATE TRIGGER call_10_immutable BEFORE UPDATE ON judging_call FOR EACH ROW
  EXECUTE FUNCTION moot_only_blanks('call_is_never_edited', 'raw_answer', 'problem');
ALTER TABLE judging_call ENABLE ALWAYS TRIGGER call_10_immutable;
