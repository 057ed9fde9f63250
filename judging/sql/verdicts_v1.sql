-- A ruling is on a challenge of its own round's thread and run, and its number counts in that very round: so a challenge
-- counts once in a round, whatever raw SQL says. A revision is a new file; this one is never edited once deployed.
CREATE FUNCTION moot_verdict_fits() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (
    SELECT 1 FROM scoring_fact f JOIN debates_round r ON r.id = f.round_id, judging_challenge c
    WHERE f.id = NEW.fact_id AND f.kind = 'verdict' AND f.round_id = NEW.round_id
      AND c.id = NEW.challenge_id AND c.thread_id = r.thread_id AND c.run_number = r.run_number) THEN
    RAISE check_violation USING
      MESSAGE = format('fact %s is no ruling of round %s on challenge %s', NEW.fact_id, NEW.round_id, NEW.challenge_id),
      CONSTRAINT = 'verdict_rules_on_a_challenge_of_its_round';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER verdict_05_fits BEFORE INSERT ON judging_verdict FOR EACH ROW EXECUTE FUNCTION moot_verdict_fits();

-- Guards fire under session_replication_role = replica too.
ALTER TABLE judging_verdict ENABLE ALWAYS TRIGGER verdict_05_fits;
