-- What a debate came to names who took part, as do calls; an erasure may put something else there. Nothing else may change it.
DROP TRIGGER synthesis_10_immutable ON judging_synthesis;
CREATE TRIGGER synthesis_10_immutable BEFORE UPDATE ON judging_synthesis FOR EACH ROW
  WHEN (NOT moot_erasing())
  EXECUTE FUNCTION moot_refuse('synthesis_is_never_edited');
CREATE TRIGGER synthesis_11_fixed BEFORE UPDATE ON judging_synthesis FOR EACH ROW
  EXECUTE FUNCTION moot_fixed('synthesis_is_never_edited', 'debate_id', 'number', 'turn_id', 'at');
CREATE TRIGGER synthesis_20_kept BEFORE DELETE ON judging_synthesis FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('synthesis_is_never_edited');

-- What a call was about may be somebody's name; it keeps calls of one round apart, so it is replaced and not emptied.
DROP TRIGGER call_10_immutable ON judging_call;
CREATE TRIGGER call_10_immutable BEFORE UPDATE ON judging_call FOR EACH ROW
  WHEN (OLD.about = NEW.about)
  EXECUTE FUNCTION moot_only_blanks('call_is_never_edited', 'raw_answer', 'problem');
CREATE TRIGGER call_11_renamed BEFORE UPDATE ON judging_call FOR EACH ROW
  WHEN (OLD.about <> NEW.about AND NOT moot_erasing())
  EXECUTE FUNCTION moot_refuse('call_is_never_edited');
CREATE TRIGGER call_12_fixed BEFORE UPDATE ON judging_call FOR EACH ROW
  WHEN (OLD.about <> NEW.about)
  EXECUTE FUNCTION moot_fixed('call_is_never_edited', 'public_id', 'debate_id', 'thread_id', 'run_number', 'round_number',
    'purpose', 'attempt', 'participant_id', 'prompt_name', 'prompt_version', 'prompt_digest', 'provider', 'model',
    'parameters', 'raw_answer', 'problem', 'outcome', 'known', 'tokens_in', 'tokens_out', 'cost', 'milliseconds', 'at');

-- Guards fire under session_replication_role = replica too.
ALTER TABLE judging_synthesis ENABLE ALWAYS TRIGGER synthesis_10_immutable;
ALTER TABLE judging_synthesis ENABLE ALWAYS TRIGGER synthesis_11_fixed;
ALTER TABLE judging_synthesis ENABLE ALWAYS TRIGGER synthesis_20_kept;
ALTER TABLE judging_call ENABLE ALWAYS TRIGGER call_10_immutable;
ALTER TABLE judging_call ENABLE ALWAYS TRIGGER call_11_renamed;
ALTER TABLE judging_call ENABLE ALWAYS TRIGGER call_12_fixed;
