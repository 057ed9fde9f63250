-- Guards of the judging tables, by table: what was said and ruled is added and never edited. The file can be run again: it
-- makes every guard what it says here, and removes none. moot_refuse, moot_only_blanks and moot_fixed are those of
-- debates/sql/guards.sql, moot_erases and what follows from it those of scoring/sql/guards.sql.

-- call
-- What was wrong with an answer may quote it, so it is erased like the answer. What a call was about may be somebody's
-- name; it keeps calls of one round apart, so it is replaced and not emptied.
CREATE OR REPLACE FUNCTION moot_call_renamed() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF (to_jsonb(NEW) - 'about')::text <> (to_jsonb(OLD) - 'about')::text OR NOT EXISTS (
    SELECT FROM debates_participant p WHERE p.debate_id = OLD.debate_id AND left(p.name, 60) = OLD.about
      AND moot_erases_voice(p.id) AND NEW.about = moot_nameless(p.id)) THEN
    RAISE restrict_violation USING MESSAGE = format('whom call %s was about goes by an erasure of the name alone', OLD.id),
      CONSTRAINT = 'call_is_never_edited';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER call_05_why BEFORE INSERT ON judging_call FOR EACH ROW
  WHEN (NEW.outcome <> 'used' AND NEW.problem = '')
  EXECUTE FUNCTION moot_refuse('call_that_was_not_used_says_why');
CREATE OR REPLACE TRIGGER call_10_immutable BEFORE UPDATE ON judging_call FOR EACH ROW
  WHEN (OLD.about = NEW.about)
  EXECUTE FUNCTION moot_only_blanks('call_is_never_edited', 'raw_answer', 'problem');
CREATE OR REPLACE TRIGGER call_11_renamed BEFORE UPDATE ON judging_call FOR EACH ROW
  WHEN (OLD.about <> NEW.about)
  EXECUTE FUNCTION moot_call_renamed();
CREATE OR REPLACE TRIGGER call_20_kept BEFORE DELETE ON judging_call FOR EACH ROW EXECUTE FUNCTION moot_refuse('call_is_never_edited');
CREATE OR REPLACE TRIGGER call_30_truncate BEFORE TRUNCATE ON judging_call FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('call_is_never_edited');

-- challenge
CREATE OR REPLACE TRIGGER challenge_10_immutable BEFORE UPDATE ON judging_challenge FOR EACH ROW
  EXECUTE FUNCTION moot_only_blanks('challenge_is_never_edited', 'quote');
CREATE OR REPLACE TRIGGER challenge_20_kept BEFORE DELETE ON judging_challenge FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('challenge_is_never_edited');
CREATE OR REPLACE TRIGGER challenge_30_truncate BEFORE TRUNCATE ON judging_challenge FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('challenge_is_never_edited');

-- defence
CREATE OR REPLACE TRIGGER defence_10_immutable BEFORE UPDATE OR DELETE ON judging_defence FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('defence_is_never_edited');
CREATE OR REPLACE TRIGGER defence_30_truncate BEFORE TRUNCATE ON judging_defence FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('defence_is_never_edited');

-- verdict
-- It rules on a challenge of its own round's thread and run, and its number counts in that very round: so a challenge counts
-- once in a round, whatever raw SQL says.
CREATE OR REPLACE FUNCTION moot_verdict_fits() RETURNS trigger LANGUAGE plpgsql
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

CREATE OR REPLACE TRIGGER verdict_05_fits BEFORE INSERT ON judging_verdict FOR EACH ROW EXECUTE FUNCTION moot_verdict_fits();
CREATE OR REPLACE TRIGGER verdict_10_immutable BEFORE UPDATE ON judging_verdict FOR EACH ROW
  EXECUTE FUNCTION moot_only_blanks('verdict_is_never_edited', 'reasoning');
CREATE OR REPLACE TRIGGER verdict_20_kept BEFORE DELETE ON judging_verdict FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('verdict_is_never_edited');
CREATE OR REPLACE TRIGGER verdict_30_truncate BEFORE TRUNCATE ON judging_verdict FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('verdict_is_never_edited');

-- A ruling from a ballot is there only when its round is closed, at the latest when the transaction ends.
CREATE OR REPLACE FUNCTION moot_ruling_unsealed() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (
    SELECT FROM debates_round played JOIN debates_ballot ballot ON ballot.round_id = played.id
    WHERE played.id = NEW.round_id AND played.closed_at IS NULL
  ) THEN
    RAISE check_violation USING
      MESSAGE = format('round %s is open, and what its arbiter ruled sealed', NEW.round_id),
      CONSTRAINT = 'ballot_is_sealed_until_its_round_closes';
  END IF;
  RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS verdict_40_unsealed ON judging_verdict;
CREATE CONSTRAINT TRIGGER verdict_40_unsealed AFTER INSERT ON judging_verdict DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION moot_ruling_unsealed();

-- synthesis
-- What a debate came to names who took part, and of a panel it quotes: an erasure takes names and quotes, and no number.
CREATE OR REPLACE FUNCTION moot_synthesis_words() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT moot_erases(OLD.debate_id)
     OR NEW.numbers::text <> moot_renamed(OLD.numbers, moot_erased_names(OLD.debate_id))::text
     AND NOT (OLD.numbers ? 'improvements'
              AND NEW.numbers::text = (OLD.numbers || '{"improvements": [], "quotes": {}}')::text) THEN
    RAISE restrict_violation USING MESSAGE = 'of a synthesis only the words go, by an erasure of them',
      CONSTRAINT = 'synthesis_is_never_edited';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER synthesis_05_lasts BEFORE INSERT ON judging_synthesis FOR EACH ROW
  EXECUTE FUNCTION moot_debate_lasts('synthesis_is_written_while_its_debate_lasts');
CREATE OR REPLACE TRIGGER synthesis_10_immutable BEFORE UPDATE ON judging_synthesis FOR EACH ROW
  WHEN (NEW.numbers::text <> OLD.numbers::text)
  EXECUTE FUNCTION moot_synthesis_words();
CREATE OR REPLACE TRIGGER synthesis_11_fixed BEFORE UPDATE ON judging_synthesis FOR EACH ROW
  EXECUTE FUNCTION moot_fixed('synthesis_is_never_edited', 'debate_id', 'number', 'turn_id', 'at');
CREATE OR REPLACE TRIGGER synthesis_20_kept BEFORE DELETE ON judging_synthesis FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('synthesis_is_never_edited');
CREATE OR REPLACE TRIGGER synthesis_30_truncate BEFORE TRUNCATE ON judging_synthesis FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('synthesis_is_never_edited');

-- script
CREATE OR REPLACE TRIGGER script_10_fixed BEFORE UPDATE ON judging_script FOR EACH ROW EXECUTE FUNCTION moot_refuse('script_is_never_edited');
CREATE OR REPLACE TRIGGER script_20_kept BEFORE DELETE ON judging_script FOR EACH ROW
  WHEN (NOT moot_erases(OLD.debate_id))
  EXECUTE FUNCTION moot_refuse('script_is_never_edited');

-- review: what a person settled stays settled
CREATE OR REPLACE TRIGGER review_05_open BEFORE INSERT ON judging_review FOR EACH ROW WHEN (NEW.state <> 'open')
  EXECUTE FUNCTION moot_refuse('review_begins_open');
CREATE OR REPLACE TRIGGER review_06_no_party BEFORE INSERT OR UPDATE ON judging_review FOR EACH ROW
  EXECUTE FUNCTION moot_no_party('debate.claimed_by_id', '', 'state', 'lease_until');
CREATE OR REPLACE TRIGGER review_07_no_party BEFORE INSERT OR UPDATE ON judging_review FOR EACH ROW
  EXECUTE FUNCTION moot_no_party('debate.settled_by_id', 'settled_by_organiser', 'state', 'settled_at', 'decisions');
CREATE OR REPLACE TRIGGER plannedstart_06_no_party BEFORE INSERT OR UPDATE ON judging_plannedstart FOR EACH ROW
  WHEN (NEW.created_by_id IS NOT NULL) EXECUTE FUNCTION moot_no_party_conducts('debate.created_by_id');
CREATE OR REPLACE TRIGGER review_10_fixed BEFORE UPDATE ON judging_review FOR EACH ROW
  EXECUTE FUNCTION moot_fixed('review_keeps_what_is_in_dispute', 'public_id', 'debate_id', 'run_number', 'round_number',
    'reason_code', 'disputed', 'policy', 'opened_at');
CREATE OR REPLACE TRIGGER review_11_settled BEFORE UPDATE ON judging_review FOR EACH ROW WHEN (OLD.state = 'settled')
  EXECUTE FUNCTION moot_refuse('review_settled_by_a_person_stays');
-- Actors carry the role of the moment, so one person may be several actors: persons are compared, not actors.
CREATE OR REPLACE FUNCTION moot_review_holder() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM scoring_actor holder JOIN scoring_actor settles ON settles.user_id = holder.user_id
      WHERE holder.id = OLD.claimed_by_id AND settles.id = NEW.settled_by_id) THEN
    RAISE check_violation USING MESSAGE = 'a review is settled by whoever has claimed it',
      CONSTRAINT = 'review_is_settled_by_its_holder';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER review_12_claimed BEFORE UPDATE ON judging_review FOR EACH ROW
  WHEN (OLD.state <> 'settled' AND NEW.settled_by_id IS NOT NULL)
  EXECUTE FUNCTION moot_review_holder();
CREATE OR REPLACE TRIGGER review_30_kept BEFORE DELETE ON judging_review FOR EACH ROW EXECUTE FUNCTION moot_refuse('review_is_kept');
CREATE OR REPLACE TRIGGER review_40_truncate BEFORE TRUNCATE ON judging_review FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('review_is_kept');

-- judgereport
CREATE OR REPLACE TRIGGER judge_report_10_immutable BEFORE UPDATE ON judging_judgereport FOR EACH ROW
  EXECUTE FUNCTION moot_only_blanks('judge_report_is_append_only', 'body');
CREATE OR REPLACE TRIGGER judge_report_20_kept BEFORE DELETE ON judging_judgereport FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('judge_report_is_append_only');
CREATE OR REPLACE TRIGGER judge_report_30_truncate BEFORE TRUNCATE ON judging_judgereport FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('judge_report_is_append_only');

CREATE OR REPLACE TRIGGER judge_report_04_debate BEFORE INSERT ON judging_judgereport FOR EACH ROW
  EXECUTE FUNCTION moot_round_is_of_debate('judge_report_is_of_its_debate');
CREATE OR REPLACE TRIGGER judge_report_05_replaced BEFORE INSERT ON judging_judgereport FOR EACH ROW
  EXECUTE FUNCTION moot_judge_stays_replaced();

-- A report of a judge who is no engine is there only when its round is closed, at the latest when the transaction ends.
CREATE OR REPLACE FUNCTION moot_report_unsealed() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (
    SELECT FROM debates_round played, debates_participant seat
    WHERE played.id = NEW.round_id AND played.closed_at IS NULL AND seat.id = NEW.participant_id AND seat.kind <> 'engine'
  ) THEN
    RAISE check_violation USING
      MESSAGE = format('round %s is open, and what participant %s said in it sealed', NEW.round_id, NEW.participant_id),
      CONSTRAINT = 'ballot_is_sealed_until_its_round_closes';
  END IF;
  RETURN NULL;
END $$;

DROP TRIGGER IF EXISTS judge_report_40_unsealed ON judging_judgereport;
CREATE CONSTRAINT TRIGGER judge_report_40_unsealed AFTER INSERT ON judging_judgereport DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.readable) EXECUTE FUNCTION moot_report_unsealed();

-- judgescore
-- It is of the criterion whose account its number is on, and of whoever gave the number, in the very round of the report.
CREATE OR REPLACE FUNCTION moot_judge_score_fits() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM scoring_fact f JOIN scoring_evaluation e ON e.id = f.evaluation_id, judging_judgereport report
    WHERE f.id = NEW.fact_id AND f.kind = 'judge_score' AND e.key = NEW.key AND report.id = NEW.report_id
      AND (report.round_id, report.participant_id, report.debate_id) = (f.round_id, f.participant_id, e.debate_id)) THEN
    RAISE check_violation USING
      MESSAGE = format('fact %s is not what report %s gives %s', NEW.fact_id, NEW.report_id, NEW.key),
      CONSTRAINT = 'judge_score_counts_for_its_criterion';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER judge_score_05_fits BEFORE INSERT ON judging_judgescore FOR EACH ROW
  EXECUTE FUNCTION moot_judge_score_fits();
CREATE OR REPLACE TRIGGER judge_score_10_immutable BEFORE UPDATE OR DELETE ON judging_judgescore FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('judge_score_is_never_edited');
CREATE OR REPLACE TRIGGER judge_score_30_truncate BEFORE TRUNCATE ON judging_judgescore FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('judge_score_is_never_edited');

-- consensus
CREATE OR REPLACE TRIGGER consensus_05_debate BEFORE INSERT ON judging_consensus FOR EACH ROW
  EXECUTE FUNCTION moot_round_is_of_debate('consensus_is_of_its_debate');
CREATE OR REPLACE TRIGGER consensus_06_lasts BEFORE INSERT ON judging_consensus FOR EACH ROW
  EXECUTE FUNCTION moot_debate_lasts('consensus_is_found_while_its_debate_lasts');
CREATE OR REPLACE TRIGGER consensus_10_immutable BEFORE UPDATE OR DELETE ON judging_consensus FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('consensus_is_never_edited');
CREATE OR REPLACE TRIGGER consensus_30_truncate BEFORE TRUNCATE ON judging_consensus FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('consensus_is_never_edited');

-- responseevaluation
-- The total of a judged response is the sum of its four marks, of the same round and on an account of who spoke; what was
-- said in a batch was said in no round.
CREATE OR REPLACE FUNCTION moot_response_equals_its_fact() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  own boolean;
  total numeric;
BEGIN
  SELECT turn.participant_id = e.participant_id AND coalesce(turn.round_id, f.round_id) = f.round_id,
      CASE WHEN f.kind = 'response' AND f.round_id = NEW.round_id THEN f.amount END INTO own, total
    FROM scoring_fact f JOIN scoring_evaluation e ON e.id = f.evaluation_id, debates_turn turn
    WHERE f.id = NEW.fact_id AND turn.id = NEW.turn_id;
  IF NEW.fact_id IS NOT NULL AND own IS NOT TRUE THEN
    RAISE check_violation USING
      MESSAGE = format('fact %s is on no account of who spoke in turn %s, or of another round', NEW.fact_id, NEW.turn_id),
      CONSTRAINT = 'response_counts_for_its_speaker';
  END IF;
  IF total IS DISTINCT FROM NEW.steel_manning + NEW.self_critique + NEW.consistency + NEW.honesty
     AND NEW.fact_id IS NOT NULL THEN
    RAISE check_violation USING
      MESSAGE = 'the total of a response is the sum of its marks', CONSTRAINT = 'response_total_is_the_sum_of_its_marks';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER response_05_total BEFORE INSERT ON judging_responseevaluation FOR EACH ROW
  EXECUTE FUNCTION moot_response_equals_its_fact();
CREATE OR REPLACE TRIGGER response_10_immutable BEFORE UPDATE ON judging_responseevaluation FOR EACH ROW
  EXECUTE FUNCTION moot_only_blanks('response_evaluation_is_never_edited', 'grounds');
CREATE OR REPLACE TRIGGER response_20_kept BEFORE DELETE ON judging_responseevaluation FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('response_evaluation_is_never_edited');
CREATE OR REPLACE TRIGGER response_30_truncate BEFORE TRUNCATE ON judging_responseevaluation FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('response_evaluation_is_never_edited');

-- effect
CREATE OR REPLACE TRIGGER effect_10_immutable BEFORE UPDATE OR DELETE ON judging_effect FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('effect_is_never_edited');
CREATE OR REPLACE TRIGGER effect_30_truncate BEFORE TRUNCATE ON judging_effect FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('effect_is_never_edited');

-- participantstate
-- States follow each other without a gap, and whoever has given up is moved no more.
CREATE OR REPLACE FUNCTION moot_state_follows() RETURNS trigger LANGUAGE plpgsql
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

CREATE OR REPLACE TRIGGER state_05_follows BEFORE INSERT ON judging_participantstate FOR EACH ROW
  EXECUTE FUNCTION moot_state_follows();
CREATE OR REPLACE TRIGGER state_10_immutable BEFORE UPDATE OR DELETE ON judging_participantstate FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('state_is_never_edited');
CREATE OR REPLACE TRIGGER state_30_truncate BEFORE TRUNCATE ON judging_participantstate FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('state_is_never_edited');

-- standing
-- It counts for whoever stands there. Parts and total are rounded each for itself, so they may differ by two millionths.
CREATE OR REPLACE FUNCTION moot_standing_equals_its_fact() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  own boolean;
  total numeric;
BEGIN
  SELECT e.participant_id = NEW.participant_id, CASE WHEN f.kind = 'standing' AND f.round_id = NEW.round_id THEN f.amount END
    INTO own, total FROM scoring_fact f JOIN scoring_evaluation e ON e.id = f.evaluation_id WHERE f.id = NEW.fact_id;
  IF own IS NOT TRUE THEN
    RAISE check_violation USING
      MESSAGE = format('fact %s is on no account of participant %s', NEW.fact_id, NEW.participant_id),
      CONSTRAINT = 'standing_counts_for_its_participant';
  END IF;
  IF (abs(total - (NEW.stance + NEW.persuasion + NEW.resistance - NEW.penalty)) <= 0.000002) IS NOT TRUE THEN
    RAISE check_violation USING
      MESSAGE = 'a standing is the sum of its parts', CONSTRAINT = 'standing_total_is_the_sum_of_its_parts';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER standing_05_total BEFORE INSERT ON judging_standing FOR EACH ROW
  EXECUTE FUNCTION moot_standing_equals_its_fact();
CREATE OR REPLACE TRIGGER standing_10_immutable BEFORE UPDATE OR DELETE ON judging_standing FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('standing_is_never_edited');
CREATE OR REPLACE TRIGGER standing_30_truncate BEFORE TRUNCATE ON judging_standing FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('standing_is_never_edited');

-- cachedjudgement
-- What is known already is not known otherwise later; it may be forgotten.
CREATE OR REPLACE TRIGGER cached_10_kept BEFORE UPDATE ON judging_cachedjudgement FOR EACH ROW
  WHEN (OLD.answer <> '' AND (NEW.answer, NEW.model, NEW.digest) IS DISTINCT FROM (OLD.answer, OLD.model, OLD.digest))
  EXECUTE FUNCTION moot_refuse('cached_judgement_keeps_its_answer');

-- What accounts rest on is sealed; see judging/engine/verify.py.
CREATE OR REPLACE TRIGGER call_90_sealed AFTER INSERT OR UPDATE OR DELETE ON judging_call FOR EACH ROW
  EXECUTE FUNCTION moot_seal('debate', 'id');
CREATE OR REPLACE TRIGGER script_90_sealed AFTER INSERT OR UPDATE OR DELETE ON judging_script FOR EACH ROW
  EXECUTE FUNCTION moot_seal('debate', 'debate_id');
CREATE OR REPLACE TRIGGER challenge_90_sealed AFTER INSERT OR UPDATE OR DELETE ON judging_challenge FOR EACH ROW
  EXECUTE FUNCTION moot_seal('thread', 'id');
CREATE OR REPLACE TRIGGER defence_90_sealed AFTER INSERT OR UPDATE OR DELETE ON judging_defence FOR EACH ROW
  EXECUTE FUNCTION moot_seal('round', 'turn_id');
CREATE OR REPLACE TRIGGER verdict_90_sealed AFTER INSERT OR UPDATE OR DELETE ON judging_verdict FOR EACH ROW
  EXECUTE FUNCTION moot_seal('round', 'fact_id');
CREATE OR REPLACE TRIGGER synthesis_90_sealed AFTER INSERT OR UPDATE OR DELETE ON judging_synthesis FOR EACH ROW
  EXECUTE FUNCTION moot_seal('debate', 'id');
CREATE OR REPLACE TRIGGER judgereport_90_sealed AFTER INSERT OR UPDATE OR DELETE ON judging_judgereport FOR EACH ROW
  EXECUTE FUNCTION moot_seal('debate', 'id');
CREATE OR REPLACE TRIGGER judgescore_90_sealed AFTER INSERT OR UPDATE OR DELETE ON judging_judgescore FOR EACH ROW
  EXECUTE FUNCTION moot_seal('report', 'fact_id');
CREATE OR REPLACE TRIGGER consensus_90_sealed AFTER INSERT OR UPDATE OR DELETE ON judging_consensus FOR EACH ROW
  EXECUTE FUNCTION moot_seal('debate', 'id');
CREATE OR REPLACE TRIGGER review_90_sealed AFTER INSERT OR UPDATE OR DELETE ON judging_review FOR EACH ROW
  EXECUTE FUNCTION moot_seal('debate', 'id');
CREATE OR REPLACE TRIGGER responseevaluation_90_sealed AFTER INSERT OR UPDATE OR DELETE ON judging_responseevaluation FOR EACH ROW
  EXECUTE FUNCTION moot_seal('turn', 'id');
CREATE OR REPLACE TRIGGER effect_90_sealed AFTER INSERT OR UPDATE OR DELETE ON judging_effect FOR EACH ROW
  EXECUTE FUNCTION moot_seal('turn', 'id');
CREATE OR REPLACE TRIGGER participantstate_90_sealed AFTER INSERT OR UPDATE OR DELETE ON judging_participantstate FOR EACH ROW
  EXECUTE FUNCTION moot_seal('participant', 'id');
CREATE OR REPLACE TRIGGER standing_90_sealed AFTER INSERT OR UPDATE OR DELETE ON judging_standing FOR EACH ROW
  EXECUTE FUNCTION moot_seal('round', 'fact_id');

-- numbers
-- PostgreSQL takes NaN for a number, greater than every other.
CREATE OR REPLACE TRIGGER call_00_numbers BEFORE INSERT OR UPDATE ON judging_call FOR EACH ROW
  WHEN ('NaN' IN (NEW.cost))
  EXECUTE FUNCTION moot_refuse('number_is_not_nan');
CREATE OR REPLACE TRIGGER claim_00_numbers BEFORE INSERT OR UPDATE ON judging_claim FOR EACH ROW
  WHEN ('NaN' IN (NEW.reserved_money))
  EXECUTE FUNCTION moot_refuse('number_is_not_nan');
CREATE OR REPLACE TRIGGER verdict_00_numbers BEFORE INSERT OR UPDATE ON judging_verdict FOR EACH ROW
  WHEN ('NaN' IN (NEW.spread))
  EXECUTE FUNCTION moot_refuse('number_is_not_nan');
CREATE OR REPLACE TRIGGER judge_score_00_numbers BEFORE INSERT OR UPDATE ON judging_judgescore FOR EACH ROW
  WHEN ('NaN' IN (NEW.spread, NEW.given, NEW.wanted))
  EXECUTE FUNCTION moot_refuse('number_is_not_nan');
CREATE OR REPLACE TRIGGER consensus_00_numbers BEFORE INSERT OR UPDATE ON judging_consensus FOR EACH ROW
  WHEN ('NaN' IN (NEW.overall))
  EXECUTE FUNCTION moot_refuse('number_is_not_nan');
CREATE OR REPLACE TRIGGER response_00_numbers BEFORE INSERT OR UPDATE ON judging_responseevaluation FOR EACH ROW
  WHEN ('NaN' IN (NEW.spread, NEW.steel_manning, NEW.self_critique, NEW.consistency, NEW.honesty))
  EXECUTE FUNCTION moot_refuse('number_is_not_nan');
CREATE OR REPLACE TRIGGER effect_00_numbers BEFORE INSERT OR UPDATE ON judging_effect FOR EACH ROW
  WHEN ('NaN' IN (NEW.spread, NEW.persuasion, NEW.attack, NEW.evidence))
  EXECUTE FUNCTION moot_refuse('number_is_not_nan');
CREATE OR REPLACE TRIGGER state_00_numbers BEFORE INSERT OR UPDATE ON judging_participantstate FOR EACH ROW
  WHEN ('NaN' IN (NEW.stance, NEW.conviction))
  EXECUTE FUNCTION moot_refuse('number_is_not_nan');
CREATE OR REPLACE TRIGGER standing_00_numbers BEFORE INSERT OR UPDATE ON judging_standing FOR EACH ROW
  WHEN ('NaN' IN (NEW.stance, NEW.persuasion, NEW.resistance, NEW.penalty))
  EXECUTE FUNCTION moot_refuse('number_is_not_nan');

-- times and documents, of all three apps
-- PostgreSQL keeps times that no program reads: infinity, and years before the first or after the 9999th; and documents in
-- which lists lie so deep, or numbers are so long, that whoever reads them breaks off.
DO $$
DECLARE
  part record;
BEGIN
  FOR part IN
    SELECT c.oid::regclass AS relation, string_agg(
        format('%I BETWEEN ''0001-01-03 00:00+00'' AND ''9999-12-30 00:00+00''', a.attname), ' AND ' ORDER BY a.attname) AS times
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname ~ '^(debates|scoring|judging)_'
      AND a.atttypid = 'timestamptz'::regtype
    GROUP BY c.oid
  LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS time_can_be_read', part.relation);
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT time_can_be_read CHECK (%s)', part.relation, part.times);
  END LOOP;
  FOR part IN
    SELECT c.oid::regclass AS relation, string_agg(
        format('NOT jsonb_path_exists(%I, ''strict $.**{64}'')', a.attname) || ' AND ' ||
        format('NOT jsonb_path_exists(%I, ''strict $.** ? (@.abs() > 1e308)'')', a.attname), ' AND ' ORDER BY a.attname
      ) AS documents
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname ~ '^(debates|scoring|judging)_'
      AND a.atttypid = 'jsonb'::regtype
    GROUP BY c.oid
  LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS document_can_be_read', part.relation);
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT document_can_be_read CHECK (%s)', part.relation, part.documents);
  END LOOP;
END $$;

-- Every guard fires under session_replication_role = replica too.
DO $$
DECLARE
  guard record;
BEGIN
  FOR guard IN
    SELECT t.tgrelid::regclass AS relation, t.tgname FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
    WHERE p.pronamespace = 'public'::regnamespace AND p.proname ~ '^moot_' AND t.tgenabled <> 'A'
  LOOP
    EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER %I', guard.relation, guard.tgname);
  END LOOP;
END $$;
