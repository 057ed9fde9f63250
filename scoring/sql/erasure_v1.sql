-- Guards of erasures, and what they open: words that are fixed otherwise may go in the transaction that writes an
-- erasure, and only there. The app role may not write one. A revision is a new file; this one is never edited.

-- Whether this transaction erases. Its time is its own: no row of an earlier transaction, or of a backup, carries it.
CREATE FUNCTION moot_erasing() RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT EXISTS (SELECT 1 FROM scoring_erasure x WHERE x.at = transaction_timestamp())
$$;

CREATE TRIGGER erasure_10_now BEFORE INSERT ON scoring_erasure FOR EACH ROW WHEN (NEW.at <> transaction_timestamp())
  EXECUTE FUNCTION moot_refuse('erasure_is_of_this_moment');
CREATE TRIGGER erasure_20_kept BEFORE UPDATE OR DELETE ON scoring_erasure FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('erasure_is_kept');
CREATE TRIGGER erasure_30_truncate BEFORE TRUNCATE ON scoring_erasure FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('erasure_is_kept');

-- What a debate was asked and set up with are words, too. The parameters of the score are guarded by debate_15_scored.
DROP TRIGGER debate_10_parameters ON debates_debate;
CREATE TRIGGER debate_10_parameters BEFORE UPDATE ON debates_debate FOR EACH ROW
  WHEN (OLD.status <> 'draft')
  EXECUTE FUNCTION moot_fixed('debate_parameters_are_fixed_once_started',
    'format', 'rounds', 'subject_id', 'conducted_by', 'public_id');
CREATE TRIGGER debate_12_words BEFORE UPDATE ON debates_debate FOR EACH ROW
  WHEN (OLD.status <> 'draft' AND (OLD.motion <> NEW.motion OR OLD.parameters <> NEW.parameters) AND NOT moot_erasing())
  EXECUTE FUNCTION moot_refuse('debate_parameters_are_fixed_once_started');

-- An account may carry a person's name. No hash covers it; everything else in the row stays with the ledger.
CREATE FUNCTION moot_evaluation_renamed() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT moot_erasing()
     OR to_jsonb(NEW) - 'name' - 'final_score' IS DISTINCT FROM to_jsonb(OLD) - 'name' - 'final_score' THEN
    RAISE restrict_violation USING MESSAGE = format('evaluation %s loses its name by an erasure alone', OLD.id),
      CONSTRAINT = 'evaluation_moves_only_with_an_entry';
  END IF;
  RETURN NEW;
END $$;
DROP TRIGGER evaluation_20_guard ON scoring_evaluation;
CREATE TRIGGER evaluation_20_guard BEFORE UPDATE ON scoring_evaluation FOR EACH ROW
  WHEN (NEW.name IS NOT DISTINCT FROM OLD.name) EXECUTE FUNCTION moot_evaluation_guard();
CREATE TRIGGER evaluation_21_renamed BEFORE UPDATE ON scoring_evaluation FOR EACH ROW
  WHEN (NEW.name IS DISTINCT FROM OLD.name) EXECUTE FUNCTION moot_evaluation_renamed();

-- A rescore set shows the names of accounts as they were.
DROP TRIGGER rescore_10_fixed ON scoring_rescoreset;
CREATE TRIGGER rescore_10_fixed BEFORE UPDATE ON scoring_rescoreset FOR EACH ROW
  WHEN (NOT moot_erasing())
  EXECUTE FUNCTION moot_fixed('rescore_keeps_what_was_previewed', 'public_id', 'action', 'choice', 'lines', 'staged_by_id',
    'because_id', 'staged_at');
DROP TRIGGER rescore_11_once ON scoring_rescoreset;
CREATE TRIGGER rescore_11_once BEFORE UPDATE ON scoring_rescoreset FOR EACH ROW
  WHEN (OLD.state <> 'staged' AND NOT moot_erasing())
  EXECUTE FUNCTION moot_refuse('rescore_is_decided_once');

-- Guards fire under session_replication_role = replica too.
ALTER TABLE scoring_erasure ENABLE ALWAYS TRIGGER erasure_10_now;
ALTER TABLE scoring_erasure ENABLE ALWAYS TRIGGER erasure_20_kept;
ALTER TABLE scoring_erasure ENABLE ALWAYS TRIGGER erasure_30_truncate;
ALTER TABLE debates_debate ENABLE ALWAYS TRIGGER debate_10_parameters;
ALTER TABLE debates_debate ENABLE ALWAYS TRIGGER debate_12_words;
ALTER TABLE scoring_evaluation ENABLE ALWAYS TRIGGER evaluation_20_guard;
ALTER TABLE scoring_evaluation ENABLE ALWAYS TRIGGER evaluation_21_renamed;
ALTER TABLE scoring_rescoreset ENABLE ALWAYS TRIGGER rescore_10_fixed;
ALTER TABLE scoring_rescoreset ENABLE ALWAYS TRIGGER rescore_11_once;
