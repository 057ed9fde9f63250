-- Guards of keys, webhooks, deliveries and seats. Functions are those of debates/sql/guards_v1.sql.
CREATE TRIGGER apikey_10_fixed BEFORE UPDATE ON debates_apikey FOR EACH ROW
  EXECUTE FUNCTION moot_fixed('api_key_keeps_its_secret_and_scopes', 'public_id', 'owner_id', 'prefix', 'digest',
    'scopes', 'created_at', 'expires_at');
CREATE TRIGGER apikey_11_revoked BEFORE UPDATE ON debates_apikey FOR EACH ROW
  WHEN (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at)
  EXECUTE FUNCTION moot_refuse('api_key_revoked_stays_so');
CREATE TRIGGER apikey_20_kept BEFORE DELETE ON debates_apikey FOR EACH ROW EXECUTE FUNCTION moot_refuse('api_key_is_kept');
CREATE TRIGGER apikey_30_truncate BEFORE TRUNCATE ON debates_apikey FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('api_key_is_kept');

CREATE TRIGGER idempotencykey_10_answered BEFORE UPDATE ON debates_idempotencykey FOR EACH ROW WHEN (OLD.status <> 0)
  EXECUTE FUNCTION moot_refuse('idempotency_key_answers_once');

CREATE TRIGGER webhook_10_fixed BEFORE UPDATE ON debates_webhook FOR EACH ROW
  EXECUTE FUNCTION moot_fixed('webhook_keeps_its_owner', 'public_id', 'owner_id', 'debate_id', 'created_at');
CREATE TRIGGER webhook_20_kept BEFORE DELETE ON debates_webhook FOR EACH ROW EXECUTE FUNCTION moot_refuse('webhook_is_kept');

CREATE TRIGGER delivery_10_fixed BEFORE UPDATE ON debates_delivery FOR EACH ROW
  EXECUTE FUNCTION moot_fixed('delivery_keeps_what_it_is', 'public_id', 'webhook_id', 'event_id');

-- Whoever sits, sits: an invitation is taken once, and its number only grows.
CREATE TRIGGER participant_10_seat BEFORE UPDATE ON debates_participant FOR EACH ROW
  WHEN (OLD.user_id IS NOT NULL AND NEW.user_id IS DISTINCT FROM OLD.user_id)
  EXECUTE FUNCTION moot_refuse('seat_is_taken_once');
CREATE TRIGGER participant_11_invitation BEFORE UPDATE ON debates_participant FOR EACH ROW
  WHEN (NEW.invitation < OLD.invitation)
  EXECUTE FUNCTION moot_refuse('invitation_number_only_grows');

-- Guards fire under session_replication_role = replica too.
ALTER TABLE debates_apikey ENABLE ALWAYS TRIGGER apikey_10_fixed;
ALTER TABLE debates_apikey ENABLE ALWAYS TRIGGER apikey_11_revoked;
ALTER TABLE debates_apikey ENABLE ALWAYS TRIGGER apikey_20_kept;
ALTER TABLE debates_apikey ENABLE ALWAYS TRIGGER apikey_30_truncate;
ALTER TABLE debates_idempotencykey ENABLE ALWAYS TRIGGER idempotencykey_10_answered;
ALTER TABLE debates_webhook ENABLE ALWAYS TRIGGER webhook_10_fixed;
ALTER TABLE debates_webhook ENABLE ALWAYS TRIGGER webhook_20_kept;
ALTER TABLE debates_delivery ENABLE ALWAYS TRIGGER delivery_10_fixed;
ALTER TABLE debates_participant ENABLE ALWAYS TRIGGER participant_10_seat;
ALTER TABLE debates_participant ENABLE ALWAYS TRIGGER participant_11_invitation;
