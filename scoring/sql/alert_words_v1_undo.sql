-- Takes back what alert_words_v1.sql installs.
DROP TRIGGER alert_11_words ON scoring_alert;
DROP TRIGGER alert_10_fixed ON scoring_alert;
CREATE TRIGGER alert_10_fixed BEFORE UPDATE ON scoring_alert FOR EACH ROW
  EXECUTE FUNCTION moot_fixed('alert_keeps_its_evidence', 'debate_id', 'evaluation_id', 'code', 'severity', 'evidence',
    'facts_digest', 'at', 'public_id');
ALTER TABLE scoring_alert ENABLE ALWAYS TRIGGER alert_10_fixed;
