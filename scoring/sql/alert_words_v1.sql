-- Why a judge failed may quote people. Those words of an alert's evidence may go by an erasure, and nothing else of it.
-- A revision is a new file; this one is never edited once deployed.
DROP TRIGGER alert_10_fixed ON scoring_alert;
CREATE TRIGGER alert_10_fixed BEFORE UPDATE ON scoring_alert FOR EACH ROW
  EXECUTE FUNCTION moot_fixed('alert_keeps_its_evidence', 'debate_id', 'evaluation_id', 'code', 'severity', 'facts_digest',
    'at', 'public_id');
CREATE TRIGGER alert_11_words BEFORE UPDATE ON scoring_alert FOR EACH ROW
  WHEN (NEW.evidence <> OLD.evidence AND NOT (moot_erasing() AND NEW.evidence = OLD.evidence - 'why'))
  EXECUTE FUNCTION moot_refuse('alert_keeps_its_evidence');

-- Guards fire under session_replication_role = replica too.
ALTER TABLE scoring_alert ENABLE ALWAYS TRIGGER alert_10_fixed;
ALTER TABLE scoring_alert ENABLE ALWAYS TRIGGER alert_11_words;
