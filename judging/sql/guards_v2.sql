-- What was wrong with an answer may quote it, so it is erased like the answer. That it is given is asked of new calls.
DROP TRIGGER call_10_immutable ON judging_call;
CREATE TRIGGER call_05_why BEFORE INSERT ON judging_call FOR EACH ROW
  WHEN (NEW.outcome <> 'used' AND NEW.problem = '')
  EXECUTE FUNCTION moot_refuse('call_that_was_not_used_says_why');
CREATE TRIGGER call_10_immutable BEFORE UPDATE ON judging_call FOR EACH ROW
  EXECUTE FUNCTION moot_only_blanks('call_is_never_edited', 'raw_answer', 'problem');

-- Guards fire under session_replication_role = replica too.
ALTER TABLE judging_call ENABLE ALWAYS TRIGGER call_05_why;
ALTER TABLE judging_call ENABLE ALWAYS TRIGGER call_10_immutable;
