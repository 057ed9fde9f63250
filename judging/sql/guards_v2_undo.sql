-- Takes back what guards_v2.sql installs.
DROP TRIGGER call_05_why ON judging_call;
DROP TRIGGER call_10_immutable ON judging_call;
CREATE TRIGGER call_10_immutable BEFORE UPDATE ON judging_call FOR EACH ROW
  EXECUTE FUNCTION moot_only_blanks('call_is_never_edited', 'raw_answer');
ALTER TABLE judging_call ENABLE ALWAYS TRIGGER call_10_immutable;
