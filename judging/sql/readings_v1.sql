-- Which of several judgements a call is stays as it was, also where an erasure puts another name to what it was about.
DROP TRIGGER call_12_fixed ON judging_call;
CREATE TRIGGER call_12_fixed BEFORE UPDATE ON judging_call FOR EACH ROW
  WHEN (OLD.about <> NEW.about)
  EXECUTE FUNCTION moot_fixed('call_is_never_edited', 'public_id', 'debate_id', 'thread_id', 'run_number', 'round_number',
    'purpose', 'swapped', 'reading', 'attempt', 'participant_id', 'prompt_name', 'prompt_version', 'prompt_digest',
    'provider', 'model', 'parameters', 'raw_answer', 'problem', 'outcome', 'known', 'tokens_in', 'tokens_out', 'cost',
    'milliseconds', 'at');
ALTER TABLE judging_call ENABLE ALWAYS TRIGGER call_12_fixed;
