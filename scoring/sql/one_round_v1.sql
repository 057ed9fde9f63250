-- A panel's score is of one round of its judges: what was struck can be put back beside the others of its round, and never
-- beside those of another round. A revision is a new file; this one is never edited once deployed.
-- It comes after entry_10_append, which has seen to it that the basis is what the kind leads to.
CREATE FUNCTION moot_panel_of_one_round() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF (SELECT e.instrument FROM scoring_evaluation e WHERE e.id = NEW.evaluation_id) = 'panel'
     AND (SELECT count(DISTINCT f.round_id) FROM scoring_fact f WHERE f.id = ANY (NEW.basis)) > 1 THEN
    RAISE check_violation USING MESSAGE = format('evaluation %s would be the mean of several rounds', NEW.evaluation_id),
      CONSTRAINT = 'entry_counts_one_round_of_a_panel';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER entry_15_one_round BEFORE INSERT ON scoring_scorechange FOR EACH ROW WHEN (NEW.kind = 'reinstate')
  EXECUTE FUNCTION moot_panel_of_one_round();

-- Guards fire under session_replication_role = replica too.
ALTER TABLE scoring_scorechange ENABLE ALWAYS TRIGGER entry_15_one_round;
