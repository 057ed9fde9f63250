-- Guards of the ledger and of what moderators prepare, by table. The file can be run again: it makes every guard what it
-- says here, and removes none. moot_refuse, moot_only_blanks and moot_fixed are those of debates/sql/guards.sql.
--
-- Log first: an entry is inserted; `moot_entry_append` locks the evaluation, derives what the database can derive,
-- compares the rest with what the kind allows, and chains the hash; `moot_entry_project` carries the entry over to the
-- evaluation; `moot_evaluation_guard` accepts a change of an evaluation only when it equals the newest entry.
-- What f(initial, basis) gives is computed by the service and proved from the facts by `manage.py verify_ledger`.
-- Every function fixes its search_path with pg_temp last, so that no temporary table can stand in for a real one.

CREATE OR REPLACE FUNCTION moot_sorted(numbers bigint[]) RETURNS bigint[] LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT coalesce(array_agg(DISTINCT n ORDER BY n), '{}') FROM unnest(numbers) AS n
$$;

CREATE OR REPLACE FUNCTION moot_without(numbers bigint[], gone bigint[]) RETURNS bigint[] LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT coalesce(array_agg(n ORDER BY n), '{}') FROM unnest(numbers) AS n WHERE n <> ALL (gone)
$$;

-- What a person sees of a text: runs of blank or invisible characters count as one space, at the ends as nothing.
CREATE OR REPLACE FUNCTION moot_seen(words text) RETURNS text LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT btrim(regexp_replace(words,
    '[\s\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f'
    '\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+', ' ', 'g'))
$$;

CREATE OR REPLACE FUNCTION moot_micro(amount numeric) RETURNS text LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$ SELECT (amount * 1000000)::bigint::text $$;

CREATE OR REPLACE FUNCTION moot_digest(words text) RETURNS text LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$ SELECT encode(sha256(convert_to(words, 'UTF8')), 'hex') $$;

-- One line per fact that counts or is held, in integers, so that a changed fact breaks the chain.
CREATE OR REPLACE FUNCTION moot_facts_hash_v1(wanted bigint[]) RETURNS bytea LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT sha256(convert_to(coalesce(string_agg(array_to_string(ARRAY[
      f.id::text, f.kind, f.round_id::text, f.run_number::text, f.participant_id::text,
      (f.amount * 1000000)::bigint::text, (f.impact * 1000000)::bigint::text, (f.weight * 1000000)::bigint::text,
      (extract(epoch FROM f.at) * 1000000)::bigint::text, moot_digest(f.parts::text)], '|', '~'),
      E'\n' ORDER BY f.id), ''), 'UTF8'))
  FROM scoring_fact f WHERE f.id = ANY (wanted)
$$;

-- Whose score it is, how it weighs, and the parameters of f; the name is left out, because erasure may need it.
CREATE OR REPLACE FUNCTION moot_account_hash_v1(e scoring_evaluation, parameters text) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT moot_digest(array_to_string(ARRAY[
    e.public_id::text, e.debate_id::text, e.thread_id::text, e.participant_id::text, e.instrument, moot_digest(e.key),
    moot_digest(e.category), moot_micro(e.weight), e.position::text, moot_digest(parameters)], '|', '~'))
$$;

-- The hash of an entry: integers, words of our own and hex digests, joined by '|', with '~' where there is nothing.
CREATE OR REPLACE FUNCTION moot_entry_hash_v1(previous bytea, e scoring_scorechange, account text, reason_digest text) RETURNS bytea
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT sha256(previous || convert_to(array_to_string(ARRAY[
    'v1', e.evaluation_id::text, account, e.sequence::text, e.kind,
    moot_micro(e.initial_score), moot_micro(e.value_before), moot_micro(e.value_after),
    moot_micro(e.confidence_before), moot_micro(e.confidence_after),
    moot_micro(e.computed_before), moot_micro(e.computed_after),
    e.run_number::text, e.basis::text, e.held::text, moot_micro(e.override_after),
    e.frozen_before::int::text, e.frozen_after::int::text, e.counted_after::int::text, e.complete_after::int::text,
    e.rounds_after::text, e.round_id::text, e.facts::text, encode(e.facts_hash, 'hex'),
    moot_micro(e.raw_sum), moot_micro(e.cumulative_raw), moot_micro(e.capped_net), e.held_choice,
    e.target_sequence::text, e.actor_kind, e.actor_id::text,
    moot_digest(e.reason_code), reason_digest, (extract(epoch FROM e.at) * 1000000)::bigint::text,
    moot_digest(e.idempotency_key)], '|', '~'), 'UTF8'))
$$;

-- erasure
-- Words that are fixed otherwise may go in the transaction that writes an erasure, and only there. The app role may not
-- write one. Whether this transaction erases: its time is its own, no row of an earlier one, or of a backup, carries it.
CREATE OR REPLACE FUNCTION moot_erasing() RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT EXISTS (SELECT 1 FROM scoring_erasure x WHERE x.at = transaction_timestamp())
$$;
CREATE OR REPLACE TRIGGER erasure_10_now BEFORE INSERT ON scoring_erasure FOR EACH ROW WHEN (NEW.at <> transaction_timestamp())
  EXECUTE FUNCTION moot_refuse('erasure_is_of_this_moment');
CREATE OR REPLACE TRIGGER erasure_20_kept BEFORE UPDATE OR DELETE ON scoring_erasure FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('erasure_is_kept');
CREATE OR REPLACE TRIGGER erasure_30_truncate BEFORE TRUNCATE ON scoring_erasure FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('erasure_is_kept');

-- debate
-- Every entry hashes the parameters of f, so they are fixed from the first account on, even in a draft.
CREATE OR REPLACE FUNCTION moot_parameters_kept() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM scoring_evaluation e WHERE e.debate_id = NEW.id) THEN
    RAISE restrict_violation USING MESSAGE = 'scores have been opened with these parameters',
      CONSTRAINT = 'debate_parameters_are_fixed_once_scored';
  END IF;
  RETURN NEW;
END $$;
-- What a debate was asked and set up with are words, too.
CREATE OR REPLACE TRIGGER debate_12_words BEFORE UPDATE ON debates_debate FOR EACH ROW
  WHEN (OLD.status <> 'draft' AND (OLD.motion <> NEW.motion OR OLD.parameters <> NEW.parameters) AND NOT moot_erasing())
  EXECUTE FUNCTION moot_refuse('debate_parameters_are_fixed_once_started');
CREATE OR REPLACE TRIGGER debate_15_scored BEFORE UPDATE ON debates_debate FOR EACH ROW
  WHEN (OLD.parameters ->> 'score' IS DISTINCT FROM NEW.parameters ->> 'score') EXECUTE FUNCTION moot_parameters_kept();

-- evaluation
-- An account opens empty, whatever the client sent; its first entry fills it.
CREATE OR REPLACE FUNCTION moot_evaluation_open() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  NEW.computed_score := NULL; NEW.override_score := NULL; NEW.confidence := NULL; NEW.counted := false;
  NEW.basis := '{}'; NEW.held := '{}'; NEW.frozen_at := NULL; NEW.run_number := 1; NEW.debate_complete := false;
  NEW.debate_round_count := 0; NEW.version := 0; NEW.moderation_version := 0; NEW.last_score_update := NULL;
  NEW.head_hash := '';
  IF NOT EXISTS (SELECT 1 FROM debates_thread t WHERE t.id = NEW.thread_id AND t.debate_id = NEW.debate_id)
     OR NEW.participant_id IS NOT NULL AND NOT EXISTS (
       SELECT 1 FROM debates_participant p WHERE p.id = NEW.participant_id AND p.debate_id = NEW.debate_id) THEN
    RAISE check_violation USING MESSAGE = 'the thread and the participant of an evaluation are of its own debate',
      CONSTRAINT = 'evaluation_belongs_to_its_debate';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION moot_evaluation_opened() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM scoring_scorechange WHERE evaluation_id = NEW.id AND sequence = 1) THEN
    RAISE check_violation USING MESSAGE = format('evaluation %s has no opening entry', NEW.id),
      CONSTRAINT = 'evaluation_is_opened_with_its_first_value';
  END IF;
  RETURN NULL;
END $$;

-- No flag and no pg_trigger_depth(), which can be forged: the row may only become what the newest entry says.
CREATE OR REPLACE FUNCTION moot_evaluation_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NEW.version = OLD.version + 1
     AND (NEW.id, NEW.public_id, NEW.debate_id, NEW.thread_id, NEW.participant_id, NEW.instrument, NEW.key,
          NEW.name, NEW.category, NEW.weight, NEW.position, NEW.initial_score, NEW.initial_confidence, NEW.created_at)
       IS NOT DISTINCT FROM
         (OLD.id, OLD.public_id, OLD.debate_id, OLD.thread_id, OLD.participant_id, OLD.instrument, OLD.key,
          OLD.name, OLD.category, OLD.weight, OLD.position, OLD.initial_score, OLD.initial_confidence, OLD.created_at)
     AND EXISTS (
       SELECT 1 FROM scoring_scorechange s WHERE s.evaluation_id = NEW.id AND s.sequence = NEW.version
         AND (s.computed_after, s.override_after, s.confidence_after, s.counted_after, s.basis, s.held,
              s.run_number, s.complete_after, s.rounds_after, s.hash)
           IS NOT DISTINCT FROM
             (NEW.computed_score, NEW.override_score, NEW.confidence, NEW.counted, NEW.basis, NEW.held,
              NEW.run_number, NEW.debate_complete, NEW.debate_round_count, NEW.head_hash)
         AND NEW.frozen_at IS NOT DISTINCT FROM CASE WHEN s.frozen_after THEN coalesce(OLD.frozen_at, s.at) END
         AND NEW.moderation_version = CASE WHEN s.actor_kind = 'engine' THEN OLD.moderation_version ELSE s.sequence END
         AND NEW.last_score_update IS NOT DISTINCT FROM
             CASE WHEN s.delta <> 0 OR s.applied <> 0 OR s.kind IN ('round', 'fallback') THEN s.at ELSE OLD.last_score_update END)
  THEN
    RETURN NEW;
  END IF;
  RAISE restrict_violation USING MESSAGE = format('evaluation %s changes only through an entry of its ledger', OLD.id),
    CONSTRAINT = 'evaluation_moves_only_with_an_entry', HINT = 'Append an entry instead.';
END $$;

-- An account may carry a person's name. No hash covers it; everything else in the row stays with the ledger.
CREATE OR REPLACE FUNCTION moot_evaluation_renamed() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT moot_erasing()
     OR to_jsonb(NEW) - 'name' - 'final_score' IS DISTINCT FROM to_jsonb(OLD) - 'name' - 'final_score' THEN
    RAISE restrict_violation USING MESSAGE = format('evaluation %s loses its name by an erasure alone', OLD.id),
      CONSTRAINT = 'evaluation_moves_only_with_an_entry';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER evaluation_10_open BEFORE INSERT ON scoring_evaluation FOR EACH ROW EXECUTE FUNCTION moot_evaluation_open();
DROP TRIGGER IF EXISTS evaluation_15_opened ON scoring_evaluation;
CREATE CONSTRAINT TRIGGER evaluation_15_opened AFTER INSERT ON scoring_evaluation DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION moot_evaluation_opened();
CREATE OR REPLACE TRIGGER evaluation_20_guard BEFORE UPDATE ON scoring_evaluation FOR EACH ROW
  WHEN (NEW.name IS NOT DISTINCT FROM OLD.name) EXECUTE FUNCTION moot_evaluation_guard();
CREATE OR REPLACE TRIGGER evaluation_21_renamed BEFORE UPDATE ON scoring_evaluation FOR EACH ROW
  WHEN (NEW.name IS DISTINCT FROM OLD.name) EXECUTE FUNCTION moot_evaluation_renamed();
CREATE OR REPLACE TRIGGER evaluation_30_kept BEFORE DELETE ON scoring_evaluation FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('evaluation_with_history_is_kept');
CREATE OR REPLACE TRIGGER evaluation_40_truncate BEFORE TRUNCATE ON scoring_evaluation FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('evaluation_with_history_is_kept');

-- fact
CREATE OR REPLACE FUNCTION moot_fact_fits() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  fits boolean;
BEGIN
  -- Whoever counts the round holds this lock too, so that no fact can slip in behind the entry that counted it.
  PERFORM 1 FROM scoring_evaluation e WHERE e.id = NEW.evaluation_id FOR NO KEY UPDATE;
  IF EXISTS (SELECT 1 FROM scoring_scorechange s WHERE s.evaluation_id = NEW.evaluation_id AND s.round_id = NEW.round_id) THEN
    RAISE check_violation USING MESSAGE = format('round %s has been counted; no fact can be added to it', NEW.round_id),
      CONSTRAINT = 'fact_arrives_before_its_round_counts';
  END IF;
  SELECT r.thread_id = e.thread_id AND r.run_number = NEW.run_number
      AND NEW.kind = CASE e.instrument WHEN 'criterion' THEN 'verdict' WHEN 'adherence' THEN 'response'
                                       WHEN 'panel' THEN 'judge_score' ELSE 'standing' END
    INTO fits FROM debates_round r, scoring_evaluation e WHERE r.id = NEW.round_id AND e.id = NEW.evaluation_id;
  IF fits IS DISTINCT FROM true THEN
    RAISE check_violation USING
      MESSAGE = format('a %s of run %s does not belong to round %s of this evaluation', NEW.kind, NEW.run_number, NEW.round_id),
      CONSTRAINT = 'fact_belongs_to_its_round';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER fact_10_fits BEFORE INSERT ON scoring_fact FOR EACH ROW EXECUTE FUNCTION moot_fact_fits();
CREATE OR REPLACE TRIGGER fact_30_append_only BEFORE UPDATE OR DELETE ON scoring_fact FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('fact_is_append_only');
CREATE OR REPLACE TRIGGER fact_40_truncate BEFORE TRUNCATE ON scoring_fact FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('fact_is_append_only');

-- reason
CREATE OR REPLACE FUNCTION moot_reason_open() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF length(moot_seen(NEW.text)) < 10 THEN
    RAISE check_violation USING MESSAGE = 'a reason has at least 10 characters and is not blank',
      CONSTRAINT = 'reason_has_ten_characters';
  END IF;
  IF length(NEW.salt) < 16 THEN
    RAISE check_violation USING MESSAGE = 'a reason is salted', CONSTRAINT = 'reason_is_salted';
  END IF;
  NEW.digest := moot_digest(NEW.salt || NEW.text);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER reason_10_open BEFORE INSERT ON scoring_reason FOR EACH ROW EXECUTE FUNCTION moot_reason_open();
CREATE OR REPLACE TRIGGER reason_20_erasable BEFORE UPDATE ON scoring_reason FOR EACH ROW
  EXECUTE FUNCTION moot_only_blanks('reason_is_never_edited', 'text', 'salt');
CREATE OR REPLACE TRIGGER reason_30_kept BEFORE DELETE ON scoring_reason FOR EACH ROW EXECUTE FUNCTION moot_refuse('reason_is_never_edited');
CREATE OR REPLACE TRIGGER reason_40_truncate BEFORE TRUNCATE ON scoring_reason FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('reason_is_never_edited');

-- actor
CREATE OR REPLACE TRIGGER actor_10_named BEFORE INSERT ON scoring_actor FOR EACH ROW WHEN (moot_seen(NEW.name) = '')
  EXECUTE FUNCTION moot_refuse('actor_has_a_name');
CREATE OR REPLACE TRIGGER actor_20_erasable BEFORE UPDATE ON scoring_actor FOR EACH ROW
  EXECUTE FUNCTION moot_only_blanks('actor_is_never_edited', 'name', 'role');
CREATE OR REPLACE TRIGGER actor_30_kept BEFORE DELETE ON scoring_actor FOR EACH ROW EXECUTE FUNCTION moot_refuse('actor_is_never_edited');
CREATE OR REPLACE TRIGGER actor_40_truncate BEFORE TRUNCATE ON scoring_actor FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('actor_is_never_edited');

-- scorechange: the entries
-- The entry before insert: lock, derive, compare, chain.
CREATE OR REPLACE FUNCTION moot_entry_append() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  ev scoring_evaluation;
  target scoring_scorechange;
  own bigint[];           -- the facts that this entry brings or moves, as the database sees them
  run integer; basis bigint[]; held bigint[]; override numeric; counted boolean; complete boolean; rounds integer;
  parameters text;
  reason scoring_reason;
BEGIN
  SELECT * INTO ev FROM scoring_evaluation WHERE id = NEW.evaluation_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE foreign_key_violation USING MESSAGE = format('evaluation %s does not exist', NEW.evaluation_id),
      CONSTRAINT = 'entry_has_an_evaluation';
  END IF;
  IF NEW.sequence NOT IN (0, ev.version + 1) THEN
    RAISE serialization_failure USING
      MESSAGE = format('entry %s was sent, the ledger is at %s', NEW.sequence, ev.version), CONSTRAINT = 'entry_is_stale';
  END IF;
  IF (ev.version = 0) <> (NEW.kind = 'opened') THEN
    RAISE check_violation USING MESSAGE = 'an account is opened once, by its first entry',
      CONSTRAINT = 'entry_opens_the_account_first';
  END IF;
  IF ev.frozen_at IS NOT NULL AND NEW.kind NOT IN ('held', 'completed', 'unfreeze') THEN
    RAISE check_violation USING MESSAGE = format('evaluation %s is frozen', ev.id), CONSTRAINT = 'evaluation_is_frozen';
  END IF;
  IF ev.frozen_at IS NULL AND NEW.kind IN ('held', 'unfreeze') THEN
    RAISE check_violation USING MESSAGE = format('evaluation %s is not frozen', ev.id),
      CONSTRAINT = 'evaluation_is_not_frozen';
  END IF;

  NEW.sequence := ev.version + 1;
  NEW.at := greatest(clock_timestamp(), (SELECT d.created_at FROM debates_debate d WHERE d.id = ev.debate_id),
    (SELECT s.at FROM scoring_scorechange s WHERE s.evaluation_id = ev.id AND s.sequence = ev.version));
  NEW.initial_score := ev.initial_score;
  NEW.computed_before := ev.computed_score;
  NEW.confidence_before := coalesce(ev.confidence, ev.initial_confidence);
  NEW.value_before := coalesce(ev.final_score, ev.initial_score);
  NEW.frozen_before := ev.frozen_at IS NOT NULL;

  run := ev.run_number; basis := ev.basis; held := ev.held; override := ev.override_score;
  counted := ev.counted; complete := ev.debate_complete; rounds := ev.debate_round_count;
  own := '{}';

  IF NEW.round_id IS NOT NULL THEN
    SELECT coalesce(array_agg(f.id ORDER BY f.id), '{}') INTO own
      FROM scoring_fact f WHERE f.evaluation_id = ev.id AND f.round_id = NEW.round_id AND f.run_number = run;
    IF NEW.kind NOT IN ('opened', 'round', 'held')
       OR NOT EXISTS (SELECT 1 FROM debates_round r WHERE r.id = NEW.round_id AND r.thread_id = ev.thread_id AND r.run_number = run)
       OR own = '{}' THEN
      RAISE check_violation USING
        MESSAGE = format('round %s is not a round of this thread and run with facts of evaluation %s', NEW.round_id, ev.id),
        CONSTRAINT = 'entry_names_its_round';
    END IF;
  ELSIF NEW.kind IN ('round', 'held') THEN
    RAISE check_violation USING MESSAGE = format('a %s entry names its round', NEW.kind), CONSTRAINT = 'entry_names_its_round';
  END IF;

  IF NEW.kind IN ('strike', 'reinstate') THEN
    own := moot_sorted(NEW.facts);
    IF ev.instrument = 'standing' OR own = '{}'
       OR NEW.kind = 'strike' AND NOT own <@ basis
       OR NEW.kind = 'reinstate' AND (own && basis OR (SELECT count(*) FROM scoring_fact f
            WHERE f.id = ANY (own) AND f.evaluation_id = ev.id AND f.run_number = run) <> cardinality(own)) THEN
      RAISE check_violation USING MESSAGE = format('these facts cannot be %s', CASE NEW.kind WHEN 'strike' THEN 'struck' ELSE 'reinstated' END),
        CONSTRAINT = 'entry_facts_belong_to_the_evaluation';
    END IF;
  END IF;

  CASE NEW.kind
    WHEN 'opened' THEN
      -- A criterion is given its first score, a panel's review may be; the others start from what was judged.
      IF ev.instrument IN ('adherence', 'standing') AND own = '{}'
         OR own <> '{}' AND NEW.computed_after IS DISTINCT FROM ev.initial_score THEN
        RAISE check_violation USING MESSAGE = format('this is not how a %s account opens', ev.instrument),
          CONSTRAINT = 'evaluation_is_opened_with_its_first_value';
      END IF;
      basis := own; counted := ev.instrument <> 'criterion';
      rounds := CASE WHEN EXISTS (SELECT 1 FROM debates_round r WHERE r.id = NEW.round_id AND r.number > 0) THEN 1 ELSE 0 END;
    WHEN 'round' THEN
      basis := CASE WHEN ev.instrument IN ('criterion', 'adherence') THEN moot_sorted(basis || own) ELSE own END;
      counted := true; rounds := rounds + 1;
    WHEN 'held' THEN
      held := moot_sorted(held || own); rounds := rounds + 1;
    WHEN 'completed' THEN
      complete := true;
    WHEN 'fallback' THEN
      IF counted THEN
        RAISE check_violation USING MESSAGE = 'a fallback never replaces counted facts',
          CONSTRAINT = 'entry_falls_back_only_over_nothing';
      END IF;
      counted := true;
    WHEN 'override' THEN
      override := NEW.override_after;
      IF override IS NULL THEN
        RAISE check_violation USING MESSAGE = 'an override carries a value', CONSTRAINT = 'entry_of_override_has_a_value';
      END IF;
    WHEN 'override_lifted' THEN
      IF override IS NULL THEN
        RAISE check_violation USING MESSAGE = 'there is no override to lift', CONSTRAINT = 'entry_lifts_an_override';
      END IF;
      override := NULL;
    WHEN 'freeze' THEN
      NULL;
    WHEN 'unfreeze' THEN
      own := held;
      IF NEW.held_choice = 'apply' AND held <> '{}' THEN
        basis := CASE WHEN ev.instrument IN ('criterion', 'adherence') THEN moot_sorted(basis || held)
          ELSE (SELECT array_agg(f.id ORDER BY f.id) FROM scoring_fact f WHERE f.id = ANY (held)
                AND f.round_id = (SELECT r.id FROM debates_round r JOIN scoring_fact g ON g.round_id = r.id
                                  WHERE g.id = ANY (held) ORDER BY r.number DESC LIMIT 1)) END;
        counted := true;
      END IF;
      held := '{}';
    WHEN 'strike' THEN
      basis := moot_without(basis, own);
    WHEN 'reinstate' THEN
      basis := moot_sorted(basis || own); counted := true;
    WHEN 'rollback' THEN
      SELECT * INTO target FROM scoring_scorechange s
        WHERE s.evaluation_id = ev.id AND s.sequence = NEW.target_sequence AND s.sequence <= ev.version;
      IF NOT FOUND THEN
        RAISE check_violation USING MESSAGE = format('evaluation %s has no earlier entry %s', ev.id, NEW.target_sequence),
          CONSTRAINT = 'entry_of_rollback_names_its_target';
      END IF;
      run := target.run_number; basis := target.basis; held := '{}'; override := target.override_after;
      complete := target.complete_after; rounds := target.rounds_after;
      counted := EXISTS (SELECT 1 FROM scoring_scorechange s
        WHERE s.evaluation_id = ev.id AND s.run_number = target.run_number AND s.counted_after);
      IF counted = target.counted_after AND (NEW.computed_after, NEW.confidence_after)
         IS DISTINCT FROM (target.computed_after, target.confidence_after) THEN
        RAISE check_violation USING MESSAGE = 'a rollback brings back the computed score of its target',
          CONSTRAINT = 'entry_score_moves_only_with_its_basis';
      END IF;
    WHEN 'rerun' THEN
      run := NEW.run_number; basis := '{}'; override := NULL; counted := false; complete := false; rounds := 0;
      IF ev.instrument <> 'criterion' OR run <= (SELECT max(s.run_number) FROM scoring_scorechange s
            WHERE s.evaluation_id = ev.id) THEN
        RAISE check_violation USING MESSAGE = 'a rerun opens a new run of a criterion', CONSTRAINT = 'entry_of_rerun_opens_a_new_run';
      END IF;
    ELSE
      RAISE check_violation USING MESSAGE = format('no entry is of the kind %s', NEW.kind), CONSTRAINT = 'entry_kind_is_known';
  END CASE;

  -- The service sent the state it computed f for; it must be the state that the kind leads to.
  IF (NEW.facts, NEW.run_number, NEW.basis, NEW.held, NEW.override_after, NEW.counted_after, NEW.complete_after,
      NEW.rounds_after)
     IS DISTINCT FROM (own, run, basis, held, override, counted, complete, rounds) THEN
    RAISE check_violation USING
      MESSAGE = format('a %s entry leads to run %s, basis %s, held %s, override %s, counted %s, complete %s, rounds %s; '
        'sent were %s, %s, %s, %s, %s, %s, %s with facts %s', NEW.kind, run, basis, held, override, counted, complete, rounds,
        NEW.run_number, NEW.basis, NEW.held, NEW.override_after, NEW.counted_after, NEW.complete_after, NEW.rounds_after, NEW.facts),
      CONSTRAINT = 'entry_state_follows_its_kind';
  END IF;
  -- f is the service's, but where nothing that counts changed, nothing may move; and f of nothing is known.
  IF (run, basis, counted) IS NOT DISTINCT FROM (ev.run_number, ev.basis, ev.counted) AND NEW.kind <> 'opened'
     AND (NEW.computed_after, NEW.confidence_after) IS DISTINCT FROM (ev.computed_score, ev.confidence)
     OR NOT counted AND (NEW.computed_after IS NOT NULL OR NEW.confidence_after IS DISTINCT FROM ev.initial_confidence)
     OR counted AND basis = '{}' AND ev.instrument = 'criterion' AND (NEW.computed_after, NEW.confidence_after)
        IS DISTINCT FROM (ev.initial_score, ev.initial_confidence)
     OR counted AND basis = '{}' AND ev.instrument <> 'criterion' AND NEW.computed_after IS NOT NULL
     OR counted AND basis <> '{}' AND NEW.computed_after IS NULL
     OR ev.instrument = 'criterion' AND NEW.confidence_after IS NULL THEN
    RAISE check_violation USING MESSAGE = 'a computed score moves only with the facts that count',
      CONSTRAINT = 'entry_score_moves_only_with_its_basis';
  END IF;

  NEW.value_after := coalesce(override, NEW.computed_after, ev.initial_score);
  -- What an override rests on: the approval that grants it now, else the one that the override before it rested on; and
  -- what it is held to. The stricter threshold holds: that of the service, or the database's own.
  IF override IS NULL THEN
    NEW.covered_by_id := NULL; NEW.covered_value := NULL;
  ELSIF NEW.covered_by_id IS NOT NULL THEN
    SELECT a.value INTO NEW.covered_value FROM scoring_approval a
      WHERE a.id = NEW.covered_by_id AND a.evaluation_id = ev.id AND a.state = 'waiting' AND a.requested_by_id = NEW.actor_id
        AND a.value = override AND NEW.kind = 'override';
    IF NOT FOUND THEN
      RAISE check_violation USING MESSAGE = 'this is not the request that would approve the override',
        CONSTRAINT = 'override_beyond_the_threshold_is_approved_by_a_second_person';
    END IF;
  ELSIF ev.override_score IS NOT NULL THEN
    SELECT s.covered_by_id, s.covered_value INTO NEW.covered_by_id, NEW.covered_value
      FROM scoring_scorechange s WHERE s.evaluation_id = ev.id AND s.sequence = ev.version;
  ELSE
    NEW.covered_value := NULL;
  END IF;
  IF override IS NOT NULL AND NEW.kind IN ('override', 'strike', 'reinstate', 'rollback') THEN
    NEW.second_person_from := least(NEW.second_person_from, (SELECT t.points FROM scoring_threshold t ORDER BY t.id DESC LIMIT 1));
  ELSE
    NEW.second_person_from := NULL; NEW.computed_alone := NULL;
  END IF;
  NEW.facts_hash := moot_facts_hash_v1(basis || held);
  IF NEW.reason_id IS NOT NULL THEN
    SELECT * INTO reason FROM scoring_reason r WHERE r.id = NEW.reason_id;
    IF reason.text = '' OR reason.salt = '' THEN
      RAISE check_violation USING MESSAGE = 'an erased reason gives none', CONSTRAINT = 'reason_has_ten_characters';
    END IF;
  END IF;
  SELECT d.parameters ->> 'score' INTO parameters FROM debates_debate d WHERE d.id = ev.debate_id;
  NEW.previous_hash := ev.head_hash;
  NEW.hash := moot_entry_hash_v1(ev.head_hash, NEW, moot_account_hash_v1(ev, parameters), reason.digest);
  RETURN NEW;
END $$;

-- AFTER, not BEFORE: a BEFORE side effect would survive INSERT .. ON CONFLICT DO NOTHING.
-- SECURITY DEFINER: the app role may not update these columns itself.
CREATE OR REPLACE FUNCTION moot_entry_project() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE scoring_evaluation SET
    computed_score = NEW.computed_after, override_score = NEW.override_after, confidence = NEW.confidence_after,
    counted = NEW.counted_after, basis = NEW.basis, held = NEW.held,
    frozen_at = CASE WHEN NEW.frozen_after THEN coalesce(frozen_at, NEW.at) END,
    run_number = NEW.run_number, debate_complete = NEW.complete_after, debate_round_count = NEW.rounds_after,
    version = NEW.sequence,
    moderation_version = CASE WHEN NEW.actor_kind = 'engine' THEN moderation_version ELSE NEW.sequence END,
    last_score_update = CASE WHEN NEW.delta <> 0 OR NEW.applied <> 0 OR NEW.kind IN ('round', 'fallback')
                             THEN NEW.at ELSE last_score_update END,
    head_hash = NEW.hash
  WHERE id = NEW.evaluation_id;
  RETURN NULL;
END $$;

-- A panel's score is of one round of its judges: what was struck can be put back beside the others of its round, and never
-- beside those of another round. It comes after entry_10_append, which has seen to it that the basis is what the kind
-- leads to.
CREATE OR REPLACE FUNCTION moot_panel_of_one_round() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF (SELECT e.instrument FROM scoring_evaluation e WHERE e.id = NEW.evaluation_id) = 'panel'
     AND (SELECT count(DISTINCT f.round_id) FROM scoring_fact f WHERE f.id = ANY (NEW.basis)) > 1 THEN
    RAISE check_violation USING MESSAGE = format('evaluation %s would be the mean of several rounds', NEW.evaluation_id),
      CONSTRAINT = 'entry_counts_one_round_of_a_panel';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER entry_10_append BEFORE INSERT ON scoring_scorechange FOR EACH ROW EXECUTE FUNCTION moot_entry_append();
CREATE OR REPLACE TRIGGER entry_15_one_round BEFORE INSERT ON scoring_scorechange FOR EACH ROW WHEN (NEW.kind = 'reinstate')
  EXECUTE FUNCTION moot_panel_of_one_round();
CREATE OR REPLACE TRIGGER entry_20_project AFTER INSERT ON scoring_scorechange FOR EACH ROW EXECUTE FUNCTION moot_entry_project();
CREATE OR REPLACE TRIGGER entry_30_append_only BEFORE UPDATE OR DELETE ON scoring_scorechange FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('entry_is_append_only');
CREATE OR REPLACE TRIGGER entry_40_truncate BEFORE TRUNCATE ON scoring_scorechange FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('entry_is_append_only');

-- The chain restated without any procedure: it holds with every trigger switched off.
ALTER TABLE scoring_scorechange DROP CONSTRAINT IF EXISTS entry_follows_the_one_before;
ALTER TABLE scoring_scorechange ADD COLUMN IF NOT EXISTS previous_sequence integer
  GENERATED ALWAYS AS (CASE WHEN sequence > 1 THEN sequence - 1 END) STORED;
ALTER TABLE scoring_scorechange DROP CONSTRAINT IF EXISTS entry_can_be_followed;
ALTER TABLE scoring_scorechange ADD CONSTRAINT entry_can_be_followed UNIQUE (evaluation_id, sequence, value_after, frozen_after);
ALTER TABLE scoring_scorechange ADD CONSTRAINT entry_follows_the_one_before
  FOREIGN KEY (evaluation_id, previous_sequence, value_before, frozen_before)
  REFERENCES scoring_scorechange (evaluation_id, sequence, value_after, frozen_after);
ALTER TABLE scoring_scorechange DROP CONSTRAINT IF EXISTS entry_starts_from_the_initial_score;
ALTER TABLE scoring_scorechange ADD CONSTRAINT entry_starts_from_the_initial_score
  FOREIGN KEY (evaluation_id, initial_score) REFERENCES scoring_evaluation (id, initial_score);
ALTER TABLE scoring_scorechange DROP CONSTRAINT IF EXISTS entry_opens_at_the_initial_score;
ALTER TABLE scoring_scorechange ADD CONSTRAINT entry_opens_at_the_initial_score
  CHECK (sequence > 1 OR value_before = initial_score AND NOT frozen_before);

-- What people decide is never booked as the engine's: it would leave moderation_version, and so a stale look, unnoticed.
ALTER TABLE scoring_scorechange DROP CONSTRAINT IF EXISTS entry_of_a_moderator_is_not_the_engines;
ALTER TABLE scoring_scorechange ADD CONSTRAINT entry_of_a_moderator_is_not_the_engines
  CHECK (actor_kind <> 'engine' OR kind IN ('opened', 'round', 'held', 'completed', 'fallback'));

-- How far one person alone brings a score. What f would give without what they decided is the service's, and proved by
-- `manage.py verify_ledger`; that nobody goes further than the threshold holds with every trigger switched off.
ALTER TABLE scoring_scorechange DROP CONSTRAINT IF EXISTS override_beyond_the_threshold_is_approved_by_a_second_person;
ALTER TABLE scoring_scorechange ADD CONSTRAINT override_beyond_the_threshold_is_approved_by_a_second_person
  CHECK (override_after IS NULL OR second_person_from IS NULL OR kind NOT IN ('override', 'strike', 'reinstate', 'rollback')
    OR kind = 'override' AND covered_value IS NOT NULL AND override_after = covered_value
    OR abs(override_after - value_before) < second_person_from
       AND CASE WHEN covered_value IS NOT NULL THEN abs(override_after - covered_value) < second_person_from
         ELSE abs(override_after - coalesce(computed_after, initial_score)) < second_person_from
              AND computed_alone IS NOT NULL AND abs(override_after - computed_alone) < second_person_from END);

-- The request that grants an override is approved after its entry was written: asked at the end of the transaction.
CREATE OR REPLACE FUNCTION moot_entry_covered() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM scoring_approval a JOIN scoring_scorechange s ON s.id = a.entry_id
                 WHERE a.id = NEW.covered_by_id AND a.state = 'approved' AND a.value = NEW.covered_value
                   AND s.evaluation_id = NEW.evaluation_id AND s.sequence <= NEW.sequence) THEN
    RAISE check_violation USING MESSAGE = format('nobody approved what entry %s rests on', NEW.sequence),
      CONSTRAINT = 'override_beyond_the_threshold_is_approved_by_a_second_person';
  END IF;
  RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS entry_25_covered ON scoring_scorechange;
CREATE CONSTRAINT TRIGGER entry_25_covered AFTER INSERT ON scoring_scorechange DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.covered_by_id IS NOT NULL) EXECUTE FUNCTION moot_entry_covered();

-- alert
-- Why a judge failed may quote people. Those words of an alert's evidence may go by an erasure, and nothing else of it.
CREATE OR REPLACE TRIGGER alert_10_fixed BEFORE UPDATE ON scoring_alert FOR EACH ROW
  EXECUTE FUNCTION moot_fixed('alert_keeps_its_evidence', 'debate_id', 'evaluation_id', 'code', 'severity', 'facts_digest',
    'at', 'public_id');
CREATE OR REPLACE TRIGGER alert_11_words BEFORE UPDATE ON scoring_alert FOR EACH ROW
  WHEN (NEW.evidence <> OLD.evidence AND NOT (moot_erasing() AND NEW.evidence = OLD.evidence - 'why'))
  EXECUTE FUNCTION moot_refuse('alert_keeps_its_evidence');
-- What came again while an alert was open is added to it, and never taken away.
CREATE OR REPLACE FUNCTION moot_alert_again() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF OLD.state <> 'open' OR jsonb_array_length(NEW.again) <> jsonb_array_length(OLD.again) + 1
     OR NEW.again - (-1) IS DISTINCT FROM OLD.again THEN
    RAISE check_violation USING MESSAGE = 'an open alert counts what comes again, one at a time',
      CONSTRAINT = 'alert_counts_what_comes_again';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER alert_12_again BEFORE UPDATE ON scoring_alert FOR EACH ROW
  WHEN (NEW.again IS DISTINCT FROM OLD.again) EXECUTE FUNCTION moot_alert_again();
CREATE OR REPLACE TRIGGER alert_30_kept BEFORE DELETE ON scoring_alert FOR EACH ROW EXECUTE FUNCTION moot_refuse('alert_is_kept');
CREATE OR REPLACE TRIGGER alert_40_truncate BEFORE TRUNCATE ON scoring_alert FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('alert_is_kept');

-- approval
-- Actors carry the role of the moment, so one person may be several actors: persons are compared, not actors.
CREATE OR REPLACE FUNCTION moot_approval_decided() RETURNS trigger LANGUAGE plpgsql
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

CREATE OR REPLACE TRIGGER approval_05_waits BEFORE INSERT ON scoring_approval FOR EACH ROW WHEN (NEW.state <> 'waiting')
  EXECUTE FUNCTION moot_refuse('approval_begins_by_waiting');
CREATE OR REPLACE TRIGGER approval_10_fixed BEFORE UPDATE ON scoring_approval FOR EACH ROW
  EXECUTE FUNCTION moot_fixed('approval_keeps_what_was_asked', 'public_id', 'evaluation_id', 'value', 'value_seen', 'seen',
    'door', 'reason_code', 'idempotency_key', 'requested_by_id', 'because_id', 'requested_at');
CREATE OR REPLACE TRIGGER approval_11_once BEFORE UPDATE ON scoring_approval FOR EACH ROW WHEN (OLD.state <> 'waiting')
  EXECUTE FUNCTION moot_refuse('approval_is_decided_once');
CREATE OR REPLACE TRIGGER approval_20_decided BEFORE UPDATE ON scoring_approval FOR EACH ROW WHEN (NEW.state <> 'waiting')
  EXECUTE FUNCTION moot_approval_decided();
CREATE OR REPLACE TRIGGER approval_30_kept BEFORE DELETE ON scoring_approval FOR EACH ROW EXECUTE FUNCTION moot_refuse('approval_is_kept');
CREATE OR REPLACE TRIGGER approval_40_truncate BEFORE TRUNCATE ON scoring_approval FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('approval_is_kept');

-- rescoreset
-- It shows the names of accounts as they were.
ALTER TABLE scoring_rescoreset DROP CONSTRAINT IF EXISTS rescore_has_1_to_500_lines;
ALTER TABLE scoring_rescoreset ADD CONSTRAINT rescore_has_1_to_500_lines
  CHECK (CASE WHEN jsonb_typeof(lines) = 'array' THEN jsonb_array_length(lines) BETWEEN 1 AND 500 ELSE false END);
ALTER TABLE scoring_rescoreset DROP CONSTRAINT IF EXISTS rescore_applies_to_some;
ALTER TABLE scoring_rescoreset ADD CONSTRAINT rescore_applies_to_some
  CHECK (left_out = '{}' OR jsonb_typeof(lines) = 'array' AND cardinality(left_out) < jsonb_array_length(lines));
CREATE OR REPLACE TRIGGER rescore_05_staged BEFORE INSERT ON scoring_rescoreset FOR EACH ROW WHEN (NEW.state <> 'staged')
  EXECUTE FUNCTION moot_refuse('rescore_begins_staged');
CREATE OR REPLACE TRIGGER rescore_10_fixed BEFORE UPDATE ON scoring_rescoreset FOR EACH ROW
  WHEN (NOT moot_erasing())
  EXECUTE FUNCTION moot_fixed('rescore_keeps_what_was_previewed', 'public_id', 'action', 'choice', 'lines', 'staged_by_id',
    'because_id', 'staged_at');
CREATE OR REPLACE TRIGGER rescore_11_once BEFORE UPDATE ON scoring_rescoreset FOR EACH ROW
  WHEN (OLD.state <> 'staged' AND NOT moot_erasing())
  EXECUTE FUNCTION moot_refuse('rescore_is_decided_once');
CREATE OR REPLACE TRIGGER rescore_30_kept BEFORE DELETE ON scoring_rescoreset FOR EACH ROW EXECUTE FUNCTION moot_refuse('rescore_is_kept');
CREATE OR REPLACE TRIGGER rescore_40_truncate BEFORE TRUNCATE ON scoring_rescoreset FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('rescore_is_kept');

-- threshold
CREATE OR REPLACE TRIGGER threshold_10_kept BEFORE UPDATE OR DELETE ON scoring_threshold FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('threshold_is_kept');
CREATE OR REPLACE TRIGGER threshold_20_truncate BEFORE TRUNCATE ON scoring_threshold FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('threshold_is_kept');

-- rubric
-- A version is written once, with its criteria, and stays: debates were made with it.
CREATE OR REPLACE FUNCTION moot_rubric_next() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NEW.version <> 1 + coalesce((SELECT max(r.version) FROM scoring_rubric r WHERE r.slug = NEW.slug), 0) THEN
    RAISE check_violation USING MESSAGE = 'the next version of a rubric follows its newest one',
      CONSTRAINT = 'rubric_versions_have_no_gap';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER rubric_10_next BEFORE INSERT ON scoring_rubric FOR EACH ROW EXECUTE FUNCTION moot_rubric_next();
CREATE OR REPLACE TRIGGER rubric_30_kept BEFORE UPDATE OR DELETE ON scoring_rubric FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('rubric_version_is_kept');
CREATE OR REPLACE TRIGGER rubric_40_truncate BEFORE TRUNCATE ON scoring_rubric FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('rubric_version_is_kept');

-- criterion
-- All places of a version are taken when it is written, so that nothing can be added to it later.
CREATE OR REPLACE FUNCTION moot_criterion_placed() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NEW.position NOT BETWEEN 1 AND (SELECT r.criteria_count FROM scoring_rubric r WHERE r.id = NEW.rubric_id) THEN
    RAISE check_violation USING MESSAGE = 'this version of the rubric has no place for another criterion',
      CONSTRAINT = 'criterion_has_a_place_in_its_version';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER criterion_10_placed BEFORE INSERT ON scoring_criterion FOR EACH ROW
  EXECUTE FUNCTION moot_criterion_placed();
CREATE OR REPLACE TRIGGER criterion_30_kept BEFORE UPDATE OR DELETE ON scoring_criterion FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('criterion_is_kept');
CREATE OR REPLACE TRIGGER criterion_40_truncate BEFORE TRUNCATE ON scoring_criterion FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('criterion_is_kept');

-- What accounts rest on is sealed; which columns are left out, and why, says scoring/seal_proof.py.
CREATE OR REPLACE TRIGGER evaluation_90_sealed AFTER INSERT OR UPDATE OR DELETE ON scoring_evaluation FOR EACH ROW
  EXECUTE FUNCTION moot_seal('debate', 'id', 'basis', 'computed_score', 'confidence', 'counted', 'debate_complete', 'debate_round_count',
    'final_score', 'frozen_at', 'head_hash', 'held', 'last_score_update', 'moderation_version', 'override_score',
    'run_number', 'version');
CREATE OR REPLACE TRIGGER fact_90_sealed AFTER INSERT OR UPDATE OR DELETE ON scoring_fact FOR EACH ROW
  EXECUTE FUNCTION moot_seal('evaluation', 'id');
CREATE OR REPLACE TRIGGER scorechange_90_sealed AFTER INSERT OR UPDATE OR DELETE ON scoring_scorechange FOR EACH ROW
  EXECUTE FUNCTION moot_seal('evaluation', 'id');
CREATE OR REPLACE TRIGGER actor_90_sealed AFTER INSERT OR UPDATE OR DELETE ON scoring_actor FOR EACH ROW
  EXECUTE FUNCTION moot_seal('site', 'id');
CREATE OR REPLACE TRIGGER reason_90_sealed AFTER INSERT OR UPDATE OR DELETE ON scoring_reason FOR EACH ROW
  EXECUTE FUNCTION moot_seal('site', 'id');
CREATE OR REPLACE TRIGGER alert_90_sealed AFTER INSERT OR UPDATE OR DELETE ON scoring_alert FOR EACH ROW
  EXECUTE FUNCTION moot_seal('debate', 'id');
CREATE OR REPLACE TRIGGER approval_90_sealed AFTER INSERT OR UPDATE OR DELETE ON scoring_approval FOR EACH ROW
  EXECUTE FUNCTION moot_seal('evaluation', 'id');
CREATE OR REPLACE TRIGGER threshold_90_sealed AFTER INSERT OR UPDATE OR DELETE ON scoring_threshold FOR EACH ROW
  EXECUTE FUNCTION moot_seal('site', 'id');
CREATE OR REPLACE TRIGGER rescoreset_90_sealed AFTER INSERT OR UPDATE OR DELETE ON scoring_rescoreset FOR EACH ROW
  EXECUTE FUNCTION moot_seal('site', 'id');
CREATE OR REPLACE TRIGGER erasure_90_sealed AFTER INSERT OR UPDATE OR DELETE ON scoring_erasure FOR EACH ROW
  EXECUTE FUNCTION moot_seal('site', 'id');

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
