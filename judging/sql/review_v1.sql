-- Guards of reviews: what a person settled stays settled. Functions are those of debates/sql/guards_v1.sql.
CREATE TRIGGER review_05_open BEFORE INSERT ON judging_review FOR EACH ROW WHEN (NEW.state <> 'open')
  EXECUTE FUNCTION moot_refuse('review_begins_open');
CREATE TRIGGER review_10_fixed BEFORE UPDATE ON judging_review FOR EACH ROW
  EXECUTE FUNCTION moot_fixed('review_keeps_what_is_in_dispute', 'public_id', 'debate_id', 'run_number', 'round_number',
    'reason_code', 'disputed', 'policy', 'opened_at');
CREATE TRIGGER review_11_settled BEFORE UPDATE ON judging_review FOR EACH ROW WHEN (OLD.state = 'settled')
  EXECUTE FUNCTION moot_refuse('review_settled_by_a_person_stays');
CREATE TRIGGER review_12_claimed BEFORE UPDATE ON judging_review FOR EACH ROW
  WHEN (OLD.state = 'open' AND NEW.state = 'settled')
  EXECUTE FUNCTION moot_refuse('review_is_settled_by_its_holder');
CREATE TRIGGER review_30_kept BEFORE DELETE ON judging_review FOR EACH ROW EXECUTE FUNCTION moot_refuse('review_is_kept');
CREATE TRIGGER review_40_truncate BEFORE TRUNCATE ON judging_review FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('review_is_kept');

-- Guards fire under session_replication_role = replica too.
ALTER TABLE judging_review ENABLE ALWAYS TRIGGER review_05_open;
ALTER TABLE judging_review ENABLE ALWAYS TRIGGER review_10_fixed;
ALTER TABLE judging_review ENABLE ALWAYS TRIGGER review_11_settled;
ALTER TABLE judging_review ENABLE ALWAYS TRIGGER review_12_claimed;
ALTER TABLE judging_review ENABLE ALWAYS TRIGGER review_30_kept;
ALTER TABLE judging_review ENABLE ALWAYS TRIGGER review_40_truncate;
