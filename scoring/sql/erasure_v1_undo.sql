-- Takes back what erasure_v1.sql installs.
DROP TRIGGER erasure_10_now ON scoring_erasure;
DROP TRIGGER erasure_20_kept ON scoring_erasure;
DROP TRIGGER erasure_30_truncate ON scoring_erasure;

DROP TRIGGER debate_12_words ON debates_debate;
DROP TRIGGER debate_10_parameters ON debates_debate;
CREATE TRIGGER debate_10_parameters BEFORE UPDATE ON debates_debate FOR EACH ROW
  WHEN (OLD.status <> 'draft')
  EXECUTE FUNCTION moot_fixed('debate_parameters_are_fixed_once_started',
    'parameters', 'format', 'rounds', 'subject_id', 'motion', 'conducted_by', 'public_id');
ALTER TABLE debates_debate ENABLE ALWAYS TRIGGER debate_10_parameters;

DROP TRIGGER evaluation_21_renamed ON scoring_evaluation;
DROP TRIGGER evaluation_20_guard ON scoring_evaluation;
CREATE TRIGGER evaluation_20_guard BEFORE UPDATE ON scoring_evaluation FOR EACH ROW EXECUTE FUNCTION moot_evaluation_guard();
ALTER TABLE scoring_evaluation ENABLE ALWAYS TRIGGER evaluation_20_guard;

DROP TRIGGER rescore_10_fixed ON scoring_rescoreset;
CREATE TRIGGER rescore_10_fixed BEFORE UPDATE ON scoring_rescoreset FOR EACH ROW
  EXECUTE FUNCTION moot_fixed('rescore_keeps_what_was_previewed', 'public_id', 'action', 'choice', 'lines', 'staged_by_id',
    'because_id', 'staged_at');
DROP TRIGGER rescore_11_once ON scoring_rescoreset;
CREATE TRIGGER rescore_11_once BEFORE UPDATE ON scoring_rescoreset FOR EACH ROW WHEN (OLD.state <> 'staged')
  EXECUTE FUNCTION moot_refuse('rescore_is_decided_once');
ALTER TABLE scoring_rescoreset ENABLE ALWAYS TRIGGER rescore_10_fixed;
ALTER TABLE scoring_rescoreset ENABLE ALWAYS TRIGGER rescore_11_once;

DROP FUNCTION moot_evaluation_renamed();
DROP FUNCTION moot_erasing();
