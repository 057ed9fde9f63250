-- Guards of open debates: judgements, effects, states and standings are added and never edited, and what they say is
-- what their facts say. Functions moot_refuse and moot_only_blanks are those of debates/sql/guards_v1.sql.

-- The total of a judged response is the sum of its four marks, of the same round and of the speaker's own account.
CREATE FUNCTION moot_response_equals_its_fact() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NEW.fact_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM scoring_fact f
    WHERE f.id = NEW.fact_id AND f.kind = 'response' AND f.round_id = NEW.round_id
      AND f.amount = NEW.steel_manning + NEW.self_critique + NEW.consistency + NEW.honesty
  ) THEN
    RAISE check_violation USING
      MESSAGE = 'the total of a response is the sum of its marks', CONSTRAINT = 'response_total_is_the_sum_of_its_marks';
  END IF;
  RETURN NEW;
END $$;

-- Parts and total are rounded each for itself, so they may differ by two millionths.
CREATE FUNCTION moot_standing_equals_its_fact() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM scoring_fact f
    WHERE f.id = NEW.fact_id AND f.kind = 'standing' AND f.round_id = NEW.round_id
      AND abs(f.amount - (NEW.stance + NEW.persuasion + NEW.resistance - NEW.penalty)) <= 0.000002
  ) THEN
    RAISE check_violation USING
      MESSAGE = 'a standing is the sum of its parts', CONSTRAINT = 'standing_total_is_the_sum_of_its_parts';
  END IF;
  RETURN NEW;
END $$;

-- States follow each other without a gap, and whoever has given up is moved no more.
CREATE FUNCTION moot_state_follows() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  last record;
BEGIN
  SELECT number, surrender INTO last FROM judging_participantstate
    WHERE participant_id = NEW.participant_id ORDER BY number DESC LIMIT 1;
  IF NEW.number > 0 AND NEW.number IS DISTINCT FROM last.number + 1 AND NEW.number > coalesce(last.number, -1) THEN
    RAISE check_violation USING
      MESSAGE = 'states follow each other without a gap', CONSTRAINT = 'state_follows_the_one_before';
  END IF;
  IF last.surrender <> '' THEN
    RAISE check_violation USING
      MESSAGE = 'a participant that has given up is moved no more', CONSTRAINT = 'surrendered_is_moved_no_more';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER response_05_total BEFORE INSERT ON judging_responseevaluation FOR EACH ROW
  EXECUTE FUNCTION moot_response_equals_its_fact();
CREATE TRIGGER response_10_immutable BEFORE UPDATE ON judging_responseevaluation FOR EACH ROW
  EXECUTE FUNCTION moot_only_blanks('response_evaluation_is_never_edited', 'grounds');
CREATE TRIGGER response_20_kept BEFORE DELETE ON judging_responseevaluation FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('response_evaluation_is_never_edited');
CREATE TRIGGER response_30_truncate BEFORE TRUNCATE ON judging_responseevaluation FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('response_evaluation_is_never_edited');

CREATE TRIGGER effect_10_immutable BEFORE UPDATE OR DELETE ON judging_effect FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('effect_is_never_edited');
CREATE TRIGGER effect_30_truncate BEFORE TRUNCATE ON judging_effect FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('effect_is_never_edited');

CREATE TRIGGER state_05_follows BEFORE INSERT ON judging_participantstate FOR EACH ROW
  EXECUTE FUNCTION moot_state_follows();
CREATE TRIGGER state_10_immutable BEFORE UPDATE OR DELETE ON judging_participantstate FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('state_is_never_edited');
CREATE TRIGGER state_30_truncate BEFORE TRUNCATE ON judging_participantstate FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('state_is_never_edited');

CREATE TRIGGER standing_05_total BEFORE INSERT ON judging_standing FOR EACH ROW
  EXECUTE FUNCTION moot_standing_equals_its_fact();
CREATE TRIGGER standing_10_immutable BEFORE UPDATE OR DELETE ON judging_standing FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('standing_is_never_edited');
CREATE TRIGGER standing_30_truncate BEFORE TRUNCATE ON judging_standing FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('standing_is_never_edited');

-- What is known already is not known otherwise later; it may be forgotten.
CREATE TRIGGER cached_10_kept BEFORE UPDATE ON judging_cachedjudgement FOR EACH ROW
  WHEN (OLD.answer <> '' AND (NEW.answer, NEW.model, NEW.digest) IS DISTINCT FROM (OLD.answer, OLD.model, OLD.digest))
  EXECUTE FUNCTION moot_refuse('cached_judgement_keeps_its_answer');

-- Guards fire under session_replication_role = replica too.
ALTER TABLE judging_responseevaluation ENABLE ALWAYS TRIGGER response_05_total;
ALTER TABLE judging_responseevaluation ENABLE ALWAYS TRIGGER response_10_immutable;
ALTER TABLE judging_responseevaluation ENABLE ALWAYS TRIGGER response_20_kept;
ALTER TABLE judging_responseevaluation ENABLE ALWAYS TRIGGER response_30_truncate;
ALTER TABLE judging_effect ENABLE ALWAYS TRIGGER effect_10_immutable;
ALTER TABLE judging_effect ENABLE ALWAYS TRIGGER effect_30_truncate;
ALTER TABLE judging_participantstate ENABLE ALWAYS TRIGGER state_05_follows;
ALTER TABLE judging_participantstate ENABLE ALWAYS TRIGGER state_10_immutable;
ALTER TABLE judging_participantstate ENABLE ALWAYS TRIGGER state_30_truncate;
ALTER TABLE judging_standing ENABLE ALWAYS TRIGGER standing_05_total;
ALTER TABLE judging_standing ENABLE ALWAYS TRIGGER standing_10_immutable;
ALTER TABLE judging_standing ENABLE ALWAYS TRIGGER standing_30_truncate;
ALTER TABLE judging_cachedjudgement ENABLE ALWAYS TRIGGER cached_10_kept;
