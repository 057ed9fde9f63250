-- Guards of what moderators prepare: overrides that wait for a second person, and rescore sets.
-- A revision is a new file with CREATE OR REPLACE; this one is never edited once deployed.

-- Actors carry the role of the moment, so one person may be several actors: persons are compared, not actors.
CREATE FUNCTION moot_approval_decided() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NEW.state = 'approved'
     AND (SELECT a.user_id FROM scoring_actor a WHERE a.id = NEW.decided_by_id)
         IS NOT DISTINCT FROM (SELECT a.user_id FROM scoring_actor a WHERE a.id = NEW.requested_by_id) THEN
    RAISE check_violation USING MESSAGE = 'whoever asks for an approval does not give it',
      CONSTRAINT = 'approval_is_given_by_a_second_person';
  END IF;
  IF NEW.entry_id IS NOT NULL AND NOT EXISTS (
       SELECT 1 FROM scoring_scorechange s
       WHERE s.id = NEW.entry_id AND s.evaluation_id = NEW.evaluation_id AND s.sequence > NEW.seen
         AND s.actor_kind <> 'engine'
         AND (NEW.state <> 'approved' OR (s.kind, s.override_after, s.actor_id, s.reason_id)
              IS NOT DISTINCT FROM ('override', NEW.value, NEW.requested_by_id, NEW.because_id))) THEN
    RAISE check_violation USING MESSAGE = 'this is not the entry that decided the request',
      CONSTRAINT = 'approval_names_the_entry_that_decided_it';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER approval_05_waits BEFORE INSERT ON scoring_approval FOR EACH ROW WHEN (NEW.state <> 'waiting')
  EXECUTE FUNCTION moot_refuse('approval_begins_by_waiting');
CREATE TRIGGER approval_10_fixed BEFORE UPDATE ON scoring_approval FOR EACH ROW
  EXECUTE FUNCTION moot_fixed('approval_keeps_what_was_asked', 'public_id', 'evaluation_id', 'value', 'value_seen', 'seen',
    'door', 'reason_code', 'idempotency_key', 'requested_by_id', 'because_id', 'requested_at');
CREATE TRIGGER approval_11_once BEFORE UPDATE ON scoring_approval FOR EACH ROW WHEN (OLD.state <> 'waiting')
  EXECUTE FUNCTION moot_refuse('approval_is_decided_once');
CREATE TRIGGER approval_20_decided BEFORE UPDATE ON scoring_approval FOR EACH ROW WHEN (NEW.state <> 'waiting')
  EXECUTE FUNCTION moot_approval_decided();
CREATE TRIGGER approval_30_kept BEFORE DELETE ON scoring_approval FOR EACH ROW EXECUTE FUNCTION moot_refuse('approval_is_kept');
CREATE TRIGGER approval_40_truncate BEFORE TRUNCATE ON scoring_approval FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('approval_is_kept');

ALTER TABLE scoring_rescoreset ADD CONSTRAINT rescore_has_1_to_500_lines
  CHECK (CASE WHEN jsonb_typeof(lines) = 'array' THEN jsonb_array_length(lines) BETWEEN 1 AND 500 ELSE false END);
CREATE TRIGGER rescore_05_staged BEFORE INSERT ON scoring_rescoreset FOR EACH ROW WHEN (NEW.state <> 'staged')
  EXECUTE FUNCTION moot_refuse('rescore_begins_staged');
CREATE TRIGGER rescore_10_fixed BEFORE UPDATE ON scoring_rescoreset FOR EACH ROW
  EXECUTE FUNCTION moot_fixed('rescore_keeps_what_was_previewed', 'public_id', 'action', 'choice', 'lines', 'staged_by_id',
    'because_id', 'staged_at');
CREATE TRIGGER rescore_11_once BEFORE UPDATE ON scoring_rescoreset FOR EACH ROW WHEN (OLD.state <> 'staged')
  EXECUTE FUNCTION moot_refuse('rescore_is_decided_once');
CREATE TRIGGER rescore_30_kept BEFORE DELETE ON scoring_rescoreset FOR EACH ROW EXECUTE FUNCTION moot_refuse('rescore_is_kept');
CREATE TRIGGER rescore_40_truncate BEFORE TRUNCATE ON scoring_rescoreset FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('rescore_is_kept');

-- Guards fire under session_replication_role = replica too.
ALTER TABLE scoring_approval ENABLE ALWAYS TRIGGER approval_05_waits;
ALTER TABLE scoring_approval ENABLE ALWAYS TRIGGER approval_10_fixed;
ALTER TABLE scoring_approval ENABLE ALWAYS TRIGGER approval_11_once;
ALTER TABLE scoring_approval ENABLE ALWAYS TRIGGER approval_20_decided;
ALTER TABLE scoring_approval ENABLE ALWAYS TRIGGER approval_30_kept;
ALTER TABLE scoring_approval ENABLE ALWAYS TRIGGER approval_40_truncate;
ALTER TABLE scoring_rescoreset ENABLE ALWAYS TRIGGER rescore_05_staged;
ALTER TABLE scoring_rescoreset ENABLE ALWAYS TRIGGER rescore_10_fixed;
ALTER TABLE scoring_rescoreset ENABLE ALWAYS TRIGGER rescore_11_once;
ALTER TABLE scoring_rescoreset ENABLE ALWAYS TRIGGER rescore_30_kept;
ALTER TABLE scoring_rescoreset ENABLE ALWAYS TRIGGER rescore_40_truncate;
