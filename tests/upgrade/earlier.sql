--
-- PostgreSQL database dump
--


-- Dumped from database version 18.4
-- Dumped by pg_dump version 18.4

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET transaction_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: procrastinate_job_event_type; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.procrastinate_job_event_type AS ENUM (
    'deferred',
    'started',
    'deferred_for_retry',
    'failed',
    'succeeded',
    'cancelled',
    'abort_requested',
    'aborted',
    'scheduled',
    'retried'
);


--
-- Name: procrastinate_job_status; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.procrastinate_job_status AS ENUM (
    'todo',
    'doing',
    'succeeded',
    'failed',
    'cancelled',
    'aborting',
    'aborted'
);


--
-- Name: procrastinate_job_to_defer_v1; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.procrastinate_job_to_defer_v1 AS (
	queue_name character varying,
	task_name character varying,
	priority integer,
	lock text,
	queueing_lock text,
	args jsonb,
	scheduled_at timestamp with time zone
);


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: scoring_evaluation; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.scoring_evaluation (
    id bigint NOT NULL,
    public_id uuid NOT NULL,
    instrument character varying(20) NOT NULL,
    key character varying(40) NOT NULL,
    name character varying(120) NOT NULL,
    category character varying(60) NOT NULL,
    weight numeric(10,6) NOT NULL,
    "position" smallint NOT NULL,
    initial_score numeric(10,6) NOT NULL,
    initial_confidence numeric(10,6),
    computed_score numeric(10,6),
    override_score numeric(10,6),
    final_score numeric(10,6) GENERATED ALWAYS AS (COALESCE(override_score, computed_score)) STORED,
    confidence numeric(10,6),
    counted boolean DEFAULT false NOT NULL,
    basis bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    held bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    frozen_at timestamp with time zone,
    run_number integer DEFAULT 1 NOT NULL,
    debate_complete boolean DEFAULT false NOT NULL,
    debate_round_count integer DEFAULT 0 NOT NULL,
    version integer DEFAULT 0 NOT NULL,
    moderation_version integer DEFAULT 0 NOT NULL,
    last_score_update timestamp with time zone,
    head_hash bytea DEFAULT '\x'::bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    debate_id bigint NOT NULL,
    participant_id bigint,
    thread_id bigint NOT NULL,
    CONSTRAINT evaluation_computed_inside_instrument CHECK (((computed_score IS NULL) OR (((computed_score >= (1)::numeric) AND (computed_score <= (10)::numeric)) AND ((instrument)::text = 'criterion'::text)) OR (((computed_score >= (0)::numeric) AND (computed_score <= (100)::numeric)) AND ((instrument)::text = 'adherence'::text)) OR (((computed_score >= (1)::numeric) AND (computed_score <= (5)::numeric)) AND ((instrument)::text = 'panel'::text)) OR (((computed_score >= ('-50'::integer)::numeric) AND (computed_score <= (1000)::numeric)) AND ((instrument)::text = 'standing'::text)))),
    CONSTRAINT evaluation_computed_only_when_counted CHECK ((((computed_score IS NULL) AND (NOT counted)) OR ((computed_score IS NOT NULL) AND counted AND ((instrument)::text = 'criterion'::text)) OR (counted AND (NOT ((instrument)::text = 'criterion'::text))))),
    CONSTRAINT evaluation_confidence_inside_limits CHECK ((((confidence IS NULL) OR ((confidence >= (0)::numeric) AND (confidence <= (1)::numeric))) AND ((initial_confidence IS NULL) OR ((initial_confidence >= (0)::numeric) AND (initial_confidence <= (1)::numeric))))),
    CONSTRAINT evaluation_confidence_only_for_criterion CHECK ((((initial_confidence IS NOT NULL) AND ((instrument)::text = 'criterion'::text)) OR ((NOT ((instrument)::text = 'criterion'::text)) AND (confidence IS NULL) AND (initial_confidence IS NULL)))),
    CONSTRAINT evaluation_initial_inside_instrument CHECK (((initial_score IS NULL) OR (((initial_score >= (1)::numeric) AND (initial_score <= (10)::numeric)) AND ((instrument)::text = 'criterion'::text)) OR (((initial_score >= (0)::numeric) AND (initial_score <= (100)::numeric)) AND ((instrument)::text = 'adherence'::text)) OR (((initial_score >= (1)::numeric) AND (initial_score <= (5)::numeric)) AND ((instrument)::text = 'panel'::text)) OR (((initial_score >= ('-50'::integer)::numeric) AND (initial_score <= (1000)::numeric)) AND ((instrument)::text = 'standing'::text)))),
    CONSTRAINT evaluation_instrument_is_known CHECK (((instrument)::text = ANY ((ARRAY['criterion'::character varying, 'adherence'::character varying, 'panel'::character varying, 'standing'::character varying])::text[]))),
    CONSTRAINT evaluation_override_inside_instrument CHECK (((override_score IS NULL) OR (((instrument)::text = 'criterion'::text) AND ((override_score >= (1)::numeric) AND (override_score <= (10)::numeric))) OR (((instrument)::text = 'adherence'::text) AND ((override_score >= (0)::numeric) AND (override_score <= (100)::numeric))) OR (((instrument)::text = 'panel'::text) AND ((override_score >= (1)::numeric) AND (override_score <= (5)::numeric))) OR (((instrument)::text = 'standing'::text) AND ((override_score >= ('-50'::integer)::numeric) AND (override_score <= (1000)::numeric))))),
    CONSTRAINT scoring_evaluation_debate_round_count_check CHECK ((debate_round_count >= 0)),
    CONSTRAINT scoring_evaluation_moderation_version_check CHECK ((moderation_version >= 0)),
    CONSTRAINT scoring_evaluation_position_check CHECK (("position" >= 0)),
    CONSTRAINT scoring_evaluation_run_number_check CHECK ((run_number >= 0)),
    CONSTRAINT scoring_evaluation_version_check CHECK ((version >= 0))
);


--
-- Name: moot_account_hash_v1(public.scoring_evaluation, text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.moot_account_hash_v1(e public.scoring_evaluation, parameters text) RETURNS text
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
  SELECT moot_digest(array_to_string(ARRAY[
    e.public_id::text, e.debate_id::text, e.thread_id::text, e.participant_id::text, e.instrument, moot_digest(e.key),
    moot_digest(e.category), moot_micro(e.weight), e.position::text, moot_digest(parameters)], '|', '~'))
$$;


--
-- Name: moot_approval_decided(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.moot_approval_decided() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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


--
-- Name: moot_digest(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.moot_digest(words text) RETURNS text
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$ SELECT encode(sha256(convert_to(words, 'UTF8')), 'hex') $$;


--
-- Name: moot_entry_append(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.moot_entry_append() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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
  NEW.at := clock_timestamp();
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


--
-- Name: scoring_scorechange; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.scoring_scorechange (
    id bigint NOT NULL,
    sequence integer DEFAULT 0 NOT NULL,
    kind character varying(20) NOT NULL,
    initial_score numeric(10,6) DEFAULT 0 NOT NULL,
    value_before numeric(10,6) DEFAULT 0 NOT NULL,
    value_after numeric(10,6) DEFAULT 0 NOT NULL,
    delta numeric(10,6) GENERATED ALWAYS AS ((value_after - value_before)) STORED,
    confidence_before numeric(10,6),
    confidence_after numeric(10,6),
    computed_before numeric(10,6),
    computed_after numeric(10,6),
    applied numeric(10,6) GENERATED ALWAYS AS ((COALESCE(computed_after, initial_score) - COALESCE(computed_before, initial_score))) STORED,
    run_number integer NOT NULL,
    basis bigint[] NOT NULL,
    held bigint[] NOT NULL,
    override_after numeric(10,6),
    frozen_before boolean DEFAULT false NOT NULL,
    frozen_after boolean NOT NULL,
    counted_after boolean NOT NULL,
    complete_after boolean NOT NULL,
    rounds_after integer NOT NULL,
    facts bigint[] NOT NULL,
    facts_hash bytea DEFAULT '\x'::bytea NOT NULL,
    raw_sum numeric(10,6),
    cumulative_raw numeric(10,6),
    capped_net numeric(10,6),
    held_choice character varying(10) NOT NULL,
    target_sequence integer,
    actor_kind character varying(20) NOT NULL,
    reason_code character varying(60) NOT NULL,
    at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    idempotency_key character varying(200) NOT NULL,
    previous_hash bytea DEFAULT '\x'::bytea NOT NULL,
    hash bytea DEFAULT '\x'::bytea NOT NULL,
    actor_id bigint,
    evaluation_id bigint NOT NULL,
    reason_id bigint,
    round_id bigint,
    previous_sequence integer GENERATED ALWAYS AS (
CASE
    WHEN (sequence > 1) THEN (sequence - 1)
    ELSE NULL::integer
END) STORED,
    CONSTRAINT entry_actor_kind_is_known CHECK (((actor_kind)::text = ANY ((ARRAY['engine'::character varying, 'moderator'::character varying, 'api'::character varying, 'system'::character varying])::text[]))),
    CONSTRAINT entry_fallback_says_why CHECK (((NOT ((kind)::text = 'fallback'::text)) OR (NOT ((reason_code)::text = ''::text)))),
    CONSTRAINT entry_frozen_only_by_freeze CHECK (((frozen_after AND (NOT frozen_before) AND ((kind)::text = 'freeze'::text)) OR ((NOT frozen_after) AND frozen_before AND ((kind)::text = 'unfreeze'::text)) OR (frozen_after AND frozen_before AND ((kind)::text = 'held'::text)) OR ((frozen_after = frozen_before) AND ((kind)::text = 'completed'::text)) OR ((NOT frozen_after) AND (NOT frozen_before) AND (NOT ((kind)::text = ANY ((ARRAY['freeze'::character varying, 'unfreeze'::character varying, 'held'::character varying, 'completed'::character varying])::text[])))))),
    CONSTRAINT entry_kind_is_known CHECK (((kind)::text = ANY ((ARRAY['opened'::character varying, 'round'::character varying, 'held'::character varying, 'completed'::character varying, 'fallback'::character varying, 'override'::character varying, 'override_lifted'::character varying, 'freeze'::character varying, 'unfreeze'::character varying, 'strike'::character varying, 'reinstate'::character varying, 'rollback'::character varying, 'rerun'::character varying])::text[]))),
    CONSTRAINT entry_moves_nothing_while_frozen CHECK (((NOT frozen_after) OR ((applied = (0)::numeric) AND (value_after = value_before) AND ((confidence_after IS NULL) OR (confidence_after = confidence_before))))),
    CONSTRAINT entry_names_its_round CHECK ((((
CASE
    WHEN (facts IS NULL) THEN NULL::integer
    ELSE COALESCE(array_length(facts, 1), 0)
END > 0) AND ((kind)::text = ANY ((ARRAY['round'::character varying, 'held'::character varying])::text[])) AND (round_id IS NOT NULL)) OR (NOT ((kind)::text = ANY ((ARRAY['round'::character varying, 'held'::character varying])::text[]))))),
    CONSTRAINT entry_of_a_moderator_has_actor_and_reason CHECK (((NOT ((kind)::text = ANY ((ARRAY['override'::character varying, 'override_lifted'::character varying, 'freeze'::character varying, 'unfreeze'::character varying, 'strike'::character varying, 'reinstate'::character varying, 'rollback'::character varying, 'rerun'::character varying])::text[]))) OR ((actor_id IS NOT NULL) AND (reason_id IS NOT NULL)))),
    CONSTRAINT entry_of_a_moderator_is_not_the_engines CHECK ((((actor_kind)::text <> 'engine'::text) OR ((kind)::text = ANY ((ARRAY['opened'::character varying, 'round'::character varying, 'held'::character varying, 'completed'::character varying, 'fallback'::character varying])::text[])))),
    CONSTRAINT entry_of_rollback_names_its_target CHECK (((((kind)::text = 'rollback'::text) AND (target_sequence IS NOT NULL) AND (target_sequence < sequence)) OR (((kind)::text = 'rollback'::text) AND (sequence = 0) AND (target_sequence IS NOT NULL)) OR ((NOT ((kind)::text = 'rollback'::text)) AND (target_sequence IS NULL)))),
    CONSTRAINT entry_of_unfreeze_chooses CHECK (((((held_choice)::text = ANY ((ARRAY['apply'::character varying, 'discard'::character varying])::text[])) AND ((kind)::text = 'unfreeze'::text)) OR ((NOT ((kind)::text = 'unfreeze'::text)) AND ((held_choice)::text = ''::text)))),
    CONSTRAINT entry_opens_at_the_initial_score CHECK (((sequence > 1) OR ((value_before = initial_score) AND (NOT frozen_before)))),
    CONSTRAINT entry_opens_the_account_first CHECK (((((kind)::text = 'opened'::text) AND (sequence = 1)) OR ((sequence > 1) AND (NOT ((kind)::text = 'opened'::text))))),
    CONSTRAINT entry_value_is_override_else_computed_else_initial CHECK ((value_after = COALESCE(override_after, computed_after, initial_score))),
    CONSTRAINT scoring_scorechange_rounds_after_check CHECK ((rounds_after >= 0)),
    CONSTRAINT scoring_scorechange_run_number_check CHECK ((run_number >= 0)),
    CONSTRAINT scoring_scorechange_sequence_check CHECK ((sequence >= 0)),
    CONSTRAINT scoring_scorechange_target_sequence_check CHECK ((target_sequence >= 0))
);


--
-- Name: moot_entry_hash_v1(bytea, public.scoring_scorechange, text, text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.moot_entry_hash_v1(previous bytea, e public.scoring_scorechange, account text, reason_digest text) RETURNS bytea
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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


--
-- Name: moot_entry_project(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.moot_entry_project() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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


--
-- Name: moot_evaluation_guard(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.moot_evaluation_guard() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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


--
-- Name: moot_evaluation_open(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.moot_evaluation_open() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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


--
-- Name: moot_evaluation_opened(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.moot_evaluation_opened() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM scoring_scorechange WHERE evaluation_id = NEW.id AND sequence = 1) THEN
    RAISE check_violation USING MESSAGE = format('evaluation %s has no opening entry', NEW.id),
      CONSTRAINT = 'evaluation_is_opened_with_its_first_value';
  END IF;
  RETURN NULL;
END $$;


--
-- Name: moot_fact_fits(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.moot_fact_fits() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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


--
-- Name: moot_facts_hash_v1(bigint[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.moot_facts_hash_v1(wanted bigint[]) RETURNS bytea
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
  SELECT sha256(convert_to(coalesce(string_agg(array_to_string(ARRAY[
      f.id::text, f.kind, f.round_id::text, f.run_number::text, f.participant_id::text,
      (f.amount * 1000000)::bigint::text, (f.impact * 1000000)::bigint::text, (f.weight * 1000000)::bigint::text,
      (extract(epoch FROM f.at) * 1000000)::bigint::text, moot_digest(f.parts::text)], '|', '~'),
      E'\n' ORDER BY f.id), ''), 'UTF8'))
  FROM scoring_fact f WHERE f.id = ANY (wanted)
$$;


--
-- Name: moot_fixed(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.moot_fixed() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
  fixed text[] := TG_ARGV[1:];
  fresh jsonb := to_jsonb(NEW);
  old_row jsonb := to_jsonb(OLD);
  col text;
BEGIN
  FOREACH col IN ARRAY fixed LOOP
    IF fresh -> col IS DISTINCT FROM old_row -> col THEN
      RAISE restrict_violation USING
        MESSAGE = format('%s.%s is fixed: %s', TG_TABLE_NAME, col, replace(TG_ARGV[0], '_', ' ')), CONSTRAINT = TG_ARGV[0];
    END IF;
  END LOOP;
  RETURN NEW;
END $$;


--
-- Name: moot_micro(numeric); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.moot_micro(amount numeric) RETURNS text
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$ SELECT (amount * 1000000)::bigint::text $$;


--
-- Name: moot_only_blanks(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.moot_only_blanks() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
DECLARE
  erasable text[] := TG_ARGV[1:];
  fresh jsonb := to_jsonb(NEW);
  old_row jsonb := to_jsonb(OLD);
  col text;
BEGIN
  FOREACH col IN ARRAY erasable LOOP
    IF fresh ->> col IS DISTINCT FROM old_row ->> col AND fresh ->> col <> '' THEN
      RAISE restrict_violation USING
        MESSAGE = format('%s.%s may only be emptied', TG_TABLE_NAME, col), CONSTRAINT = TG_ARGV[0];
    END IF;
  END LOOP;
  IF fresh - erasable IS DISTINCT FROM old_row - erasable THEN
    RAISE restrict_violation USING
      MESSAGE = format('%s is never edited: %s', TG_TABLE_NAME, replace(TG_ARGV[0], '_', ' ')), CONSTRAINT = TG_ARGV[0];
  END IF;
  RETURN NEW;
END $$;


--
-- Name: moot_parameters_kept(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.moot_parameters_kept() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM scoring_evaluation e WHERE e.debate_id = NEW.id) THEN
    RAISE restrict_violation USING MESSAGE = 'scores have been opened with these parameters',
      CONSTRAINT = 'debate_parameters_are_fixed_once_scored';
  END IF;
  RETURN NEW;
END $$;


--
-- Name: moot_reason_open(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.moot_reason_open() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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


--
-- Name: moot_refuse(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.moot_refuse() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
  RAISE restrict_violation USING
    MESSAGE = format('%s of %s is refused: %s', lower(TG_OP), TG_TABLE_NAME, replace(TG_ARGV[0], '_', ' ')),
    CONSTRAINT = TG_ARGV[0];
END $$;


--
-- Name: moot_seen(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.moot_seen(words text) RETURNS text
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
  SELECT btrim(regexp_replace(words,
    '[\s\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f'
    '\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+', ' ', 'g'))
$$;


--
-- Name: moot_sorted(bigint[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.moot_sorted(numbers bigint[]) RETURNS bigint[]
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
  SELECT coalesce(array_agg(DISTINCT n ORDER BY n), '{}') FROM unnest(numbers) AS n
$$;


--
-- Name: moot_without(bigint[], bigint[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.moot_without(numbers bigint[], gone bigint[]) RETURNS bigint[]
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
  SELECT coalesce(array_agg(n ORDER BY n), '{}') FROM unnest(numbers) AS n WHERE n <> ALL (gone)
$$;


--
-- Name: procrastinate_cancel_job_v1(bigint, boolean, boolean); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_cancel_job_v1(job_id bigint, abort boolean, delete_job boolean) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
    _job_id bigint;
BEGIN
    IF delete_job THEN
        DELETE FROM procrastinate_jobs
        WHERE id = job_id AND status = 'todo'
        RETURNING id INTO _job_id;
    END IF;
    IF _job_id IS NULL THEN
        IF abort THEN
            UPDATE procrastinate_jobs
            SET abort_requested = true,
                status = CASE status
                    WHEN 'todo' THEN 'cancelled'::procrastinate_job_status ELSE status
                END
            WHERE id = job_id AND status IN ('todo', 'doing')
            RETURNING id INTO _job_id;
        ELSE
            UPDATE procrastinate_jobs
            SET status = 'cancelled'::procrastinate_job_status
            WHERE id = job_id AND status = 'todo'
            RETURNING id INTO _job_id;
        END IF;
    END IF;
    RETURN _job_id;
END;
$$;


--
-- Name: procrastinate_defer_jobs_v1(public.procrastinate_job_to_defer_v1[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_defer_jobs_v1(jobs public.procrastinate_job_to_defer_v1[]) RETURNS bigint[]
    LANGUAGE plpgsql
    AS $$
DECLARE
    job_ids bigint[];
BEGIN
    WITH inserted_jobs AS (
        INSERT INTO procrastinate_jobs (queue_name, task_name, priority, lock, queueing_lock, args, scheduled_at)
        SELECT (job).queue_name,
               (job).task_name,
               (job).priority,
               (job).lock,
               (job).queueing_lock,
               (job).args,
               (job).scheduled_at
        FROM unnest(jobs) AS job
        RETURNING id
    )
    SELECT array_agg(id) FROM inserted_jobs INTO job_ids;

    RETURN job_ids;
END;
$$;


--
-- Name: procrastinate_defer_periodic_job_v2(character varying, character varying, character varying, character varying, integer, character varying, bigint, jsonb); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_defer_periodic_job_v2(_queue_name character varying, _lock character varying, _queueing_lock character varying, _task_name character varying, _priority integer, _periodic_id character varying, _defer_timestamp bigint, _args jsonb) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
	_job_id bigint;
	_defer_id bigint;
BEGIN
    INSERT
        INTO procrastinate_periodic_defers (task_name, periodic_id, defer_timestamp)
        VALUES (_task_name, _periodic_id, _defer_timestamp)
        ON CONFLICT DO NOTHING
        RETURNING id into _defer_id;

    IF _defer_id IS NULL THEN
        RETURN NULL;
    END IF;

    UPDATE procrastinate_periodic_defers
        SET job_id = (
            SELECT COALESCE((
                SELECT unnest(procrastinate_defer_jobs_v1(
                    ARRAY[
                        ROW(
                            _queue_name,
                            _task_name,
                            _priority,
                            _lock,
                            _queueing_lock,
                            _args,
                            NULL::timestamptz
                        )
                    ]::procrastinate_job_to_defer_v1[]
                ))
            ), NULL)
        )
        WHERE id = _defer_id
        RETURNING job_id INTO _job_id;

    DELETE
        FROM procrastinate_periodic_defers
        USING (
            SELECT id
            FROM procrastinate_periodic_defers
            WHERE procrastinate_periodic_defers.task_name = _task_name
            AND procrastinate_periodic_defers.periodic_id = _periodic_id
            AND procrastinate_periodic_defers.defer_timestamp < _defer_timestamp
            ORDER BY id
            FOR UPDATE
        ) to_delete
        WHERE procrastinate_periodic_defers.id = to_delete.id;

    RETURN _job_id;
END;
$$;


--
-- Name: procrastinate_jobs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.procrastinate_jobs (
    id bigint NOT NULL,
    queue_name character varying(128) NOT NULL,
    task_name character varying(128) NOT NULL,
    lock text,
    args jsonb DEFAULT '{}'::jsonb NOT NULL,
    status public.procrastinate_job_status DEFAULT 'todo'::public.procrastinate_job_status NOT NULL,
    scheduled_at timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    queueing_lock text,
    priority integer DEFAULT 0 NOT NULL,
    abort_requested boolean DEFAULT false NOT NULL,
    worker_id bigint,
    CONSTRAINT check_not_todo_abort_requested CHECK ((NOT ((status = 'todo'::public.procrastinate_job_status) AND (abort_requested = true))))
);


--
-- Name: procrastinate_fetch_job_v2(character varying[], bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_fetch_job_v2(target_queue_names character varying[], p_worker_id bigint) RETURNS public.procrastinate_jobs
    LANGUAGE plpgsql
    AS $$
DECLARE
	found_jobs procrastinate_jobs;
BEGIN
    WITH candidate AS (
        SELECT jobs.*
            FROM procrastinate_jobs AS jobs
            WHERE
                -- reject the job if its lock has earlier or higher priority jobs
                NOT EXISTS (
                    SELECT 1
                        FROM procrastinate_jobs AS other_jobs
                        WHERE
                            jobs.lock IS NOT NULL
                            AND other_jobs.lock = jobs.lock
                            AND (
                                -- job with same lock is already running
                                other_jobs.status = 'doing'
                                OR
                                -- job with same lock is waiting and has higher priority (or same priority but was queued first)
                                (
                                    other_jobs.status = 'todo'
                                    AND (
                                        other_jobs.priority > jobs.priority
                                        OR (
                                        other_jobs.priority = jobs.priority
                                        AND other_jobs.id < jobs.id
                                        )
                                    )
                                )
                            )
                )
                AND jobs.status = 'todo'
                AND (target_queue_names IS NULL OR jobs.queue_name = ANY( target_queue_names ))
                AND (jobs.scheduled_at IS NULL OR jobs.scheduled_at <= now())
            ORDER BY jobs.priority DESC, jobs.id ASC LIMIT 1
            FOR UPDATE OF jobs SKIP LOCKED
    )
    UPDATE procrastinate_jobs
        SET status = 'doing', worker_id = p_worker_id
        FROM candidate
        WHERE procrastinate_jobs.id = candidate.id
        RETURNING procrastinate_jobs.* INTO found_jobs;

 RETURN found_jobs;
END;
$$;


--
-- Name: procrastinate_finish_job_v1(bigint, public.procrastinate_job_status, boolean); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_finish_job_v1(job_id bigint, end_status public.procrastinate_job_status, delete_job boolean) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    _job_id bigint;
BEGIN
    IF end_status NOT IN ('succeeded', 'failed', 'aborted') THEN
        RAISE 'End status should be either "succeeded", "failed" or "aborted" (job id: %)', job_id;
    END IF;
    IF delete_job THEN
        DELETE FROM procrastinate_jobs
        WHERE id = job_id AND status IN ('todo', 'doing')
        RETURNING id INTO _job_id;
    ELSE
        UPDATE procrastinate_jobs
        SET status = end_status,
            abort_requested = false,
            attempts = CASE status
                WHEN 'doing' THEN attempts + 1 ELSE attempts
            END
        WHERE id = job_id AND status IN ('todo', 'doing')
        RETURNING id INTO _job_id;
    END IF;
    IF _job_id IS NULL THEN
        RAISE 'Job was not found or not in "doing" or "todo" status (job id: %)', job_id;
    END IF;
END;
$$;


--
-- Name: procrastinate_notify_queue_abort_job_v1(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_notify_queue_abort_job_v1() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    payload TEXT;
BEGIN
    SELECT json_build_object('type', 'abort_job_requested', 'job_id', NEW.id)::text INTO payload;
	PERFORM pg_notify('procrastinate_queue_v1#' || NEW.queue_name, payload);
	PERFORM pg_notify('procrastinate_any_queue_v1', payload);
	RETURN NEW;
END;
$$;


--
-- Name: procrastinate_notify_queue_job_inserted_v1(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_notify_queue_job_inserted_v1() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    payload TEXT;
BEGIN
    SELECT json_build_object('type', 'job_inserted', 'job_id', NEW.id)::text INTO payload;
	PERFORM pg_notify('procrastinate_queue_v1#' || NEW.queue_name, payload);
	PERFORM pg_notify('procrastinate_any_queue_v1', payload);
	RETURN NEW;
END;
$$;


--
-- Name: procrastinate_prune_stalled_workers_v1(double precision); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_prune_stalled_workers_v1(seconds_since_heartbeat double precision) RETURNS TABLE(worker_id bigint)
    LANGUAGE plpgsql
    AS $$
BEGIN
    RETURN QUERY
    DELETE FROM procrastinate_workers
    WHERE last_heartbeat < NOW() - (seconds_since_heartbeat || 'SECOND')::INTERVAL
    RETURNING procrastinate_workers.id;
END;
$$;


--
-- Name: procrastinate_register_worker_v1(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_register_worker_v1() RETURNS TABLE(worker_id bigint)
    LANGUAGE plpgsql
    AS $$
BEGIN
    RETURN QUERY
    INSERT INTO procrastinate_workers DEFAULT VALUES
    RETURNING procrastinate_workers.id;
END;
$$;


--
-- Name: procrastinate_retry_job_v1(bigint, timestamp with time zone, integer, character varying, character varying); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_retry_job_v1(job_id bigint, retry_at timestamp with time zone, new_priority integer, new_queue_name character varying, new_lock character varying) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    _job_id bigint;
    _abort_requested boolean;
BEGIN
    SELECT abort_requested FROM procrastinate_jobs
    WHERE id = job_id AND status = 'doing'
    FOR UPDATE
    INTO _abort_requested;
    IF _abort_requested THEN
        UPDATE procrastinate_jobs
        SET status = 'failed'::procrastinate_job_status
        WHERE id = job_id AND status = 'doing'
        RETURNING id INTO _job_id;
    ELSE
        UPDATE procrastinate_jobs
        SET status = 'todo'::procrastinate_job_status,
            attempts = attempts + 1,
            scheduled_at = retry_at,
            priority = COALESCE(new_priority, priority),
            queue_name = COALESCE(new_queue_name, queue_name),
            lock = COALESCE(new_lock, lock)
        WHERE id = job_id AND status = 'doing'
        RETURNING id INTO _job_id;
    END IF;

    IF _job_id IS NULL THEN
        RAISE 'Job was not found or not in "doing" status (job id: %)', job_id;
    END IF;
END;
$$;


--
-- Name: procrastinate_retry_job_v2(bigint, timestamp with time zone, integer, character varying, character varying); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_retry_job_v2(job_id bigint, retry_at timestamp with time zone, new_priority integer, new_queue_name character varying, new_lock character varying) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    _job_id bigint;
    _abort_requested boolean;
    _current_status procrastinate_job_status;
BEGIN
    SELECT status, abort_requested FROM procrastinate_jobs
    WHERE id = job_id AND status IN ('doing', 'failed')
    FOR UPDATE
    INTO _current_status, _abort_requested;
    IF _current_status = 'doing' AND _abort_requested THEN
        UPDATE procrastinate_jobs
        SET status = 'failed'::procrastinate_job_status
        WHERE id = job_id AND status = 'doing'
        RETURNING id INTO _job_id;
    ELSE
        UPDATE procrastinate_jobs
        SET status = 'todo'::procrastinate_job_status,
            attempts = attempts + 1,
            scheduled_at = retry_at,
            priority = COALESCE(new_priority, priority),
            queue_name = COALESCE(new_queue_name, queue_name),
            lock = COALESCE(new_lock, lock)
        WHERE id = job_id AND status IN ('doing', 'failed')
        RETURNING id INTO _job_id;
    END IF;

    IF _job_id IS NULL THEN
        RAISE 'Job was not found or has an invalid status to retry (job id: %)', job_id;
    END IF;

END;
$$;


--
-- Name: procrastinate_trigger_abort_requested_events_procedure_v1(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_trigger_abort_requested_events_procedure_v1() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO procrastinate_events(job_id, type)
        VALUES (NEW.id, 'abort_requested'::procrastinate_job_event_type);
    RETURN NEW;
END;
$$;


--
-- Name: procrastinate_trigger_function_scheduled_events_v1(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_trigger_function_scheduled_events_v1() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO procrastinate_events(job_id, type, at)
        VALUES (NEW.id, 'scheduled'::procrastinate_job_event_type, NEW.scheduled_at);

	RETURN NEW;
END;
$$;


--
-- Name: procrastinate_trigger_function_status_events_insert_v1(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_trigger_function_status_events_insert_v1() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO procrastinate_events(job_id, type)
        VALUES (NEW.id, 'deferred'::procrastinate_job_event_type);
	RETURN NEW;
END;
$$;


--
-- Name: procrastinate_trigger_function_status_events_update_v1(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_trigger_function_status_events_update_v1() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    WITH t AS (
        SELECT CASE
            WHEN OLD.status = 'todo'::procrastinate_job_status
                AND NEW.status = 'doing'::procrastinate_job_status
                THEN 'started'::procrastinate_job_event_type
            WHEN OLD.status = 'doing'::procrastinate_job_status
                AND NEW.status = 'todo'::procrastinate_job_status
                THEN 'deferred_for_retry'::procrastinate_job_event_type
            WHEN OLD.status = 'doing'::procrastinate_job_status
                AND NEW.status = 'failed'::procrastinate_job_status
                THEN 'failed'::procrastinate_job_event_type
            WHEN OLD.status = 'doing'::procrastinate_job_status
                AND NEW.status = 'succeeded'::procrastinate_job_status
                THEN 'succeeded'::procrastinate_job_event_type
            WHEN OLD.status = 'todo'::procrastinate_job_status
                AND (
                    NEW.status = 'cancelled'::procrastinate_job_status
                    OR NEW.status = 'failed'::procrastinate_job_status
                    OR NEW.status = 'succeeded'::procrastinate_job_status
                )
                THEN 'cancelled'::procrastinate_job_event_type
            WHEN OLD.status = 'doing'::procrastinate_job_status
                AND NEW.status = 'aborted'::procrastinate_job_status
                THEN 'aborted'::procrastinate_job_event_type
            WHEN OLD.status = 'failed'::procrastinate_job_status
                AND NEW.status = 'todo'::procrastinate_job_status
                THEN 'retried'::procrastinate_job_event_type
            ELSE NULL
        END as event_type
    )
    INSERT INTO procrastinate_events(job_id, type)
        SELECT NEW.id, t.event_type
        FROM t
        WHERE t.event_type IS NOT NULL;
	RETURN NEW;
END;
$$;


--
-- Name: procrastinate_unlink_periodic_defers_v1(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_unlink_periodic_defers_v1() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE procrastinate_periodic_defers
    SET job_id = NULL
    WHERE job_id = OLD.id;
    RETURN OLD;
END;
$$;


--
-- Name: procrastinate_unregister_worker_v1(bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_unregister_worker_v1(worker_id bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    DELETE FROM procrastinate_workers
    WHERE id = worker_id;
END;
$$;


--
-- Name: procrastinate_update_heartbeat_v1(bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.procrastinate_update_heartbeat_v1(worker_id bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE procrastinate_workers
    SET last_heartbeat = NOW()
    WHERE id = worker_id;
END;
$$;


--
-- Name: account_emailaddress; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.account_emailaddress (
    id integer NOT NULL,
    email character varying(254) NOT NULL,
    verified boolean NOT NULL,
    "primary" boolean NOT NULL,
    user_id integer NOT NULL
);


--
-- Name: account_emailaddress_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.account_emailaddress ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.account_emailaddress_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: account_emailconfirmation; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.account_emailconfirmation (
    id integer NOT NULL,
    created timestamp with time zone NOT NULL,
    sent timestamp with time zone,
    key character varying(64) NOT NULL,
    email_address_id integer NOT NULL
);


--
-- Name: account_emailconfirmation_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.account_emailconfirmation ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.account_emailconfirmation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: auth_group; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.auth_group (
    id integer NOT NULL,
    name character varying(150) NOT NULL
);


--
-- Name: auth_group_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.auth_group ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.auth_group_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: auth_group_permissions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.auth_group_permissions (
    id bigint NOT NULL,
    group_id integer NOT NULL,
    permission_id integer NOT NULL
);


--
-- Name: auth_group_permissions_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.auth_group_permissions ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.auth_group_permissions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: auth_permission; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.auth_permission (
    id integer NOT NULL,
    name character varying(255) NOT NULL,
    content_type_id integer NOT NULL,
    codename character varying(100) NOT NULL
);


--
-- Name: auth_permission_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.auth_permission ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.auth_permission_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: auth_user; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.auth_user (
    id integer NOT NULL,
    password character varying(128) NOT NULL,
    last_login timestamp with time zone,
    is_superuser boolean NOT NULL,
    username character varying(150) NOT NULL,
    first_name character varying(150) NOT NULL,
    last_name character varying(150) NOT NULL,
    email character varying(254) NOT NULL,
    is_staff boolean NOT NULL,
    is_active boolean NOT NULL,
    date_joined timestamp with time zone NOT NULL
);


--
-- Name: auth_user_groups; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.auth_user_groups (
    id bigint NOT NULL,
    user_id integer NOT NULL,
    group_id integer NOT NULL
);


--
-- Name: auth_user_groups_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.auth_user_groups ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.auth_user_groups_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: auth_user_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.auth_user ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.auth_user_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: auth_user_user_permissions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.auth_user_user_permissions (
    id bigint NOT NULL,
    user_id integer NOT NULL,
    permission_id integer NOT NULL
);


--
-- Name: auth_user_user_permissions_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.auth_user_user_permissions ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.auth_user_user_permissions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: debates_debate; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.debates_debate (
    id bigint NOT NULL,
    public_id uuid NOT NULL,
    format character varying(20) NOT NULL,
    title character varying(200) NOT NULL,
    motion text NOT NULL,
    status character varying(20) NOT NULL,
    conducted_by character varying(20) NOT NULL,
    visibility character varying(20) NOT NULL,
    parameters jsonb NOT NULL,
    rounds smallint NOT NULL,
    limit_money numeric(12,6),
    limit_tokens bigint,
    limit_calls integer,
    partial boolean NOT NULL,
    partial_reason character varying(200) NOT NULL,
    problem character varying(500) NOT NULL,
    created_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    concluded_at timestamp with time zone,
    created_by_id integer,
    repeat_of_id bigint,
    subject_id bigint,
    CONSTRAINT debate_conduct_is_known CHECK (((conducted_by)::text = ANY ((ARRAY['engine'::character varying, 'external'::character varying])::text[]))),
    CONSTRAINT debate_ends_after_it_starts CHECK (((concluded_at IS NULL) OR (concluded_at >= started_at))),
    CONSTRAINT debate_format_is_known CHECK (((format)::text = ANY ((ARRAY['criterion'::character varying, 'open'::character varying, 'panel'::character varying])::text[]))),
    CONSTRAINT debate_has_what_its_format_is_about CHECK (((((format)::text = 'open'::text) AND (subject_id IS NULL) AND (NOT (motion = ''::text))) OR ((NOT ((format)::text = 'open'::text)) AND (subject_id IS NOT NULL)))),
    CONSTRAINT debate_limits_are_positive CHECK ((((limit_money IS NULL) OR (limit_money > (0)::numeric)) AND ((limit_tokens IS NULL) OR (limit_tokens > 0)) AND ((limit_calls IS NULL) OR (limit_calls > 0)))),
    CONSTRAINT debate_partial_says_why CHECK ((((NOT partial) AND ((partial_reason)::text = ''::text)) OR (partial AND (NOT ((partial_reason)::text = ''::text))))),
    CONSTRAINT debate_rounds_inside_limits CHECK (((rounds >= 1) AND (rounds <= 30))),
    CONSTRAINT debate_status_is_known CHECK (((status)::text = ANY ((ARRAY['draft'::character varying, 'scheduled'::character varying, 'running'::character varying, 'paused'::character varying, 'awaiting_review'::character varying, 'concluding'::character varying, 'concluded'::character varying, 'failed'::character varying, 'cancelled'::character varying])::text[]))),
    CONSTRAINT debate_visibility_is_known CHECK (((visibility)::text = ANY ((ARRAY['public'::character varying, 'unlisted'::character varying, 'private'::character varying])::text[]))),
    CONSTRAINT debates_debate_rounds_check CHECK ((rounds >= 0))
);


--
-- Name: debates_debate_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.debates_debate ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.debates_debate_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: debates_event; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.debates_event (
    id bigint NOT NULL,
    seq bigint NOT NULL,
    type character varying(40) NOT NULL,
    audience character varying(20) NOT NULL,
    data jsonb NOT NULL,
    at timestamp with time zone NOT NULL,
    debate_id bigint NOT NULL,
    previous_seq bigint GENERATED ALWAYS AS (
CASE
    WHEN (seq > 1) THEN (seq - 1)
    ELSE NULL::bigint
END) STORED,
    CONSTRAINT debates_event_seq_check CHECK ((seq >= 0)),
    CONSTRAINT event_audience_is_known CHECK (((audience)::text = ANY ((ARRAY['public'::character varying, 'participants'::character varying, 'moderators'::character varying])::text[]))),
    CONSTRAINT event_seq_starts_at_one CHECK ((seq >= 1))
);


--
-- Name: debates_event_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.debates_event ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.debates_event_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: debates_eventhead; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.debates_eventhead (
    debate_id bigint NOT NULL,
    seq bigint NOT NULL,
    CONSTRAINT debates_eventhead_seq_check CHECK ((seq >= 0))
);


--
-- Name: debates_participant; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.debates_participant (
    id bigint NOT NULL,
    public_id uuid NOT NULL,
    role character varying(20) NOT NULL,
    kind character varying(20) NOT NULL,
    name character varying(80) NOT NULL,
    "position" smallint NOT NULL,
    provider character varying(40) NOT NULL,
    model character varying(120) NOT NULL,
    debate_id bigint NOT NULL,
    CONSTRAINT debates_participant_position_check CHECK (("position" >= 0)),
    CONSTRAINT engine_participant_has_a_provider CHECK (((NOT ((kind)::text = 'engine'::text)) OR (NOT ((provider)::text = ''::text)))),
    CONSTRAINT participant_kind_is_known CHECK (((kind)::text = ANY ((ARRAY['engine'::character varying, 'human'::character varying, 'external'::character varying])::text[]))),
    CONSTRAINT participant_role_is_known CHECK (((role)::text = ANY ((ARRAY['evaluator'::character varying, 'challenger'::character varying, 'arbiter'::character varying, 'chair'::character varying, 'judge'::character varying])::text[])))
);


--
-- Name: debates_participant_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.debates_participant ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.debates_participant_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: debates_round; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.debates_round (
    id bigint NOT NULL,
    public_id uuid NOT NULL,
    run_number integer NOT NULL,
    number smallint NOT NULL,
    opened_at timestamp with time zone NOT NULL,
    closed_at timestamp with time zone,
    thread_id bigint NOT NULL,
    CONSTRAINT debates_round_number_check CHECK ((number >= 0)),
    CONSTRAINT debates_round_run_number_check CHECK ((run_number >= 0)),
    CONSTRAINT round_closes_after_it_opens CHECK (((closed_at IS NULL) OR (closed_at >= opened_at)))
);


--
-- Name: debates_round_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.debates_round ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.debates_round_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: debates_subject; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.debates_subject (
    id bigint NOT NULL,
    public_id uuid NOT NULL,
    title character varying(200) NOT NULL,
    text text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    created_by_id integer
);


--
-- Name: debates_subject_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.debates_subject ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.debates_subject_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: debates_thread; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.debates_thread (
    id bigint NOT NULL,
    public_id uuid NOT NULL,
    key character varying(40) NOT NULL,
    "position" smallint NOT NULL,
    status character varying(20) NOT NULL,
    run_number integer NOT NULL,
    rounds_played smallint NOT NULL,
    fence bigint NOT NULL,
    ended_because character varying(200) NOT NULL,
    debate_id bigint NOT NULL,
    CONSTRAINT debates_thread_fence_check CHECK ((fence >= 0)),
    CONSTRAINT debates_thread_position_check CHECK (("position" >= 0)),
    CONSTRAINT debates_thread_rounds_played_check CHECK ((rounds_played >= 0)),
    CONSTRAINT debates_thread_run_number_check CHECK ((run_number >= 0)),
    CONSTRAINT thread_status_is_known CHECK (((status)::text = ANY ((ARRAY['pending'::character varying, 'playing'::character varying, 'awaiting_turn'::character varying, 'complete'::character varying, 'partial'::character varying, 'failed'::character varying, 'cancelled'::character varying])::text[])))
);


--
-- Name: debates_thread_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.debates_thread ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.debates_thread_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: debates_turn; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.debates_turn (
    id bigint NOT NULL,
    public_id uuid NOT NULL,
    kind character varying(20) NOT NULL,
    slot character varying(60) NOT NULL,
    text text NOT NULL,
    at timestamp with time zone NOT NULL,
    answers_id bigint,
    debate_id bigint NOT NULL,
    participant_id bigint NOT NULL,
    round_id bigint,
    thread_id bigint,
    CONSTRAINT turn_kind_is_known CHECK (((kind)::text = ANY ((ARRAY['opening'::character varying, 'challenge'::character varying, 'defence'::character varying, 'response'::character varying, 'interjection'::character varying, 'report'::character varying, 'synthesis'::character varying])::text[])))
);


--
-- Name: debates_turn_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.debates_turn ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.debates_turn_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: django_admin_log; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.django_admin_log (
    id integer NOT NULL,
    action_time timestamp with time zone NOT NULL,
    object_id text,
    object_repr character varying(200) NOT NULL,
    action_flag smallint NOT NULL,
    change_message text NOT NULL,
    content_type_id integer,
    user_id integer NOT NULL,
    CONSTRAINT django_admin_log_action_flag_check CHECK ((action_flag >= 0))
);


--
-- Name: django_admin_log_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.django_admin_log ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.django_admin_log_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: django_content_type; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.django_content_type (
    id integer NOT NULL,
    app_label character varying(100) NOT NULL,
    model character varying(100) NOT NULL
);


--
-- Name: django_content_type_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.django_content_type ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.django_content_type_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: django_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.django_migrations (
    id bigint NOT NULL,
    app character varying(255) NOT NULL,
    name character varying(255) NOT NULL,
    applied timestamp with time zone NOT NULL
);


--
-- Name: django_migrations_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.django_migrations ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.django_migrations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: django_session; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.django_session (
    session_key character varying(40) NOT NULL,
    session_data text NOT NULL,
    expire_date timestamp with time zone NOT NULL
);


--
-- Name: judging_call; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.judging_call (
    id bigint NOT NULL,
    public_id uuid NOT NULL,
    run_number integer NOT NULL,
    round_number smallint NOT NULL,
    purpose character varying(20) NOT NULL,
    attempt smallint NOT NULL,
    prompt_name character varying(60) NOT NULL,
    prompt_version smallint NOT NULL,
    prompt_digest character varying(64) NOT NULL,
    provider character varying(40) NOT NULL,
    model character varying(120) NOT NULL,
    parameters jsonb NOT NULL,
    raw_answer text NOT NULL,
    outcome character varying(20) NOT NULL,
    problem text NOT NULL,
    tokens_in integer NOT NULL,
    tokens_out integer NOT NULL,
    cost numeric(12,6) NOT NULL,
    milliseconds integer NOT NULL,
    at timestamp with time zone NOT NULL,
    debate_id bigint NOT NULL,
    participant_id bigint NOT NULL,
    thread_id bigint,
    CONSTRAINT call_outcome_is_known CHECK (((outcome)::text = ANY ((ARRAY['used'::character varying, 'rejected'::character varying, 'failed'::character varying, 'superseded'::character varying])::text[]))),
    CONSTRAINT call_purpose_is_known CHECK (((purpose)::text = ANY ((ARRAY['assess'::character varying, 'challenge'::character varying, 'press'::character varying, 'defend'::character varying, 'judge'::character varying, 'synthesise'::character varying, 'introduce'::character varying, 'open'::character varying, 'respond'::character varying, 'evaluate'::character varying, 'influence'::character varying, 'interject'::character varying, 'sum_up'::character varying])::text[]))),
    CONSTRAINT call_that_was_not_used_says_why CHECK ((((outcome)::text = 'used'::text) OR (NOT (problem = ''::text)))),
    CONSTRAINT judging_call_attempt_check CHECK ((attempt >= 0)),
    CONSTRAINT judging_call_milliseconds_check CHECK ((milliseconds >= 0)),
    CONSTRAINT judging_call_prompt_version_check CHECK ((prompt_version >= 0)),
    CONSTRAINT judging_call_round_number_check CHECK ((round_number >= 0)),
    CONSTRAINT judging_call_run_number_check CHECK ((run_number >= 0)),
    CONSTRAINT judging_call_tokens_in_check CHECK ((tokens_in >= 0)),
    CONSTRAINT judging_call_tokens_out_check CHECK ((tokens_out >= 0))
);


--
-- Name: judging_call_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.judging_call ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.judging_call_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: judging_challenge; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.judging_challenge (
    id bigint NOT NULL,
    public_id uuid NOT NULL,
    run_number integer NOT NULL,
    label character varying(10) NOT NULL,
    persona character varying(40) NOT NULL,
    severity character varying(20) NOT NULL,
    quote text NOT NULL,
    thread_id bigint NOT NULL,
    turn_id bigint NOT NULL,
    CONSTRAINT challenge_severity_is_known CHECK (((severity)::text = ANY ((ARRAY['critical'::character varying, 'significant'::character varying, 'minor'::character varying])::text[]))),
    CONSTRAINT judging_challenge_run_number_check CHECK ((run_number >= 0))
);


--
-- Name: judging_challenge_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.judging_challenge ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.judging_challenge_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: judging_claim; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.judging_claim (
    thread_id bigint NOT NULL,
    fence bigint NOT NULL,
    reserved_calls integer NOT NULL,
    reserved_tokens bigint NOT NULL,
    reserved_money numeric(12,6) NOT NULL,
    claimed_at timestamp with time zone NOT NULL,
    CONSTRAINT judging_claim_fence_check CHECK ((fence >= 0)),
    CONSTRAINT judging_claim_reserved_calls_check CHECK ((reserved_calls >= 0)),
    CONSTRAINT judging_claim_reserved_tokens_check CHECK ((reserved_tokens >= 0))
);


--
-- Name: judging_defence; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.judging_defence (
    turn_id bigint NOT NULL,
    reply character varying(20) NOT NULL,
    challenge_id bigint NOT NULL,
    round_id bigint NOT NULL,
    CONSTRAINT defence_reply_is_known CHECK (((reply)::text = ANY ((ARRAY['defend'::character varying, 'concede'::character varying])::text[])))
);


--
-- Name: judging_review; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.judging_review (
    id bigint NOT NULL,
    public_id uuid NOT NULL,
    run_number integer NOT NULL,
    round_number smallint NOT NULL,
    reason_code character varying(20) NOT NULL,
    disputed character varying(40)[] NOT NULL,
    policy jsonb NOT NULL,
    opened_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    state character varying(20) NOT NULL,
    lease_until timestamp with time zone,
    settled_at timestamp with time zone,
    decisions jsonb NOT NULL,
    claimed_by_id bigint,
    debate_id bigint NOT NULL,
    settled_by_id bigint,
    CONSTRAINT judging_review_round_number_check CHECK ((round_number >= 0)),
    CONSTRAINT judging_review_run_number_check CHECK ((run_number >= 0)),
    CONSTRAINT review_claimed_has_holder_and_lease CHECK ((((claimed_by_id IS NOT NULL) AND (lease_until IS NOT NULL) AND ((state)::text = 'claimed'::text)) OR ((NOT ((state)::text = 'claimed'::text)) AND (claimed_by_id IS NULL) AND (lease_until IS NULL)))),
    CONSTRAINT review_disputes_something CHECK ((
CASE
    WHEN (disputed IS NULL) THEN NULL::integer
    ELSE COALESCE(array_length(disputed, 1), 0)
END > 0)),
    CONSTRAINT review_reason_is_known CHECK (((reason_code)::text = ANY ((ARRAY['spread'::character varying, 'criterion_spread'::character varying, 'not_accepted'::character varying, 'quorum_lost'::character varying])::text[]))),
    CONSTRAINT review_settled_says_who_when_and_what CHECK ((((settled_at IS NOT NULL) AND (settled_by_id IS NOT NULL) AND ((state)::text = 'settled'::text) AND (NOT (decisions = '{}'::jsonb))) OR ((NOT ((state)::text = 'settled'::text)) AND (decisions = '{}'::jsonb) AND (settled_at IS NULL) AND (settled_by_id IS NULL)))),
    CONSTRAINT review_state_is_known CHECK (((state)::text = ANY ((ARRAY['open'::character varying, 'claimed'::character varying, 'settled'::character varying])::text[])))
);


--
-- Name: judging_review_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.judging_review ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.judging_review_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: judging_script; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.judging_script (
    debate_id bigint NOT NULL,
    answers jsonb NOT NULL
);


--
-- Name: judging_synthesis; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.judging_synthesis (
    id bigint NOT NULL,
    number smallint NOT NULL,
    numbers jsonb NOT NULL,
    at timestamp with time zone NOT NULL,
    debate_id bigint NOT NULL,
    turn_id bigint NOT NULL,
    CONSTRAINT judging_synthesis_number_check CHECK ((number >= 0))
);


--
-- Name: judging_synthesis_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.judging_synthesis ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.judging_synthesis_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: judging_verdict; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.judging_verdict (
    fact_id bigint NOT NULL,
    winner character varying(20) NOT NULL,
    reasoning text NOT NULL,
    call_id bigint,
    challenge_id bigint NOT NULL,
    round_id bigint NOT NULL,
    CONSTRAINT verdict_winner_is_known CHECK (((winner)::text = ANY ((ARRAY['evaluator'::character varying, 'red_team'::character varying, 'draw'::character varying])::text[])))
);


--
-- Name: mfa_authenticator; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.mfa_authenticator (
    id bigint NOT NULL,
    type character varying(20) NOT NULL,
    data jsonb NOT NULL,
    user_id integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone
);


--
-- Name: mfa_authenticator_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.mfa_authenticator ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.mfa_authenticator_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: moot_cache; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.moot_cache (
    cache_key character varying(255) NOT NULL,
    value text NOT NULL,
    expires timestamp with time zone NOT NULL
);


--
-- Name: procrastinate_events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.procrastinate_events (
    id bigint NOT NULL,
    job_id bigint NOT NULL,
    type public.procrastinate_job_event_type,
    at timestamp with time zone DEFAULT now()
);


--
-- Name: procrastinate_events_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.procrastinate_events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: procrastinate_events_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.procrastinate_events_id_seq OWNED BY public.procrastinate_events.id;


--
-- Name: procrastinate_jobs_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.procrastinate_jobs_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: procrastinate_jobs_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.procrastinate_jobs_id_seq OWNED BY public.procrastinate_jobs.id;


--
-- Name: procrastinate_periodic_defers; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.procrastinate_periodic_defers (
    id bigint NOT NULL,
    task_name character varying(128) NOT NULL,
    defer_timestamp bigint,
    job_id bigint,
    periodic_id character varying(128) DEFAULT ''::character varying NOT NULL
);


--
-- Name: procrastinate_periodic_defers_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.procrastinate_periodic_defers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: procrastinate_periodic_defers_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.procrastinate_periodic_defers_id_seq OWNED BY public.procrastinate_periodic_defers.id;


--
-- Name: procrastinate_workers; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.procrastinate_workers (
    id bigint NOT NULL,
    last_heartbeat timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: procrastinate_workers_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.procrastinate_workers ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.procrastinate_workers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: scoring_actor; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.scoring_actor (
    id bigint NOT NULL,
    name character varying(150) NOT NULL,
    role character varying(150) NOT NULL,
    user_id integer
);


--
-- Name: scoring_actor_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.scoring_actor ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.scoring_actor_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: scoring_alert; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.scoring_alert (
    id bigint NOT NULL,
    public_id uuid NOT NULL,
    code character varying(20) NOT NULL,
    severity character varying(20) NOT NULL,
    evidence jsonb NOT NULL,
    facts_digest character varying(64) NOT NULL,
    state character varying(20) NOT NULL,
    handled_at timestamp with time zone,
    at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    debate_id bigint NOT NULL,
    handled_by_id bigint,
    evaluation_id bigint,
    handled_because_id bigint,
    CONSTRAINT alert_code_is_known CHECK (((code)::text = ANY ((ARRAY['extreme_verdict'::character varying, 'extreme_net'::character varying, 'net_capped'::character varying, 'large_change'::character varying, 'contradiction'::character varying, 'one_sided'::character varying, 'uniform_extreme'::character varying, 'no_effect'::character varying, 'winner_sign_mismatch'::character varying, 'injection_suspected'::character varying, 'judge_failed'::character varying])::text[]))),
    CONSTRAINT alert_handled_says_who_and_why CHECK ((((state)::text = 'open'::text) OR ((handled_at IS NOT NULL) AND (handled_because_id IS NOT NULL) AND (handled_by_id IS NOT NULL)))),
    CONSTRAINT alert_severity_is_known CHECK (((severity)::text = ANY ((ARRAY['info'::character varying, 'warning'::character varying, 'critical'::character varying])::text[]))),
    CONSTRAINT alert_state_is_known CHECK (((state)::text = ANY ((ARRAY['open'::character varying, 'acknowledged'::character varying, 'dismissed'::character varying])::text[])))
);


--
-- Name: scoring_alert_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.scoring_alert ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.scoring_alert_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: scoring_approval; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.scoring_approval (
    id bigint NOT NULL,
    public_id uuid NOT NULL,
    value numeric(10,6) NOT NULL,
    value_seen numeric(10,6) NOT NULL,
    seen integer NOT NULL,
    door character varying(20) NOT NULL,
    reason_code character varying(60) NOT NULL,
    idempotency_key character varying(200) NOT NULL,
    requested_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    state character varying(20) NOT NULL,
    decided_at timestamp with time zone,
    because_id bigint NOT NULL,
    decided_because_id bigint,
    decided_by_id bigint,
    entry_id bigint,
    evaluation_id bigint NOT NULL,
    requested_by_id bigint NOT NULL,
    CONSTRAINT approval_comes_through_a_persons_door CHECK (((door)::text = ANY ((ARRAY['moderator'::character varying, 'api'::character varying, 'system'::character varying])::text[]))),
    CONSTRAINT approval_decided_says_who_why_and_where CHECK ((((decided_at IS NULL) AND (decided_because_id IS NULL) AND (decided_by_id IS NULL) AND (entry_id IS NULL) AND ((state)::text = 'waiting'::text)) OR ((decided_at IS NOT NULL) AND (decided_because_id IS NOT NULL) AND (decided_by_id IS NOT NULL) AND (entry_id IS NOT NULL) AND ((state)::text = 'approved'::text)) OR ((decided_at IS NOT NULL) AND (decided_because_id IS NOT NULL) AND (decided_by_id IS NOT NULL) AND (entry_id IS NULL) AND ((state)::text = 'refused'::text)) OR ((decided_at IS NOT NULL) AND (decided_because_id IS NULL) AND (decided_by_id IS NULL) AND (entry_id IS NOT NULL) AND ((state)::text = 'void'::text)))),
    CONSTRAINT approval_state_is_known CHECK (((state)::text = ANY ((ARRAY['waiting'::character varying, 'approved'::character varying, 'refused'::character varying, 'void'::character varying])::text[]))),
    CONSTRAINT scoring_approval_seen_check CHECK ((seen >= 0))
);


--
-- Name: scoring_approval_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.scoring_approval ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.scoring_approval_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: scoring_criterion; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.scoring_criterion (
    id bigint NOT NULL,
    "position" smallint NOT NULL,
    code character varying(20) NOT NULL,
    name character varying(120) NOT NULL,
    category character varying(60) NOT NULL,
    question text NOT NULL,
    high text NOT NULL,
    low text NOT NULL,
    weight numeric(10,6) NOT NULL,
    rubric_id bigint NOT NULL,
    CONSTRAINT criterion_weight_is_positive CHECK ((weight > (0)::numeric)),
    CONSTRAINT scoring_criterion_position_check CHECK (("position" >= 0))
);


--
-- Name: scoring_criterion_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.scoring_criterion ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.scoring_criterion_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: scoring_evaluation_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.scoring_evaluation ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.scoring_evaluation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: scoring_fact; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.scoring_fact (
    id bigint NOT NULL,
    public_id uuid NOT NULL,
    run_number integer NOT NULL,
    kind character varying(20) NOT NULL,
    amount numeric(10,6) NOT NULL,
    impact numeric(10,6) NOT NULL,
    weight numeric(10,6) NOT NULL,
    parts jsonb NOT NULL,
    at timestamp with time zone NOT NULL,
    evaluation_id bigint NOT NULL,
    participant_id bigint,
    round_id bigint NOT NULL,
    CONSTRAINT fact_kind_is_known CHECK (((kind)::text = ANY ((ARRAY['verdict'::character varying, 'response'::character varying, 'judge_score'::character varying, 'standing'::character varying])::text[]))),
    CONSTRAINT fact_run_starts_at_one CHECK ((run_number >= 1)),
    CONSTRAINT fact_weight_inside_limits CHECK (((((kind)::text = 'verdict'::text) AND ((weight >= (0)::numeric) AND (weight <= (1)::numeric))) OR ((NOT ((kind)::text = 'verdict'::text)) AND (weight = (1)::numeric)))),
    CONSTRAINT judge_score_inside_limits CHECK (((NOT ((kind)::text = 'judge_score'::text)) OR ((amount >= (1)::numeric) AND (amount <= (5)::numeric)))),
    CONSTRAINT response_total_inside_limits CHECK (((NOT ((kind)::text = 'response'::text)) OR ((amount >= (0)::numeric) AND (amount <= (100)::numeric)))),
    CONSTRAINT scoring_fact_run_number_check CHECK ((run_number >= 0)),
    CONSTRAINT standing_inside_limits CHECK (((NOT ((kind)::text = 'standing'::text)) OR ((amount >= ('-50'::integer)::numeric) AND (amount <= (1000)::numeric)))),
    CONSTRAINT verdict_adjustment_inside_limits CHECK (((NOT ((kind)::text = 'verdict'::text)) OR ((amount >= ('-3'::integer)::numeric) AND (amount <= (3)::numeric)))),
    CONSTRAINT verdict_has_two_places CHECK (((NOT ((kind)::text = 'verdict'::text)) OR ((amount = round(amount, 2)) AND (impact = round(impact, 2))))),
    CONSTRAINT verdict_impact_inside_limits CHECK ((((impact >= '-0.3'::numeric) AND (impact <= 0.3) AND ((kind)::text = 'verdict'::text)) OR ((NOT ((kind)::text = 'verdict'::text)) AND (impact = (0)::numeric))))
);


--
-- Name: scoring_fact_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.scoring_fact ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.scoring_fact_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: scoring_reason; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.scoring_reason (
    id bigint NOT NULL,
    salt character varying(64) NOT NULL,
    text text NOT NULL,
    digest character varying(64) DEFAULT ''::character varying NOT NULL
);


--
-- Name: scoring_reason_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.scoring_reason ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.scoring_reason_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: scoring_rescoreset; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.scoring_rescoreset (
    id bigint NOT NULL,
    public_id uuid NOT NULL,
    action character varying(20) NOT NULL,
    choice character varying(10) NOT NULL,
    lines jsonb NOT NULL,
    staged_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    state character varying(20) NOT NULL,
    decided_at timestamp with time zone,
    because_id bigint NOT NULL,
    decided_because_id bigint,
    decided_by_id bigint,
    staged_by_id bigint NOT NULL,
    CONSTRAINT rescore_action_is_known CHECK (((action)::text = ANY ((ARRAY['freeze'::character varying, 'unfreeze'::character varying, 'rollback'::character varying])::text[]))),
    CONSTRAINT rescore_chooses_only_for_an_unfreeze CHECK (((((action)::text = 'unfreeze'::text) AND ((choice)::text = ANY ((ARRAY['apply'::character varying, 'discard'::character varying])::text[]))) OR ((NOT ((action)::text = 'unfreeze'::text)) AND ((choice)::text = ''::text)))),
    CONSTRAINT rescore_decided_says_who_and_when CHECK ((((decided_at IS NULL) AND (decided_because_id IS NULL) AND (decided_by_id IS NULL) AND ((state)::text = 'staged'::text)) OR ((decided_at IS NOT NULL) AND (decided_because_id IS NULL) AND (decided_by_id IS NOT NULL) AND ((state)::text = 'applied'::text)) OR ((decided_because_id IS NOT NULL) AND (decided_by_id IS NOT NULL) AND ((state)::text = 'cancelled'::text) AND (decided_at IS NOT NULL)))),
    CONSTRAINT rescore_has_1_to_500_lines CHECK (
CASE
    WHEN (jsonb_typeof(lines) = 'array'::text) THEN ((jsonb_array_length(lines) >= 1) AND (jsonb_array_length(lines) <= 500))
    ELSE false
END),
    CONSTRAINT rescore_state_is_known CHECK (((state)::text = ANY ((ARRAY['staged'::character varying, 'applied'::character varying, 'cancelled'::character varying])::text[])))
);


--
-- Name: scoring_rescoreset_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.scoring_rescoreset ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.scoring_rescoreset_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: scoring_rubric; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.scoring_rubric (
    id bigint NOT NULL,
    public_id uuid NOT NULL,
    slug character varying(50) NOT NULL,
    name character varying(120) NOT NULL,
    description text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    created_by_id integer
);


--
-- Name: scoring_rubric_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.scoring_rubric ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.scoring_rubric_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: scoring_scorechange_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.scoring_scorechange ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.scoring_scorechange_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: procrastinate_events id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.procrastinate_events ALTER COLUMN id SET DEFAULT nextval('public.procrastinate_events_id_seq'::regclass);


--
-- Name: procrastinate_jobs id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.procrastinate_jobs ALTER COLUMN id SET DEFAULT nextval('public.procrastinate_jobs_id_seq'::regclass);


--
-- Name: procrastinate_periodic_defers id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.procrastinate_periodic_defers ALTER COLUMN id SET DEFAULT nextval('public.procrastinate_periodic_defers_id_seq'::regclass);


--
-- Data for Name: account_emailaddress; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.account_emailaddress (id, email, verified, "primary", user_id) FROM stdin;
\.


--
-- Data for Name: account_emailconfirmation; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.account_emailconfirmation (id, created, sent, key, email_address_id) FROM stdin;
\.


--
-- Data for Name: auth_group; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.auth_group (id, name) FROM stdin;
1	Auditor
2	Moderator
3	Senior moderator
\.


--
-- Data for Name: auth_group_permissions; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.auth_group_permissions (id, group_id, permission_id) FROM stdin;
1	1	129
2	1	4
3	1	134
4	1	138
5	1	142
6	1	146
7	1	150
8	1	154
9	1	158
10	1	162
11	1	166
12	1	56
13	1	60
14	1	64
15	1	68
16	1	72
17	1	76
18	1	80
19	1	84
20	1	88
21	1	92
22	1	96
23	1	108
24	1	112
25	1	117
26	1	121
27	1	125
28	2	129
29	2	4
30	2	134
31	2	138
32	2	142
33	2	146
34	2	150
35	2	154
36	2	158
37	2	162
38	2	166
39	2	167
40	2	56
41	2	60
42	2	64
43	2	68
44	2	72
45	2	76
46	2	80
47	2	84
48	2	88
49	2	92
50	2	96
51	2	97
52	2	98
53	2	99
54	2	100
55	2	101
56	2	104
57	2	108
58	2	112
59	2	113
60	2	117
61	2	121
62	2	125
63	3	129
64	3	130
65	3	4
66	3	134
67	3	138
68	3	142
69	3	146
70	3	150
71	3	154
72	3	158
73	3	162
74	3	166
75	3	167
76	3	53
77	3	54
78	3	56
79	3	60
80	3	64
81	3	68
82	3	72
83	3	76
84	3	80
85	3	84
86	3	88
87	3	92
88	3	96
89	3	97
90	3	98
91	3	99
92	3	100
93	3	101
94	3	102
95	3	103
96	3	104
97	3	108
98	3	112
99	3	113
100	3	117
101	3	121
102	3	125
\.


--
-- Data for Name: auth_permission; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.auth_permission (id, name, content_type_id, codename) FROM stdin;
1	Can add log entry	1	add_logentry
2	Can change log entry	1	change_logentry
3	Can delete log entry	1	delete_logentry
4	Can view log entry	1	view_logentry
5	Can add permission	2	add_permission
6	Can change permission	2	change_permission
7	Can delete permission	2	delete_permission
8	Can view permission	2	view_permission
9	Can add group	3	add_group
10	Can change group	3	change_group
11	Can delete group	3	delete_group
12	Can view group	3	view_group
13	Can add user	4	add_user
14	Can change user	4	change_user
15	Can delete user	4	delete_user
16	Can view user	4	view_user
17	Can add content type	5	add_contenttype
18	Can change content type	5	change_contenttype
19	Can delete content type	5	delete_contenttype
20	Can view content type	5	view_contenttype
21	Can add session	6	add_session
22	Can change session	6	change_session
23	Can delete session	6	delete_session
24	Can view session	6	view_session
25	Can add email address	7	add_emailaddress
26	Can change email address	7	change_emailaddress
27	Can delete email address	7	delete_emailaddress
28	Can view email address	7	view_emailaddress
29	Can add email confirmation	8	add_emailconfirmation
30	Can change email confirmation	8	change_emailconfirmation
31	Can delete email confirmation	8	delete_emailconfirmation
32	Can view email confirmation	8	view_emailconfirmation
33	Can add authenticator	9	add_authenticator
34	Can change authenticator	9	change_authenticator
35	Can delete authenticator	9	delete_authenticator
36	Can view authenticator	9	view_authenticator
37	Can add procrastinate event	10	add_procrastinateevent
38	Can change procrastinate event	10	change_procrastinateevent
39	Can delete procrastinate event	10	delete_procrastinateevent
40	Can view procrastinate event	10	view_procrastinateevent
41	Can add procrastinate job	11	add_procrastinatejob
42	Can change procrastinate job	11	change_procrastinatejob
43	Can delete procrastinate job	11	delete_procrastinatejob
44	Can view procrastinate job	11	view_procrastinatejob
45	Can add procrastinate periodic defer	12	add_procrastinateperiodicdefer
46	Can change procrastinate periodic defer	12	change_procrastinateperiodicdefer
47	Can delete procrastinate periodic defer	12	delete_procrastinateperiodicdefer
48	Can view procrastinate periodic defer	12	view_procrastinateperiodicdefer
49	Can add procrastinate worker	13	add_procrastinateworker
50	Can change procrastinate worker	13	change_procrastinateworker
51	Can delete procrastinate worker	13	delete_procrastinateworker
52	Can view procrastinate worker	13	view_procrastinateworker
53	Can add debate	14	add_debate
54	Can change debate	14	change_debate
55	Can delete debate	14	delete_debate
56	Can view debate	14	view_debate
57	Can add event head	15	add_eventhead
58	Can change event head	15	change_eventhead
59	Can delete event head	15	delete_eventhead
60	Can view event head	15	view_eventhead
61	Can add participant	16	add_participant
62	Can change participant	16	change_participant
63	Can delete participant	16	delete_participant
64	Can view participant	16	view_participant
65	Can add subject	17	add_subject
66	Can change subject	17	change_subject
67	Can delete subject	17	delete_subject
68	Can view subject	17	view_subject
69	Can add thread	18	add_thread
70	Can change thread	18	change_thread
71	Can delete thread	18	delete_thread
72	Can view thread	18	view_thread
73	Can add round	19	add_round
74	Can change round	19	change_round
75	Can delete round	19	delete_round
76	Can view round	19	view_round
77	Can add turn	20	add_turn
78	Can change turn	20	change_turn
79	Can delete turn	20	delete_turn
80	Can view turn	20	view_turn
81	Can add event	21	add_event
82	Can change event	21	change_event
83	Can delete event	21	delete_event
84	Can view event	21	view_event
85	Can add reason	22	add_reason
86	Can change reason	22	change_reason
87	Can delete reason	22	delete_reason
88	Can view reason	22	view_reason
89	Can add actor	23	add_actor
90	Can change actor	23	change_actor
91	Can delete actor	23	delete_actor
92	Can view actor	23	view_actor
93	Can add evaluation	24	add_evaluation
94	Can change evaluation	24	change_evaluation
95	Can delete evaluation	24	delete_evaluation
96	Can view evaluation	24	view_evaluation
97	Can freeze an evaluation	24	freeze_evaluation
98	Can unfreeze an evaluation	24	unfreeze_evaluation
99	Can override a score	24	override_evaluation
100	Can lift an override	24	lift_evaluation
101	Can strike and reinstate facts	24	strike_evaluation
102	Can roll back an evaluation	24	rollback_evaluation
103	Can rerun an evaluation	24	rerun_evaluation
104	Can export scores	24	export_evaluation
105	Can add fact	25	add_fact
106	Can change fact	25	change_fact
107	Can delete fact	25	delete_fact
108	Can view fact	25	view_fact
109	Can add alert	26	add_alert
110	Can change alert	26	change_alert
111	Can delete alert	26	delete_alert
112	Can view alert	26	view_alert
113	Can acknowledge and dismiss alerts	26	handle_alert
114	Can add rubric	27	add_rubric
115	Can change rubric	27	change_rubric
116	Can delete rubric	27	delete_rubric
117	Can view rubric	27	view_rubric
118	Can add criterion	28	add_criterion
119	Can change criterion	28	change_criterion
120	Can delete criterion	28	delete_criterion
121	Can view criterion	28	view_criterion
122	Can add score change	29	add_scorechange
123	Can change score change	29	change_scorechange
124	Can delete score change	29	delete_scorechange
125	Can view score change	29	view_scorechange
126	Can add approval	30	add_approval
127	Can change approval	30	change_approval
128	Can delete approval	30	delete_approval
129	Can view approval	30	view_approval
130	Can approve an override that somebody else asked for	30	approve_override
131	Can add rescore set	31	add_rescoreset
132	Can change rescore set	31	change_rescoreset
133	Can delete rescore set	31	delete_rescoreset
134	Can view rescore set	31	view_rescoreset
135	Can add claim	32	add_claim
136	Can change claim	32	change_claim
137	Can delete claim	32	delete_claim
138	Can view claim	32	view_claim
139	Can add script	33	add_script
140	Can change script	33	change_script
141	Can delete script	33	delete_script
142	Can view script	33	view_script
143	Can add call	34	add_call
144	Can change call	34	change_call
145	Can delete call	34	delete_call
146	Can view call	34	view_call
147	Can add challenge	35	add_challenge
148	Can change challenge	35	change_challenge
149	Can delete challenge	35	delete_challenge
150	Can view challenge	35	view_challenge
151	Can add defence	36	add_defence
152	Can change defence	36	change_defence
153	Can delete defence	36	delete_defence
154	Can view defence	36	view_defence
155	Can add synthesis	37	add_synthesis
156	Can change synthesis	37	change_synthesis
157	Can delete synthesis	37	delete_synthesis
158	Can view synthesis	37	view_synthesis
159	Can add verdict	38	add_verdict
160	Can change verdict	38	change_verdict
161	Can delete verdict	38	delete_verdict
162	Can view verdict	38	view_verdict
163	Can add review	39	add_review
164	Can change review	39	change_review
165	Can delete review	39	delete_review
166	Can view review	39	view_review
167	Can claim and settle reviews	39	resolve_review
\.


--
-- Data for Name: auth_user; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.auth_user (id, password, last_login, is_superuser, username, first_name, last_name, email, is_staff, is_active, date_joined) FROM stdin;
1	!qWsSyNu5DJ4qDVPlNGGeY9KdpZvMjH3znT9MlaAT	\N	t	alice				t	t	2026-11-22 00:15:29.363856+00
\.


--
-- Data for Name: auth_user_groups; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.auth_user_groups (id, user_id, group_id) FROM stdin;
\.


--
-- Data for Name: auth_user_user_permissions; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.auth_user_user_permissions (id, user_id, permission_id) FROM stdin;
\.


--
-- Data for Name: debates_debate; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.debates_debate (id, public_id, format, title, motion, status, conducted_by, visibility, parameters, rounds, limit_money, limit_tokens, limit_calls, partial, partial_reason, problem, created_at, started_at, concluded_at, created_by_id, repeat_of_id, subject_id) FROM stdin;
1	1902525c-15e0-497d-985a-cd13d64aa8cf	criterion	Pocket parks		concluded	engine	public	{"play": {"personas": ["skeptic", "realist", "first-principles"], "score_updates": "per_round", "challenges_per_criterion": 3}, "score": {"score_low": "1", "score_high": "10", "adjustment_cap": "5", "confidence_cap": "0.5", "weight_by_confidence": false}, "rubric": {"name": "Small exhibition", "slug": "exhibition", "criteria": [{"low": "A theme with objects placed around it and no story.", "code": "V1", "high": "One idea, told through objects in an order, with a beginning and an end.", "name": "Story", "weight": "0.25", "category": "visitors", "question": "What will a visitor understand on leaving that they did not know on entering?"}, {"low": "Access is promised in general or left for later.", "code": "V2", "high": "Each group has a named provision, such as tactile copies, captions, seats and low labels, tried out with such visitors.", "name": "Access", "weight": "0.25", "category": "visitors", "question": "Can everybody take part: wheelchair users, blind and deaf visitors, children, readers of other languages?"}, {"low": "Central objects are only hoped for, or their origin is unclear.", "code": "C1", "high": "A list of objects with owner, condition and provenance; loans are agreed in writing.", "name": "Objects", "weight": "0.15", "category": "collection", "question": "Are the objects at hand, sound enough to show, and clear of claims?"}, {"low": "Fragile objects would stand in the open, or conservation is not mentioned.", "code": "C2", "high": "Limits for light and humidity, cases, guards and insurance are stated object by object.", "name": "Care", "weight": "0.15", "category": "collection", "question": "Will the objects be safe from light, damp, touch and theft?"}, {"low": "No budget or dates, or work that the house cannot do.", "code": "K1", "high": "A budget by item, a schedule up to opening day, and somebody responsible for each part.", "name": "Making", "weight": "0.2", "category": "making", "question": "Can it be built with the staff, the money and the weeks there are?"}], "description": "Five questions for a museum or library that chooses between proposals for a small exhibition. An example of a rubric of one's own: copy it, change the words, keep the keys."}, "initial": {}}	2	\N	\N	\N	f			2026-11-22 00:15:21.110411+00	2026-11-22 00:15:21.396679+00	2026-11-22 00:15:22.359213+00	\N	\N	1
2	7b5f4840-dc69-47c7-ad37-704a85ee60f1	criterion	Pocket parks		scheduled	engine	public	{"play": {"personas": ["skeptic", "realist", "first-principles"], "score_updates": "per_round", "challenges_per_criterion": 3}, "score": {"score_low": "1", "score_high": "10", "adjustment_cap": "5", "confidence_cap": "0.5", "weight_by_confidence": false}, "rubric": {"name": "Small exhibition", "slug": "exhibition", "criteria": [{"low": "A theme with objects placed around it and no story.", "code": "V1", "high": "One idea, told through objects in an order, with a beginning and an end.", "name": "Story", "weight": "0.25", "category": "visitors", "question": "What will a visitor understand on leaving that they did not know on entering?"}, {"low": "Access is promised in general or left for later.", "code": "V2", "high": "Each group has a named provision, such as tactile copies, captions, seats and low labels, tried out with such visitors.", "name": "Access", "weight": "0.25", "category": "visitors", "question": "Can everybody take part: wheelchair users, blind and deaf visitors, children, readers of other languages?"}, {"low": "Central objects are only hoped for, or their origin is unclear.", "code": "C1", "high": "A list of objects with owner, condition and provenance; loans are agreed in writing.", "name": "Objects", "weight": "0.15", "category": "collection", "question": "Are the objects at hand, sound enough to show, and clear of claims?"}, {"low": "Fragile objects would stand in the open, or conservation is not mentioned.", "code": "C2", "high": "Limits for light and humidity, cases, guards and insurance are stated object by object.", "name": "Care", "weight": "0.15", "category": "collection", "question": "Will the objects be safe from light, damp, touch and theft?"}, {"low": "No budget or dates, or work that the house cannot do.", "code": "K1", "high": "A budget by item, a schedule up to opening day, and somebody responsible for each part.", "name": "Making", "weight": "0.2", "category": "making", "question": "Can it be built with the staff, the money and the weeks there are?"}], "description": "Five questions for a museum or library that chooses between proposals for a small exhibition. An example of a rubric of one's own: copy it, change the words, keep the keys."}, "initial": {}}	1	\N	\N	\N	f			2026-11-22 00:15:29.774334+00	2026-11-22 00:15:30.221317+00	\N	1	\N	2
\.


--
-- Data for Name: debates_event; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.debates_event (id, seq, type, audience, data, at, debate_id) FROM stdin;
1	1	debate:started	public	{"format": "criterion", "rounds": 2, "threads": 2}	2026-11-22 00:15:21.779469+00	1
2	2	thread:started	public	{"run": 1, "criterion": "V1"}	2026-11-22 00:15:21.903895+00	1
3	3	round:started	public	{"run": 1, "round": 1, "criterion": "V1"}	2026-11-22 00:15:21.903895+00	1
4	4	thread:started	public	{"run": 1, "criterion": "C1"}	2026-11-22 00:15:21.916535+00	1
5	5	round:started	public	{"run": 1, "round": 1, "criterion": "C1"}	2026-11-22 00:15:21.916535+00	1
6	6	turn:added	public	{"kind": "challenge", "role": "challenger", "turn": "5912f3f7-6799-4884-a599-a6f296ba42c8", "round": 1, "criterion": "C1"}	2026-11-22 00:15:21.937066+00	1
7	7	turn:added	public	{"kind": "challenge", "role": "challenger", "turn": "6038f84c-2703-4567-9bbd-2e443b66b108", "round": 1, "criterion": "C1"}	2026-11-22 00:15:21.937066+00	1
8	8	turn:added	public	{"kind": "challenge", "role": "challenger", "turn": "c918ee5e-42c9-45f3-b241-568b85a0244e", "round": 1, "criterion": "C1"}	2026-11-22 00:15:21.937066+00	1
9	9	turn:added	public	{"kind": "challenge", "role": "challenger", "turn": "335424fe-4469-4c1a-ae75-cd19fa334342", "round": 1, "criterion": "V1"}	2026-11-22 00:15:21.933354+00	1
10	10	turn:added	public	{"kind": "challenge", "role": "challenger", "turn": "0caae236-ba02-480b-bd0f-2971a390dc88", "round": 1, "criterion": "V1"}	2026-11-22 00:15:21.933354+00	1
11	11	turn:added	public	{"kind": "challenge", "role": "challenger", "turn": "ff7e2802-0445-48ac-bca0-4d3e270d36c0", "round": 1, "criterion": "V1"}	2026-11-22 00:15:21.933354+00	1
12	12	turn:added	public	{"kind": "defence", "role": "evaluator", "turn": "00635f3b-7838-447a-8b6d-e1bd17a300a5", "round": 1, "criterion": "C1"}	2026-11-22 00:15:21.993261+00	1
13	13	turn:added	public	{"kind": "defence", "role": "evaluator", "turn": "c1495646-df44-46ff-9e97-8e1c9144ae57", "round": 1, "criterion": "C1"}	2026-11-22 00:15:21.993261+00	1
14	14	turn:added	public	{"kind": "defence", "role": "evaluator", "turn": "31087432-23e7-43c6-b912-9a11c5e83991", "round": 1, "criterion": "C1"}	2026-11-22 00:15:21.993261+00	1
15	15	turn:added	public	{"kind": "defence", "role": "evaluator", "turn": "b4fe87eb-9ea5-4cb7-a658-26f63f087f3d", "round": 1, "criterion": "V1"}	2026-11-22 00:15:22.013549+00	1
16	16	turn:added	public	{"kind": "defence", "role": "evaluator", "turn": "335ccb8f-217b-46ba-9b63-3c17fa2cb8d6", "round": 1, "criterion": "V1"}	2026-11-22 00:15:22.013549+00	1
17	17	turn:added	public	{"kind": "defence", "role": "evaluator", "turn": "ec043e49-e782-4590-83c8-9bf8823f9cde", "round": 1, "criterion": "V1"}	2026-11-22 00:15:22.013549+00	1
18	18	verdict:issued	public	{"round": 1, "impact": "-0.01", "winner": "red_team", "verdict": "d094e856-52e8-4ed9-af0f-7ef66a6d28e8", "challenge": "C1", "criterion": "C1", "adjustment": "-0.19"}	2026-11-22 00:15:22.029683+00	1
19	19	verdict:issued	public	{"round": 1, "impact": "-0.01", "winner": "red_team", "verdict": "fe4390a9-18ba-43e5-967e-31bd5c31480f", "challenge": "C2", "criterion": "C1", "adjustment": "-0.09"}	2026-11-22 00:15:22.029683+00	1
20	20	verdict:issued	public	{"round": 1, "impact": "-0.01", "winner": "red_team", "verdict": "cd679303-2215-4f0e-a035-eb698b7b58bc", "challenge": "C3", "criterion": "C1", "adjustment": "-0.09"}	2026-11-22 00:15:22.029683+00	1
21	21	criterion:score-updated	public	{"kind": "round", "after": "1.83", "delta": "-0.37", "entry": 2, "round": 1, "before": "2.20", "category": "collection", "verdicts": ["d094e856-52e8-4ed9-af0f-7ef66a6d28e8", "fe4390a9-18ba-43e5-967e-31bd5c31480f", "cd679303-2215-4f0e-a035-eb698b7b58bc"], "criterion": "C1", "evaluation": "daeda306-e8ec-44a6-a179-6f66dc5d84bd", "reasonCode": ""}	2026-11-22 00:15:22.029683+00	1
22	22	score:updated	public	{"round": 1, "category": "collection", "criterion": "C1", "evaluation": "daeda306-e8ec-44a6-a179-6f66dc5d84bd", "instrument": "criterion", "participant": null, "totalRounds": 2, "currentScore": "1.83", "originalScore": "2.20"}	2026-11-22 00:15:22.029683+00	1
23	23	round:complete	public	{"run": 1, "round": 1, "score": "1.83", "criterion": "C1", "unanswered": [], "totalRounds": 2}	2026-11-22 00:15:22.029683+00	1
24	24	criterion:complete	public	{"rounds": 1, "because": "nothing_left_open", "partial": false, "category": "collection", "criterion": "C1", "evaluation": "daeda306-e8ec-44a6-a179-6f66dc5d84bd", "finalScore": "1.83", "originalScore": "2.20"}	2026-11-22 00:15:22.029683+00	1
25	25	verdict:issued	public	{"round": 1, "impact": "-0.01", "winner": "red_team", "verdict": "f079f104-b625-40a5-b616-dfe75ea177db", "challenge": "C1", "criterion": "V1", "adjustment": "-0.19"}	2026-11-22 00:15:22.053799+00	1
26	26	verdict:issued	public	{"round": 1, "impact": "-0.01", "winner": "red_team", "verdict": "a0327e25-57ea-4e08-86f3-a335383b4761", "challenge": "C2", "criterion": "V1", "adjustment": "-0.09"}	2026-11-22 00:15:22.053799+00	1
27	27	verdict:issued	public	{"round": 1, "impact": "-0.01", "winner": "red_team", "verdict": "2a140ccb-56ca-4586-98cb-eb00493387a7", "challenge": "C3", "criterion": "V1", "adjustment": "-0.09"}	2026-11-22 00:15:22.053799+00	1
28	28	criterion:score-updated	public	{"kind": "round", "after": "1.83", "delta": "-0.37", "entry": 2, "round": 1, "before": "2.20", "category": "visitors", "verdicts": ["f079f104-b625-40a5-b616-dfe75ea177db", "a0327e25-57ea-4e08-86f3-a335383b4761", "2a140ccb-56ca-4586-98cb-eb00493387a7"], "criterion": "V1", "evaluation": "66ee116c-8f61-4d3f-a8ea-d9b8128b01ad", "reasonCode": ""}	2026-11-22 00:15:22.053799+00	1
29	29	score:updated	public	{"round": 1, "category": "visitors", "criterion": "V1", "evaluation": "66ee116c-8f61-4d3f-a8ea-d9b8128b01ad", "instrument": "criterion", "participant": null, "totalRounds": 2, "currentScore": "1.83", "originalScore": "2.20"}	2026-11-22 00:15:22.053799+00	1
30	30	round:complete	public	{"run": 1, "round": 1, "score": "1.83", "criterion": "V1", "unanswered": [], "totalRounds": 2}	2026-11-22 00:15:22.053799+00	1
31	31	criterion:complete	public	{"rounds": 1, "because": "nothing_left_open", "partial": false, "category": "visitors", "criterion": "V1", "evaluation": "66ee116c-8f61-4d3f-a8ea-d9b8128b01ad", "finalScore": "1.83", "originalScore": "2.20"}	2026-11-22 00:15:22.053799+00	1
32	32	turn:added	public	{"kind": "synthesis", "role": "arbiter", "turn": "76086bec-2777-4ddb-9a2b-2d4118e0f3f8"}	2026-11-22 00:15:22.359213+00	1
33	33	synthesis:complete	public	{"number": 1, "overall": {"band": "poor", "after": "1.83", "before": "2.20", "coverage": "0.80", "recommendation": "abandon"}}	2026-11-22 00:15:22.359213+00	1
34	34	alert:raised	moderators	{"code": "one_sided", "alert": "f9744fc2-e499-46ec-b4e0-488dcdecd4bc", "severity": "warning", "evaluation": null}	2026-11-22 00:15:22.359213+00	1
35	35	debate:concluded	public	{"reason": "", "partial": false}	2026-11-22 00:15:22.359213+00	1
36	36	criterion:score-updated	public	{"kind": "override", "after": "7.50", "delta": "5.67", "entry": 4, "round": 1, "before": "1.83", "category": "visitors", "verdicts": [], "criterion": "V1", "evaluation": "66ee116c-8f61-4d3f-a8ea-d9b8128b01ad", "reasonCode": ""}	2026-11-22 00:15:29.406328+00	1
37	37	score:overridden	public	{"after": "7.50", "entry": 4, "before": "1.83", "criterion": "V1", "evaluation": "66ee116c-8f61-4d3f-a8ea-d9b8128b01ad"}	2026-11-22 00:15:29.406328+00	1
38	38	criterion:score-updated	public	{"kind": "strike", "after": "2.02", "delta": "0.19", "entry": 4, "round": 1, "before": "1.83", "category": "collection", "verdicts": ["d094e856-52e8-4ed9-af0f-7ef66a6d28e8"], "criterion": "C1", "evaluation": "daeda306-e8ec-44a6-a179-6f66dc5d84bd", "reasonCode": ""}	2026-11-22 00:15:29.537766+00	1
39	39	score:struck	public	{"after": "2.02", "entry": 4, "before": "1.83", "criterion": "C1", "evaluation": "daeda306-e8ec-44a6-a179-6f66dc5d84bd"}	2026-11-22 00:15:29.537766+00	1
40	40	criterion:score-updated	public	{"kind": "rollback", "after": "1.83", "delta": "-0.19", "entry": 5, "round": 1, "before": "2.02", "category": "collection", "verdicts": [], "criterion": "C1", "evaluation": "daeda306-e8ec-44a6-a179-6f66dc5d84bd", "reasonCode": ""}	2026-11-22 00:15:29.589711+00	1
41	41	score:rolled_back	public	{"after": "1.83", "entry": 5, "before": "2.02", "criterion": "C1", "evaluation": "daeda306-e8ec-44a6-a179-6f66dc5d84bd"}	2026-11-22 00:15:29.589711+00	1
42	42	score:frozen	public	{"after": "7.50", "entry": 5, "before": "7.50", "criterion": "V1", "evaluation": "66ee116c-8f61-4d3f-a8ea-d9b8128b01ad"}	2026-11-22 00:15:29.667428+00	1
\.


--
-- Data for Name: debates_eventhead; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.debates_eventhead (debate_id, seq) FROM stdin;
1	42
2	0
\.


--
-- Data for Name: debates_participant; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.debates_participant (id, public_id, role, kind, name, "position", provider, model, debate_id) FROM stdin;
1	3aa57e2e-e63d-4216-b50e-7800f8278f7e	evaluator	engine	Evaluator	1	heuristic		1
2	1e7126ac-6d98-48bb-845d-34f6d625cbfe	challenger	engine	Red team	2	heuristic		1
3	de86dc6f-bec3-4134-a377-99487174dece	arbiter	engine	Arbiter	3	heuristic		1
4	1beca80c-6adc-4a75-8dd5-84d9ee8d1154	evaluator	engine	Evaluator	1	heuristic		2
5	291f713a-5088-4b23-a2b4-fa88a829125d	challenger	engine	Red team	2	heuristic		2
6	31d7bc71-27af-44c9-8b3b-cd208122afd1	arbiter	engine	Arbiter	3	heuristic		2
\.


--
-- Data for Name: debates_round; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.debates_round (id, public_id, run_number, number, opened_at, closed_at, thread_id) FROM stdin;
2	fa739b47-fd01-40d3-8e09-150f7372b3d6	1	1	2026-11-22 00:15:21.916535+00	2026-11-22 00:15:22.029683+00	2
1	a999d3b9-5d06-457c-a90a-34c587ed23d1	1	1	2026-11-22 00:15:21.903895+00	2026-11-22 00:15:22.053799+00	1
\.


--
-- Data for Name: debates_subject; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.debates_subject (id, public_id, title, text, created_at, created_by_id) FROM stdin;
1	45f0cce5-929d-4f5b-ba74-d58f5193463e	Pocket parks	# Pocket parks\n\nThe town turns three parking bays into small gardens in 2027. Each costs 4,000; neighbours water them. We asked 60\nhouseholds in May, and 41 are for it. We have not asked the two shops beside them.\n	2026-11-22 00:15:21.106176+00	\N
2	14744b63-133e-42cf-ae4e-5081d3ddf7e2	Pocket parks	# Pocket parks\n\nThe town turns three parking bays into small gardens in 2027. Each costs 4,000; neighbours water them. We asked 60\nhouseholds in May, and 41 are for it. We have not asked the two shops beside them.\n	2026-11-22 00:15:29.743132+00	1
\.


--
-- Data for Name: debates_thread; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.debates_thread (id, public_id, key, "position", status, run_number, rounds_played, fence, ended_because, debate_id) FROM stdin;
2	e850acf7-f1a9-4d26-86ac-3635d9b75a5c	C1	2	complete	1	1	2	nothing_left_open	1
1	2bfec383-1e74-430b-b46e-5c5e6574cb89	V1	1	complete	1	1	2	nothing_left_open	1
3	68cc1e38-d2f3-442d-935e-4e3a5c30db28	V2	1	pending	1	0	0		2
4	1d2ea393-453a-4caf-a580-4eaa3683f69b	K1	2	pending	1	0	0		2
\.


--
-- Data for Name: debates_turn; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.debates_turn (id, public_id, kind, slot, text, at, answers_id, debate_id, participant_id, round_id, thread_id) FROM stdin;
1	335424fe-4469-4c1a-ae75-cd19fa334342	challenge	challenge:C1	On “Story” the text offers nothing at all. It does not say what answers “What will a visitor understand on leaving that they did not know on entering?”, so there is nothing here to believe or to check.	2026-11-22 00:15:21.933354+00	\N	1	2	1	1
2	0caae236-ba02-480b-bd0f-2971a390dc88	challenge	challenge:C2	Whoever had to carry this out would ask at once about “Story”, and the text does not say what answers “What will a visitor understand on leaving that they did not know on entering?”.	2026-11-22 00:15:21.933354+00	\N	1	2	1	1
3	ff7e2802-0445-48ac-bca0-4d3e270d36c0	challenge	challenge:C3	The argument leaves a hole at “Story”: without knowing what answers “What will a visitor understand on leaving that they did not know on entering?”, the conclusion does not follow from anything.	2026-11-22 00:15:21.933354+00	\N	1	2	1	1
4	5912f3f7-6799-4884-a599-a6f296ba42c8	challenge	challenge:C1	On “Objects” the text offers nothing at all. It does not say what answers “Are the objects at hand, sound enough to show, and clear of claims?”, so there is nothing here to believe or to check.	2026-11-22 00:15:21.937066+00	\N	1	2	2	2
5	6038f84c-2703-4567-9bbd-2e443b66b108	challenge	challenge:C2	Whoever had to carry this out would ask at once about “Objects”, and the text does not say what answers “Are the objects at hand, sound enough to show, and clear of claims?”.	2026-11-22 00:15:21.937066+00	\N	1	2	2	2
6	c918ee5e-42c9-45f3-b241-568b85a0244e	challenge	challenge:C3	The argument leaves a hole at “Objects”: without knowing what answers “Are the objects at hand, sound enough to show, and clear of claims?”, the conclusion does not follow from anything.	2026-11-22 00:15:21.937066+00	\N	1	2	2	2
7	00635f3b-7838-447a-8b6d-e1bd17a300a5	defence	defence:C1	Conceded. Where the challenge asks about “Objects”, the text is silent.	2026-11-22 00:15:21.993261+00	4	1	1	2	2
8	c1495646-df44-46ff-9e97-8e1c9144ae57	defence	defence:C2	The text has no passage that answers the challenge on “Objects”; the point is given.	2026-11-22 00:15:21.993261+00	5	1	1	2	2
9	31087432-23e7-43c6-b912-9a11c5e83991	defence	defence:C3	Conceded. Where the challenge asks about “Objects”, the text is silent.	2026-11-22 00:15:21.993261+00	6	1	1	2	2
10	b4fe87eb-9ea5-4cb7-a658-26f63f087f3d	defence	defence:C1	Conceded. Where the challenge asks about “Story”, the text is silent.	2026-11-22 00:15:22.013549+00	1	1	1	1	1
11	335ccb8f-217b-46ba-9b63-3c17fa2cb8d6	defence	defence:C2	The text has no passage that answers the challenge on “Story”; the point is given.	2026-11-22 00:15:22.013549+00	2	1	1	1	1
12	ec043e49-e782-4590-83c8-9bf8823f9cde	defence	defence:C3	Conceded. Where the challenge asks about “Story”, the text is silent.	2026-11-22 00:15:22.013549+00	3	1	1	1	1
13	76086bec-2777-4ddb-9a2b-2d4118e0f3f8	synthesis	synthesis:1	Pocket parks fell from 2.20 to 1.83 overall in the debate. Of 2 criteria, 0 rose and 2 fell. The recommendation is: abandon. The evaluator won 0 % of the rulings.\n\nWeaknesses:\n- Objects (1.83): the text does not say what answers “Are the objects at hand, sound enough to show, and clear of claims?”.\n- Story (1.83): the text does not say what answers “What will a visitor understand on leaving that they did not know on entering?”.\n\nAdvice:\n- Objects: answer “Are the objects at hand, sound enough to show, and clear of claims?”. What earns a high score: A list of objects with owner, condition and provenance; loans are agreed in writing. Give a source, a number and a reason with it.\n- Story: answer “What will a visitor understand on leaving that they did not know on entering?”. What earns a high score: One idea, told through objects in an order, with a beginning and an end. Give a source, a number and a reason with it.	2026-11-22 00:15:22.359213+00	\N	1	3	\N	\N
\.


--
-- Data for Name: django_admin_log; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.django_admin_log (id, action_time, object_id, object_repr, action_flag, change_message, content_type_id, user_id) FROM stdin;
\.


--
-- Data for Name: django_content_type; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.django_content_type (id, app_label, model) FROM stdin;
1	admin	logentry
2	auth	permission
3	auth	group
4	auth	user
5	contenttypes	contenttype
6	sessions	session
7	account	emailaddress
8	account	emailconfirmation
9	mfa	authenticator
10	procrastinate	procrastinateevent
11	procrastinate	procrastinatejob
12	procrastinate	procrastinateperiodicdefer
13	procrastinate	procrastinateworker
14	debates	debate
15	debates	eventhead
16	debates	participant
17	debates	subject
18	debates	thread
19	debates	round
20	debates	turn
21	debates	event
22	scoring	reason
23	scoring	actor
24	scoring	evaluation
25	scoring	fact
26	scoring	alert
27	scoring	rubric
28	scoring	criterion
29	scoring	scorechange
30	scoring	approval
31	scoring	rescoreset
32	judging	claim
33	judging	script
34	judging	call
35	judging	challenge
36	judging	defence
37	judging	synthesis
38	judging	verdict
39	judging	review
\.


--
-- Data for Name: django_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.django_migrations (id, app, name, applied) FROM stdin;
1	contenttypes	0001_initial	2026-11-22 00:15:01.501717+00
2	auth	0001_initial	2026-11-22 00:15:01.594859+00
3	account	0001_initial	2026-11-22 00:15:01.676237+00
4	account	0002_email_max_length	2026-11-22 00:15:01.715427+00
5	account	0003_alter_emailaddress_create_unique_verified_email	2026-11-22 00:15:01.79104+00
6	account	0004_alter_emailaddress_drop_unique_email	2026-11-22 00:15:01.834748+00
7	account	0005_emailaddress_idx_upper_email	2026-11-22 00:15:01.871115+00
8	account	0006_emailaddress_lower	2026-11-22 00:15:01.923541+00
9	account	0007_emailaddress_idx_email	2026-11-22 00:15:01.970049+00
10	account	0008_emailaddress_unique_primary_email_fixup	2026-11-22 00:15:01.999799+00
11	account	0009_emailaddress_unique_primary_email	2026-11-22 00:15:02.045554+00
12	admin	0001_initial	2026-11-22 00:15:02.08764+00
13	admin	0002_logentry_remove_auto_add	2026-11-22 00:15:02.113647+00
14	admin	0003_logentry_add_action_flag_choices	2026-11-22 00:15:02.148367+00
15	contenttypes	0002_remove_content_type_name	2026-11-22 00:15:02.181774+00
16	auth	0002_alter_permission_name_max_length	2026-11-22 00:15:02.198086+00
17	auth	0003_alter_user_email_max_length	2026-11-22 00:15:02.225557+00
18	auth	0004_alter_user_username_opts	2026-11-22 00:15:02.266289+00
19	auth	0005_alter_user_last_login_null	2026-11-22 00:15:02.305964+00
20	auth	0006_require_contenttypes_0002	2026-11-22 00:15:02.309605+00
21	auth	0007_alter_validators_add_error_messages	2026-11-22 00:15:02.33958+00
22	auth	0008_alter_user_username_max_length	2026-11-22 00:15:02.392149+00
23	auth	0009_alter_user_last_name_max_length	2026-11-22 00:15:02.439079+00
24	auth	0010_alter_group_name_max_length	2026-11-22 00:15:02.467492+00
25	auth	0011_update_proxy_permissions	2026-11-22 00:15:02.495471+00
26	auth	0012_alter_user_first_name_max_length	2026-11-22 00:15:02.52075+00
27	config	0001_cache_table	2026-11-22 00:15:02.529497+00
28	debates	0001_initial	2026-11-22 00:15:04.081107+00
29	debates	0002_guards_v1	2026-11-22 00:15:04.102329+00
30	scoring	0001_initial	2026-11-22 00:15:07.544794+00
31	scoring	0002_ledger_v1	2026-11-22 00:15:07.590731+00
32	scoring	0003_desk	2026-11-22 00:15:07.862943+00
33	judging	0001_initial	2026-11-22 00:15:09.512339+00
34	judging	0002_guards_v1	2026-11-22 00:15:09.525566+00
35	judging	0003_review	2026-11-22 00:15:09.732183+00
36	judging	0004_review_v1	2026-11-22 00:15:09.748715+00
37	judging	0005_ask_in_open_debates	2026-11-22 00:15:09.988735+00
38	mfa	0001_initial	2026-11-22 00:15:10.14184+00
39	mfa	0002_authenticator_timestamps	2026-11-22 00:15:10.282758+00
40	mfa	0003_authenticator_type_uniq	2026-11-22 00:15:10.484564+00
41	procrastinate	0001_initial	2026-11-22 00:15:10.538865+00
42	procrastinate	0002_drop_started_at_column	2026-11-22 00:15:10.554719+00
43	procrastinate	0003_drop_started_at_column	2026-11-22 00:15:10.574334+00
44	procrastinate	0004_drop_procrastinate_version_table	2026-11-22 00:15:10.593637+00
45	procrastinate	0005_fix_procrastinate_fetch_job	2026-11-22 00:15:10.610003+00
46	procrastinate	0006_fix_trigger_status_events_insert	2026-11-22 00:15:10.625563+00
47	procrastinate	0007_add_queueing_lock_column	2026-11-22 00:15:10.639493+00
48	procrastinate	0008_close_fetch_job_race_condition	2026-11-22 00:15:10.659962+00
49	procrastinate	0009_add_defer_job_function	2026-11-22 00:15:10.68217+00
50	procrastinate	0010_add_procrastinate_periodic_defers	2026-11-22 00:15:10.708038+00
51	procrastinate	0011_add_foreign_key_index	2026-11-22 00:15:10.727353+00
52	procrastinate	0012_add_locks_to_periodic_defer	2026-11-22 00:15:10.749639+00
53	procrastinate	0013_fix_procrastinate_defer_periodic_job	2026-11-22 00:15:10.768007+00
54	procrastinate	0014_add_finish_job_and_retry_job_functions	2026-11-22 00:15:10.787926+00
55	procrastinate	0015_add_trigger_on_job_deletion	2026-11-22 00:15:10.807926+00
56	procrastinate	0016_delete_finished_jobs	2026-11-22 00:15:10.825604+00
57	procrastinate	0017_add_checks_to_finish_job	2026-11-22 00:15:10.837373+00
58	procrastinate	0018_add_checks_to_retry_job	2026-11-22 00:15:10.852728+00
59	procrastinate	0019_fix_finish_job_compat_issue	2026-11-22 00:15:10.866992+00
60	procrastinate	0020_add_index_on_procrastinate_jobs	2026-11-22 00:15:10.878317+00
61	procrastinate	0021_add_kwargs_to_defer_periodic_job	2026-11-22 00:15:10.901676+00
62	procrastinate	0022_null_locks_excluded	2026-11-22 00:15:10.918622+00
63	procrastinate	0023_remove_old_finish_job_function	2026-11-22 00:15:10.935141+00
64	procrastinate	0024_job_id_bigint	2026-11-22 00:15:10.964497+00
65	procrastinate	0025_add_models	2026-11-22 00:15:11.003982+00
66	procrastinate	0026_add_job_priority	2026-11-22 00:15:11.032916+00
67	procrastinate	0027_add_periodic_job_priority	2026-11-22 00:15:11.050268+00
68	procrastinate	0028_add_cancel_states	2026-11-22 00:15:11.097963+00
69	procrastinate	0029_add_additional_params_to_retry_job	2026-11-22 00:15:11.113053+00
70	procrastinate	0030_alter_procrastinateevent_options	2026-11-22 00:15:11.124841+00
71	procrastinate	0031_add_indexes_for_fetch_job	2026-11-22 00:15:11.156208+00
72	procrastinate	0032_pre_cancel_notification	2026-11-22 00:15:11.188268+00
73	procrastinate	0033_post_cancel_notification	2026-11-22 00:15:11.218912+00
74	procrastinate	0034_pre_add_heartbeat	2026-11-22 00:15:11.250613+00
75	procrastinate	0035_post_add_heartbeat	2026-11-22 00:15:11.26551+00
76	procrastinate	0036_add_worker_model	2026-11-22 00:15:11.284705+00
77	procrastinate	0037_pre_batch_defer_jobs	2026-11-22 00:15:11.303863+00
78	procrastinate	0038_post_batch_defer_jobs	2026-11-22 00:15:11.313707+00
79	procrastinate	0039_pre_priority_lock_fetch_job	2026-11-22 00:15:11.324667+00
80	procrastinate	0040_pre_retry_failed_job	2026-11-22 00:15:11.343427+00
81	procrastinate	0041_post_retry_failed_job	2026-11-22 00:15:11.354376+00
82	scoring	0004_desk_v1	2026-11-22 00:15:11.364566+00
83	sessions	0001_initial	2026-11-22 00:15:11.3933+00
\.


--
-- Data for Name: django_session; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.django_session (session_key, session_data, expire_date) FROM stdin;
\.


--
-- Data for Name: judging_call; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.judging_call (id, public_id, run_number, round_number, purpose, attempt, prompt_name, prompt_version, prompt_digest, provider, model, parameters, raw_answer, outcome, problem, tokens_in, tokens_out, cost, milliseconds, at, debate_id, participant_id, thread_id) FROM stdin;
1	16708076-9e9d-4a84-a97d-945360a20e71	1	0	assess	1	assess	1	a4dbc70c777b0b656f814f89ce9ebfe041fdfaf47f7f241a4b5e6b43c968262c	heuristic	heuristic-1	{"temperature": "0.2", "max_output_tokens": 1200}	{"score": "2.20", "confidence": "0.28", "reasoning": "The text does not say what answers “What will a visitor understand on leaving that they did not know on entering?”. A criterion on which a text is silent starts low, and this score is not very sure.", "quotes": []}	used		0	0	0.000000	71	2026-11-22 00:15:21.757774+00	1	1	1
2	5a8ff123-2844-4b63-b470-af42554d6a7d	1	0	assess	1	assess	1	a4dbc70c777b0b656f814f89ce9ebfe041fdfaf47f7f241a4b5e6b43c968262c	heuristic	heuristic-1	{"temperature": "0.2", "max_output_tokens": 1200}	{"score": "2.20", "confidence": "0.28", "reasoning": "The text does not say what answers “Are the objects at hand, sound enough to show, and clear of claims?”. A criterion on which a text is silent starts low, and this score is not very sure.", "quotes": []}	used		0	0	0.000000	94	2026-11-22 00:15:21.748304+00	1	1	2
3	6966dfc5-352a-4ca7-9e57-eede5f9be4f3	1	1	challenge	1	challenge	1	0593ea4e5ef5a96a0a034e4f73ae79f36483486ad4c4e85c8da5e99625d2cece	heuristic	heuristic-1	{"temperature": "0.2", "max_output_tokens": 1200}	{"challenges": [{"persona": "skeptic", "severity": "critical", "quote": "", "text": "On “Story” the text offers nothing at all. It does not say what answers “What will a visitor understand on leaving that they did not know on entering?”, so there is nothing here to believe or to check."}, {"persona": "realist", "severity": "significant", "quote": "", "text": "Whoever had to carry this out would ask at once about “Story”, and the text does not say what answers “What will a visitor understand on leaving that they did not know on entering?”."}, {"persona": "first-principles", "severity": "significant", "quote": "", "text": "The argument leaves a hole at “Story”: without knowing what answers “What will a visitor understand on leaving that they did not know on entering?”, the conclusion does not follow from anything."}]}	used		0	0	0.000000	1	2026-11-22 00:15:21.933354+00	1	2	1
4	64eceb0b-b6da-48da-beb5-ae297896ed33	1	1	challenge	1	challenge	1	0593ea4e5ef5a96a0a034e4f73ae79f36483486ad4c4e85c8da5e99625d2cece	heuristic	heuristic-1	{"temperature": "0.2", "max_output_tokens": 1200}	{"challenges": [{"persona": "skeptic", "severity": "critical", "quote": "", "text": "On “Objects” the text offers nothing at all. It does not say what answers “Are the objects at hand, sound enough to show, and clear of claims?”, so there is nothing here to believe or to check."}, {"persona": "realist", "severity": "significant", "quote": "", "text": "Whoever had to carry this out would ask at once about “Objects”, and the text does not say what answers “Are the objects at hand, sound enough to show, and clear of claims?”."}, {"persona": "first-principles", "severity": "significant", "quote": "", "text": "The argument leaves a hole at “Objects”: without knowing what answers “Are the objects at hand, sound enough to show, and clear of claims?”, the conclusion does not follow from anything."}]}	used		0	0	0.000000	2	2026-11-22 00:15:21.937066+00	1	2	2
5	3e6eed27-2f7d-4741-be5b-9ce40617fa7e	1	1	defend	1	defend	1	8532a448f9dd491fb9a8eaa5160886991eb92b9f3cc8fde2fce11e1fa26ff053	heuristic	heuristic-1	{"temperature": "0.2", "max_output_tokens": 1200}	{"defences": [{"challenge": "C1", "reply": "concede", "text": "Conceded. Where the challenge asks about “Objects”, the text is silent.", "quotes": []}, {"challenge": "C2", "reply": "concede", "text": "The text has no passage that answers the challenge on “Objects”; the point is given.", "quotes": []}, {"challenge": "C3", "reply": "concede", "text": "Conceded. Where the challenge asks about “Objects”, the text is silent.", "quotes": []}]}	used		0	0	0.000000	2	2026-11-22 00:15:21.993261+00	1	1	2
6	2fbe54e1-a01a-40a4-81bc-bfba34e0dd23	1	1	defend	1	defend	1	8532a448f9dd491fb9a8eaa5160886991eb92b9f3cc8fde2fce11e1fa26ff053	heuristic	heuristic-1	{"temperature": "0.2", "max_output_tokens": 1200}	{"defences": [{"challenge": "C1", "reply": "concede", "text": "Conceded. Where the challenge asks about “Story”, the text is silent.", "quotes": []}, {"challenge": "C2", "reply": "concede", "text": "The text has no passage that answers the challenge on “Story”; the point is given.", "quotes": []}, {"challenge": "C3", "reply": "concede", "text": "Conceded. Where the challenge asks about “Story”, the text is silent.", "quotes": []}]}	used		0	0	0.000000	11	2026-11-22 00:15:22.013549+00	1	1	1
7	350ce457-78b3-4a3a-b357-d94150784d93	1	1	judge	1	judge	1	0df4b00a22096acaf40a2451784ef7cf54c38075e51d6dabe7457066452c7c06	heuristic	heuristic-1	{"temperature": "0.2", "max_output_tokens": 1200}	{"verdicts": [{"challenge": "C1", "winner": "red_team", "adjustment": "-0.19", "impact": "-0.01", "confidence": "0.85", "reasoning": "Conceded. A search of the text finds no passage on “Objects” that gives a source and a number, so the critical challenge holds."}, {"challenge": "C2", "winner": "red_team", "adjustment": "-0.09", "impact": "-0.01", "confidence": "0.85", "reasoning": "Conceded. A search of the text finds no passage on “Objects” that gives a length of time and an amount of money, so the significant challenge holds."}, {"challenge": "C3", "winner": "red_team", "adjustment": "-0.09", "impact": "-0.01", "confidence": "0.85", "reasoning": "Conceded. A search of the text finds no passage on “Objects” that gives a reason and a comparison, so the significant challenge holds."}]}	used		0	0	0.000000	7	2026-11-22 00:15:22.029683+00	1	3	2
8	0bf80e09-ea59-4b01-b256-610a5c8f10fc	1	1	judge	1	judge	1	0df4b00a22096acaf40a2451784ef7cf54c38075e51d6dabe7457066452c7c06	heuristic	heuristic-1	{"temperature": "0.2", "max_output_tokens": 1200}	{"verdicts": [{"challenge": "C1", "winner": "red_team", "adjustment": "-0.19", "impact": "-0.01", "confidence": "0.85", "reasoning": "Conceded. A search of the text finds no passage on “Story” that gives a source and a number, so the critical challenge holds."}, {"challenge": "C2", "winner": "red_team", "adjustment": "-0.09", "impact": "-0.01", "confidence": "0.85", "reasoning": "Conceded. A search of the text finds no passage on “Story” that gives a length of time and an amount of money, so the significant challenge holds."}, {"challenge": "C3", "winner": "red_team", "adjustment": "-0.09", "impact": "-0.01", "confidence": "0.85", "reasoning": "Conceded. A search of the text finds no passage on “Story” that gives a reason and a comparison, so the significant challenge holds."}]}	used		0	0	0.000000	9	2026-11-22 00:15:22.053799+00	1	3	1
9	cbfffc16-c9e6-404f-9b14-46d4408e5cc1	1	0	synthesise	1	synthesise	1	3f9af2ada8b9cb8572ff97c9d6332347b1cb57681d65a38fd67659084fdf957b	heuristic	heuristic-1	{"temperature": "0.2", "max_output_tokens": 1200}	{"summary": "Pocket parks fell from 2.20 to 1.83 overall in the debate. Of 2 criteria, 0 rose and 2 fell. The recommendation is: abandon. The evaluator won 0 % of the rulings.", "strengths": [], "weaknesses": ["Objects (1.83): the text does not say what answers “Are the objects at hand, sound enough to show, and clear of claims?”.", "Story (1.83): the text does not say what answers “What will a visitor understand on leaving that they did not know on entering?”."], "advice": ["Objects: answer “Are the objects at hand, sound enough to show, and clear of claims?”. What earns a high score: A list of objects with owner, condition and provenance; loans are agreed in writing. Give a source, a number and a reason with it.", "Story: answer “What will a visitor understand on leaving that they did not know on entering?”. What earns a high score: One idea, told through objects in an order, with a beginning and an end. Give a source, a number and a reason with it."]}	used		0	0	0.000000	1	2026-11-22 00:15:22.359213+00	1	3	\N
\.


--
-- Data for Name: judging_challenge; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.judging_challenge (id, public_id, run_number, label, persona, severity, quote, thread_id, turn_id) FROM stdin;
1	d7abf33b-989d-4b25-873c-0c7b29523a9b	1	C1	skeptic	critical		2	4
2	4132270c-5be7-40f6-b891-a2d324744df0	1	C2	realist	significant		2	5
3	58db269c-c98a-4a0c-af3b-301d2a05b97e	1	C3	first-principles	significant		2	6
4	8f6ab2ba-83d7-4101-84c4-d830cc6c12bd	1	C1	skeptic	critical		1	1
5	f2faf219-4c03-4fd6-9300-06c55520b5b6	1	C2	realist	significant		1	2
6	c5698223-2e4e-415d-a7c8-4e195ac9d2d3	1	C3	first-principles	significant		1	3
\.


--
-- Data for Name: judging_claim; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.judging_claim (thread_id, fence, reserved_calls, reserved_tokens, reserved_money, claimed_at) FROM stdin;
\.


--
-- Data for Name: judging_defence; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.judging_defence (turn_id, reply, challenge_id, round_id) FROM stdin;
7	concede	1	2
8	concede	2	2
9	concede	3	2
10	concede	4	1
11	concede	5	1
12	concede	6	1
\.


--
-- Data for Name: judging_review; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.judging_review (id, public_id, run_number, round_number, reason_code, disputed, policy, opened_at, state, lease_until, settled_at, decisions, claimed_by_id, debate_id, settled_by_id) FROM stdin;
\.


--
-- Data for Name: judging_script; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.judging_script (debate_id, answers) FROM stdin;
\.


--
-- Data for Name: judging_synthesis; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.judging_synthesis (id, number, numbers, at, debate_id, turn_id) FROM stdin;
1	1	{"overall": {"band": "poor", "after": "1.83", "before": "2.20", "coverage": "0.80", "recommendation": "abandon"}, "winners": {"draw": 0, "red_team": 6, "evaluator": 0}, "criteria": [{"low": "A theme with objects placed around it and no story.", "code": "V1", "high": "One idea, told through objects in an order, with a beginning and an end.", "name": "Story", "final": "1.83", "initial": "2.20", "category": "visitors", "question": "What will a visitor understand on leaving that they did not know on entering?"}, {"low": "Central objects are only hoped for, or their origin is unclear.", "code": "C1", "high": "A list of objects with owner, condition and provenance; loans are agreed in writing.", "name": "Objects", "final": "1.83", "initial": "2.20", "category": "collection", "question": "Are the objects at hand, sound enough to show, and clear of claims?"}], "verdicts": 6, "strengths": [], "categories": [{"after": "1.83", "before": "2.20", "category": "visitors"}, {"after": "1.83", "before": "2.20", "category": "collection"}, {"after": null, "before": null, "category": "making"}], "confidence": "0.25", "weaknesses": ["V1", "C1"], "survivalRate": "0.00"}	2026-11-22 00:15:22.359213+00	1	13
\.


--
-- Data for Name: judging_verdict; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.judging_verdict (fact_id, winner, reasoning, call_id, challenge_id, round_id) FROM stdin;
1	red_team	Conceded. A search of the text finds no passage on “Objects” that gives a source and a number, so the critical challenge holds.	7	1	2
2	red_team	Conceded. A search of the text finds no passage on “Objects” that gives a length of time and an amount of money, so the significant challenge holds.	7	2	2
3	red_team	Conceded. A search of the text finds no passage on “Objects” that gives a reason and a comparison, so the significant challenge holds.	7	3	2
4	red_team	Conceded. A search of the text finds no passage on “Story” that gives a source and a number, so the critical challenge holds.	8	4	1
5	red_team	Conceded. A search of the text finds no passage on “Story” that gives a length of time and an amount of money, so the significant challenge holds.	8	5	1
6	red_team	Conceded. A search of the text finds no passage on “Story” that gives a reason and a comparison, so the significant challenge holds.	8	6	1
\.


--
-- Data for Name: mfa_authenticator; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.mfa_authenticator (id, type, data, user_id, created_at, last_used_at) FROM stdin;
\.


--
-- Data for Name: moot_cache; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.moot_cache (cache_key, value, expires) FROM stdin;
\.


--
-- Data for Name: procrastinate_events; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.procrastinate_events (id, job_id, type, at) FROM stdin;
9	5	deferred	2026-11-22 00:15:30.222886+00
\.


--
-- Data for Name: procrastinate_jobs; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.procrastinate_jobs (id, queue_name, task_name, lock, args, status, scheduled_at, attempts, queueing_lock, priority, abort_requested, worker_id) FROM stdin;
5	rounds	judging.prepare	\N	{"debate_id": 2}	todo	\N	0	\N	0	f	\N
\.


--
-- Data for Name: procrastinate_periodic_defers; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.procrastinate_periodic_defers (id, task_name, defer_timestamp, job_id, periodic_id) FROM stdin;
\.


--
-- Data for Name: procrastinate_workers; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.procrastinate_workers (id, last_heartbeat) FROM stdin;
\.


--
-- Data for Name: scoring_actor; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.scoring_actor (id, name, role, user_id) FROM stdin;
1	alice	superuser	1
\.


--
-- Data for Name: scoring_alert; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.scoring_alert (id, public_id, code, severity, evidence, facts_digest, state, handled_at, at, debate_id, handled_by_id, evaluation_id, handled_because_id) FROM stdin;
1	f9744fc2-e499-46ec-b4e0-488dcdecd4bc	one_sided	warning	{"won": "6", "side": "red_team", "verdicts": "6"}	8ccebc143e41041c50fb71989bf1ee54bbcba56d8800d6978952b7e17daea74f	open	\N	2026-11-22 00:15:22.427527+00	1	\N	\N	\N
\.


--
-- Data for Name: scoring_approval; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.scoring_approval (id, public_id, value, value_seen, seen, door, reason_code, idempotency_key, requested_at, state, decided_at, because_id, decided_because_id, decided_by_id, entry_id, evaluation_id, requested_by_id) FROM stdin;
\.


--
-- Data for Name: scoring_criterion; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.scoring_criterion (id, "position", code, name, category, question, high, low, weight, rubric_id) FROM stdin;
\.


--
-- Data for Name: scoring_evaluation; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.scoring_evaluation (id, public_id, instrument, key, name, category, weight, "position", initial_score, initial_confidence, computed_score, override_score, confidence, counted, basis, held, frozen_at, run_number, debate_complete, debate_round_count, version, moderation_version, last_score_update, head_hash, created_at, debate_id, participant_id, thread_id) FROM stdin;
2	daeda306-e8ec-44a6-a179-6f66dc5d84bd	criterion	C1	Objects	collection	0.150000	2	2.200000	0.280000	1.830000	\N	0.250000	t	{1,2,3}	{}	\N	1	f	1	5	5	2026-11-22 00:15:29.639547+00	\\x84ae801220dfc1f6e0146c516d7fba752e90ed234b054ac77d93ce4750873df9	2026-11-22 00:15:21.834254+00	1	\N	2
1	66ee116c-8f61-4d3f-a8ea-d9b8128b01ad	criterion	V1	Story	visitors	0.250000	1	2.200000	0.280000	1.830000	7.500000	0.250000	t	{4,5,6}	{}	2026-11-22 00:15:29.708116+00	1	t	1	5	5	2026-11-22 00:15:29.492095+00	\\xe154316fa2ff616639e086a7ded94d8896d8404b7158504372b948ae647749d7	2026-11-22 00:15:21.792744+00	1	\N	1
\.


--
-- Data for Name: scoring_fact; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.scoring_fact (id, public_id, run_number, kind, amount, impact, weight, parts, at, evaluation_id, participant_id, round_id) FROM stdin;
1	d094e856-52e8-4ed9-af0f-7ef66a6d28e8	1	verdict	-0.190000	-0.010000	0.850000	{"winner": "red_team"}	2026-11-22 00:15:22.029683+00	2	\N	2
2	fe4390a9-18ba-43e5-967e-31bd5c31480f	1	verdict	-0.090000	-0.010000	0.850000	{"winner": "red_team"}	2026-11-22 00:15:22.029683+00	2	\N	2
3	cd679303-2215-4f0e-a035-eb698b7b58bc	1	verdict	-0.090000	-0.010000	0.850000	{"winner": "red_team"}	2026-11-22 00:15:22.029683+00	2	\N	2
4	f079f104-b625-40a5-b616-dfe75ea177db	1	verdict	-0.190000	-0.010000	0.850000	{"winner": "red_team"}	2026-11-22 00:15:22.053799+00	1	\N	1
5	a0327e25-57ea-4e08-86f3-a335383b4761	1	verdict	-0.090000	-0.010000	0.850000	{"winner": "red_team"}	2026-11-22 00:15:22.053799+00	1	\N	1
6	2a140ccb-56ca-4586-98cb-eb00493387a7	1	verdict	-0.090000	-0.010000	0.850000	{"winner": "red_team"}	2026-11-22 00:15:22.053799+00	1	\N	1
\.


--
-- Data for Name: scoring_reason; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.scoring_reason (id, salt, text, digest) FROM stdin;
1	a54dc2f67e88e0297cbe05ac9845e157	The second paragraph answers this.	8adae9bad8cc1180682bf72bc7e0fbf4611203f5f878d0463bb14c349215b248
2	cab8eb71112d310d6946af6d859c6601	This ruling misread the numbers.	d80054dd72d42ac33016faa39846ff792d9adb3de3728498820e90a57b9c624a
3	e8259d916bbd512c479585e18107f548	The ruling was right after all.	bf7f4142d6353e7019fbfdf4152c103842346cb7925f6e209bed7f7e494b8b6b
4	7bea41739971ac7e3bd13ff5015f3db3	Waits for a second look.	c45d086c397b9b4135eaeef7ded8b8fe257250ff3418e893768a28cf54a5c459
\.


--
-- Data for Name: scoring_rescoreset; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.scoring_rescoreset (id, public_id, action, choice, lines, staged_at, state, decided_at, because_id, decided_because_id, decided_by_id, staged_by_id) FROM stdin;
\.


--
-- Data for Name: scoring_rubric; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.scoring_rubric (id, public_id, slug, name, description, created_at, created_by_id) FROM stdin;
\.


--
-- Data for Name: scoring_scorechange; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.scoring_scorechange (id, sequence, kind, initial_score, value_before, value_after, confidence_before, confidence_after, computed_before, computed_after, run_number, basis, held, override_after, frozen_before, frozen_after, counted_after, complete_after, rounds_after, facts, facts_hash, raw_sum, cumulative_raw, capped_net, held_choice, target_sequence, actor_kind, reason_code, at, idempotency_key, previous_hash, hash, actor_id, evaluation_id, reason_id, round_id) FROM stdin;
1	1	opened	2.200000	2.200000	2.200000	0.280000	0.280000	\N	\N	1	{}	{}	\N	f	f	f	f	0	{}	\\xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855	\N	\N	\N		\N	engine		2026-11-22 00:15:21.808575+00		\\x	\\xbd371962f4e5376c76e6785c0a2c2813fe6b31b15b846c32e00df2eddf40762b	\N	1	\N	\N
2	1	opened	2.200000	2.200000	2.200000	0.280000	0.280000	\N	\N	1	{}	{}	\N	f	f	f	f	0	{}	\\xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855	\N	\N	\N		\N	engine		2026-11-22 00:15:21.847538+00		\\x	\\x6549710fc5b42db4bcac455300b60c277c82c3967726a77e26c2ae6bba5a4f5c	\N	2	\N	\N
3	2	round	2.200000	2.200000	1.830000	0.280000	0.250000	\N	1.830000	1	{1,2,3}	{}	\N	f	f	t	f	1	{1,2,3}	\\x4a00d783d8a1ba669c2943e4b5a4e1f66e8d4989bc473ce0c7c459ce53bc17e1	-0.370000	-0.370000	-0.370000		\N	engine		2026-11-22 00:15:22.088806+00		\\x6549710fc5b42db4bcac455300b60c277c82c3967726a77e26c2ae6bba5a4f5c	\\x3ccbc8297a75fa8dc1c72f2ec14c610c8a8283425f18c2c4d5bc60f5a8d7b35e	\N	2	\N	2
4	3	completed	2.200000	1.830000	1.830000	0.250000	0.250000	1.830000	1.830000	1	{1,2,3}	{}	\N	f	f	t	t	1	{}	\\x4a00d783d8a1ba669c2943e4b5a4e1f66e8d4989bc473ce0c7c459ce53bc17e1	\N	-0.370000	-0.370000		\N	engine		2026-11-22 00:15:22.147057+00		\\x3ccbc8297a75fa8dc1c72f2ec14c610c8a8283425f18c2c4d5bc60f5a8d7b35e	\\x067598c0ca8b12089f9b985b83213d0765c8f6cad8b90974111b7fb8c57f76da	\N	2	\N	\N
5	2	round	2.200000	2.200000	1.830000	0.280000	0.250000	\N	1.830000	1	{4,5,6}	{}	\N	f	f	t	f	1	{4,5,6}	\\x8fc6079fe0d7e3fb8397ffc833ccc4888781d857c821ba5cf1ea68590cb90894	-0.370000	-0.370000	-0.370000		\N	engine		2026-11-22 00:15:22.242543+00		\\xbd371962f4e5376c76e6785c0a2c2813fe6b31b15b846c32e00df2eddf40762b	\\x8d6553c516574269e862d00a4819f3bf87102cf960ef3681ac9055c5cf2d2214	\N	1	\N	1
6	3	completed	2.200000	1.830000	1.830000	0.250000	0.250000	1.830000	1.830000	1	{4,5,6}	{}	\N	f	f	t	t	1	{}	\\x8fc6079fe0d7e3fb8397ffc833ccc4888781d857c821ba5cf1ea68590cb90894	\N	-0.370000	-0.370000		\N	engine		2026-11-22 00:15:22.272059+00		\\x8d6553c516574269e862d00a4819f3bf87102cf960ef3681ac9055c5cf2d2214	\\x9fb788c1ea2a1aa9e43b2ad105fe63164bbcd3cf8e0f347fae663370d681009e	\N	1	\N	\N
7	4	override	2.200000	1.830000	7.500000	0.250000	0.250000	1.830000	1.830000	1	{4,5,6}	{}	7.500000	f	f	t	t	1	{}	\\x8fc6079fe0d7e3fb8397ffc833ccc4888781d857c821ba5cf1ea68590cb90894	\N	-0.370000	-0.370000		\N	moderator		2026-11-22 00:15:29.492095+00		\\x9fb788c1ea2a1aa9e43b2ad105fe63164bbcd3cf8e0f347fae663370d681009e	\\x853ec15e4dba5e3b5440061baffc1b01226694ba6a85cc8ecc53eecc611e8d89	1	1	1	\N
8	4	strike	2.200000	1.830000	2.020000	0.250000	0.260000	1.830000	2.020000	1	{2,3}	{}	\N	f	f	t	t	1	{1}	\\x2501394cd3893bf888264c6ff3f7ae15889ec6730ac0731bd959b6b75637559c	\N	-0.180000	-0.180000		\N	moderator		2026-11-22 00:15:29.562044+00		\\x067598c0ca8b12089f9b985b83213d0765c8f6cad8b90974111b7fb8c57f76da	\\x96eff837dc9053ebb431e48f4b0d0a388133b06a83502e126efc852491a301bd	1	2	2	\N
9	5	rollback	2.200000	2.020000	1.830000	0.260000	0.250000	2.020000	1.830000	1	{1,2,3}	{}	\N	f	f	t	f	1	{}	\\x4a00d783d8a1ba669c2943e4b5a4e1f66e8d4989bc473ce0c7c459ce53bc17e1	\N	-0.370000	-0.370000		2	moderator		2026-11-22 00:15:29.639547+00		\\x96eff837dc9053ebb431e48f4b0d0a388133b06a83502e126efc852491a301bd	\\x84ae801220dfc1f6e0146c516d7fba752e90ed234b054ac77d93ce4750873df9	1	2	3	\N
10	5	freeze	2.200000	7.500000	7.500000	0.250000	0.250000	1.830000	1.830000	1	{4,5,6}	{}	7.500000	f	t	t	t	1	{}	\\x8fc6079fe0d7e3fb8397ffc833ccc4888781d857c821ba5cf1ea68590cb90894	\N	-0.370000	-0.370000		\N	moderator		2026-11-22 00:15:29.708116+00		\\x853ec15e4dba5e3b5440061baffc1b01226694ba6a85cc8ecc53eecc611e8d89	\\xe154316fa2ff616639e086a7ded94d8896d8404b7158504372b948ae647749d7	1	1	4	\N
\.


--
-- Name: account_emailaddress_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.account_emailaddress_id_seq', 1, false);


--
-- Name: account_emailconfirmation_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.account_emailconfirmation_id_seq', 1, false);


--
-- Name: auth_group_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.auth_group_id_seq', 3, true);


--
-- Name: auth_group_permissions_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.auth_group_permissions_id_seq', 102, true);


--
-- Name: auth_permission_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.auth_permission_id_seq', 167, true);


--
-- Name: auth_user_groups_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.auth_user_groups_id_seq', 1, false);


--
-- Name: auth_user_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.auth_user_id_seq', 1, true);


--
-- Name: auth_user_user_permissions_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.auth_user_user_permissions_id_seq', 1, false);


--
-- Name: debates_debate_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.debates_debate_id_seq', 2, true);


--
-- Name: debates_event_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.debates_event_id_seq', 42, true);


--
-- Name: debates_participant_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.debates_participant_id_seq', 6, true);


--
-- Name: debates_round_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.debates_round_id_seq', 2, true);


--
-- Name: debates_subject_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.debates_subject_id_seq', 2, true);


--
-- Name: debates_thread_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.debates_thread_id_seq', 4, true);


--
-- Name: debates_turn_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.debates_turn_id_seq', 13, true);


--
-- Name: django_admin_log_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.django_admin_log_id_seq', 1, false);


--
-- Name: django_content_type_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.django_content_type_id_seq', 39, true);


--
-- Name: django_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.django_migrations_id_seq', 83, true);


--
-- Name: judging_call_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.judging_call_id_seq', 9, true);


--
-- Name: judging_challenge_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.judging_challenge_id_seq', 6, true);


--
-- Name: judging_review_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.judging_review_id_seq', 1, false);


--
-- Name: judging_synthesis_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.judging_synthesis_id_seq', 1, true);


--
-- Name: mfa_authenticator_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.mfa_authenticator_id_seq', 1, false);


--
-- Name: procrastinate_events_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.procrastinate_events_id_seq', 9, true);


--
-- Name: procrastinate_jobs_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.procrastinate_jobs_id_seq', 5, true);


--
-- Name: procrastinate_periodic_defers_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.procrastinate_periodic_defers_id_seq', 1, false);


--
-- Name: procrastinate_workers_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.procrastinate_workers_id_seq', 1, true);


--
-- Name: scoring_actor_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.scoring_actor_id_seq', 1, true);


--
-- Name: scoring_alert_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.scoring_alert_id_seq', 1, true);


--
-- Name: scoring_approval_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.scoring_approval_id_seq', 1, false);


--
-- Name: scoring_criterion_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.scoring_criterion_id_seq', 1, false);


--
-- Name: scoring_evaluation_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.scoring_evaluation_id_seq', 2, true);


--
-- Name: scoring_fact_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.scoring_fact_id_seq', 6, true);


--
-- Name: scoring_reason_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.scoring_reason_id_seq', 4, true);


--
-- Name: scoring_rescoreset_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.scoring_rescoreset_id_seq', 1, false);


--
-- Name: scoring_rubric_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.scoring_rubric_id_seq', 1, false);


--
-- Name: scoring_scorechange_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.scoring_scorechange_id_seq', 10, true);


--
-- Name: account_emailaddress account_emailaddress_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.account_emailaddress
    ADD CONSTRAINT account_emailaddress_pkey PRIMARY KEY (id);


--
-- Name: account_emailaddress account_emailaddress_user_id_email_987c8728_uniq; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.account_emailaddress
    ADD CONSTRAINT account_emailaddress_user_id_email_987c8728_uniq UNIQUE (user_id, email);


--
-- Name: account_emailconfirmation account_emailconfirmation_key_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.account_emailconfirmation
    ADD CONSTRAINT account_emailconfirmation_key_key UNIQUE (key);


--
-- Name: account_emailconfirmation account_emailconfirmation_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.account_emailconfirmation
    ADD CONSTRAINT account_emailconfirmation_pkey PRIMARY KEY (id);


--
-- Name: scoring_actor actor_once_per_user_name_and_role; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_actor
    ADD CONSTRAINT actor_once_per_user_name_and_role UNIQUE NULLS NOT DISTINCT (user_id, name, role);


--
-- Name: scoring_alert alert_once_per_code_and_facts; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_alert
    ADD CONSTRAINT alert_once_per_code_and_facts UNIQUE NULLS NOT DISTINCT (debate_id, evaluation_id, code, facts_digest);


--
-- Name: auth_group auth_group_name_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.auth_group
    ADD CONSTRAINT auth_group_name_key UNIQUE (name);


--
-- Name: auth_group_permissions auth_group_permissions_group_id_permission_id_0cd325b0_uniq; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissions_group_id_permission_id_0cd325b0_uniq UNIQUE (group_id, permission_id);


--
-- Name: auth_group_permissions auth_group_permissions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissions_pkey PRIMARY KEY (id);


--
-- Name: auth_group auth_group_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.auth_group
    ADD CONSTRAINT auth_group_pkey PRIMARY KEY (id);


--
-- Name: auth_permission auth_permission_content_type_id_codename_01ab375a_uniq; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.auth_permission
    ADD CONSTRAINT auth_permission_content_type_id_codename_01ab375a_uniq UNIQUE (content_type_id, codename);


--
-- Name: auth_permission auth_permission_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.auth_permission
    ADD CONSTRAINT auth_permission_pkey PRIMARY KEY (id);


--
-- Name: auth_user_groups auth_user_groups_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.auth_user_groups
    ADD CONSTRAINT auth_user_groups_pkey PRIMARY KEY (id);


--
-- Name: auth_user_groups auth_user_groups_user_id_group_id_94350c0c_uniq; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.auth_user_groups
    ADD CONSTRAINT auth_user_groups_user_id_group_id_94350c0c_uniq UNIQUE (user_id, group_id);


--
-- Name: auth_user auth_user_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.auth_user
    ADD CONSTRAINT auth_user_pkey PRIMARY KEY (id);


--
-- Name: auth_user_user_permissions auth_user_user_permissions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.auth_user_user_permissions
    ADD CONSTRAINT auth_user_user_permissions_pkey PRIMARY KEY (id);


--
-- Name: auth_user_user_permissions auth_user_user_permissions_user_id_permission_id_14a6b632_uniq; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.auth_user_user_permissions
    ADD CONSTRAINT auth_user_user_permissions_user_id_permission_id_14a6b632_uniq UNIQUE (user_id, permission_id);


--
-- Name: auth_user auth_user_username_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.auth_user
    ADD CONSTRAINT auth_user_username_key UNIQUE (username);


--
-- Name: judging_challenge challenge_label_once_per_thread_and_run; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_challenge
    ADD CONSTRAINT challenge_label_once_per_thread_and_run UNIQUE (thread_id, run_number, label);


--
-- Name: scoring_criterion criterion_code_once_per_rubric; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_criterion
    ADD CONSTRAINT criterion_code_once_per_rubric UNIQUE (rubric_id, code);


--
-- Name: debates_debate debates_debate_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_debate
    ADD CONSTRAINT debates_debate_pkey PRIMARY KEY (id);


--
-- Name: debates_debate debates_debate_public_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_debate
    ADD CONSTRAINT debates_debate_public_id_key UNIQUE (public_id);


--
-- Name: debates_event debates_event_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_event
    ADD CONSTRAINT debates_event_pkey PRIMARY KEY (id);


--
-- Name: debates_eventhead debates_eventhead_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_eventhead
    ADD CONSTRAINT debates_eventhead_pkey PRIMARY KEY (debate_id);


--
-- Name: debates_participant debates_participant_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_participant
    ADD CONSTRAINT debates_participant_pkey PRIMARY KEY (id);


--
-- Name: debates_participant debates_participant_public_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_participant
    ADD CONSTRAINT debates_participant_public_id_key UNIQUE (public_id);


--
-- Name: debates_round debates_round_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_round
    ADD CONSTRAINT debates_round_pkey PRIMARY KEY (id);


--
-- Name: debates_round debates_round_public_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_round
    ADD CONSTRAINT debates_round_public_id_key UNIQUE (public_id);


--
-- Name: debates_subject debates_subject_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_subject
    ADD CONSTRAINT debates_subject_pkey PRIMARY KEY (id);


--
-- Name: debates_subject debates_subject_public_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_subject
    ADD CONSTRAINT debates_subject_public_id_key UNIQUE (public_id);


--
-- Name: debates_thread debates_thread_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_thread
    ADD CONSTRAINT debates_thread_pkey PRIMARY KEY (id);


--
-- Name: debates_thread debates_thread_public_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_thread
    ADD CONSTRAINT debates_thread_public_id_key UNIQUE (public_id);


--
-- Name: debates_turn debates_turn_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_turn
    ADD CONSTRAINT debates_turn_pkey PRIMARY KEY (id);


--
-- Name: debates_turn debates_turn_public_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_turn
    ADD CONSTRAINT debates_turn_public_id_key UNIQUE (public_id);


--
-- Name: judging_defence defence_once_per_challenge_and_round; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_defence
    ADD CONSTRAINT defence_once_per_challenge_and_round UNIQUE (challenge_id, round_id);


--
-- Name: django_admin_log django_admin_log_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.django_admin_log
    ADD CONSTRAINT django_admin_log_pkey PRIMARY KEY (id);


--
-- Name: django_content_type django_content_type_app_label_model_76bd3d3b_uniq; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.django_content_type
    ADD CONSTRAINT django_content_type_app_label_model_76bd3d3b_uniq UNIQUE (app_label, model);


--
-- Name: django_content_type django_content_type_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.django_content_type
    ADD CONSTRAINT django_content_type_pkey PRIMARY KEY (id);


--
-- Name: django_migrations django_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.django_migrations
    ADD CONSTRAINT django_migrations_pkey PRIMARY KEY (id);


--
-- Name: django_session django_session_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.django_session
    ADD CONSTRAINT django_session_pkey PRIMARY KEY (session_key);


--
-- Name: scoring_scorechange entry_can_be_followed; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_scorechange
    ADD CONSTRAINT entry_can_be_followed UNIQUE (evaluation_id, sequence, value_after, frozen_after);


--
-- Name: scoring_scorechange entry_sequence_once_per_evaluation; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_scorechange
    ADD CONSTRAINT entry_sequence_once_per_evaluation UNIQUE (evaluation_id, sequence);


--
-- Name: scoring_evaluation evaluation_initial_score_is_referable; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_evaluation
    ADD CONSTRAINT evaluation_initial_score_is_referable UNIQUE (id, initial_score);


--
-- Name: scoring_evaluation evaluation_once_per_thread_instrument_and_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_evaluation
    ADD CONSTRAINT evaluation_once_per_thread_instrument_and_key UNIQUE (thread_id, instrument, key);


--
-- Name: debates_event event_seq_once_per_debate; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_event
    ADD CONSTRAINT event_seq_once_per_debate UNIQUE (debate_id, seq);


--
-- Name: judging_call judging_call_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_call
    ADD CONSTRAINT judging_call_pkey PRIMARY KEY (id);


--
-- Name: judging_call judging_call_public_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_call
    ADD CONSTRAINT judging_call_public_id_key UNIQUE (public_id);


--
-- Name: judging_challenge judging_challenge_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_challenge
    ADD CONSTRAINT judging_challenge_pkey PRIMARY KEY (id);


--
-- Name: judging_challenge judging_challenge_public_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_challenge
    ADD CONSTRAINT judging_challenge_public_id_key UNIQUE (public_id);


--
-- Name: judging_challenge judging_challenge_turn_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_challenge
    ADD CONSTRAINT judging_challenge_turn_id_key UNIQUE (turn_id);


--
-- Name: judging_claim judging_claim_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_claim
    ADD CONSTRAINT judging_claim_pkey PRIMARY KEY (thread_id);


--
-- Name: judging_defence judging_defence_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_defence
    ADD CONSTRAINT judging_defence_pkey PRIMARY KEY (turn_id);


--
-- Name: judging_review judging_review_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_review
    ADD CONSTRAINT judging_review_pkey PRIMARY KEY (id);


--
-- Name: judging_review judging_review_public_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_review
    ADD CONSTRAINT judging_review_public_id_key UNIQUE (public_id);


--
-- Name: judging_script judging_script_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_script
    ADD CONSTRAINT judging_script_pkey PRIMARY KEY (debate_id);


--
-- Name: judging_synthesis judging_synthesis_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_synthesis
    ADD CONSTRAINT judging_synthesis_pkey PRIMARY KEY (id);


--
-- Name: judging_synthesis judging_synthesis_turn_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_synthesis
    ADD CONSTRAINT judging_synthesis_turn_id_key UNIQUE (turn_id);


--
-- Name: judging_verdict judging_verdict_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_verdict
    ADD CONSTRAINT judging_verdict_pkey PRIMARY KEY (fact_id);


--
-- Name: mfa_authenticator mfa_authenticator_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.mfa_authenticator
    ADD CONSTRAINT mfa_authenticator_pkey PRIMARY KEY (id);


--
-- Name: moot_cache moot_cache_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.moot_cache
    ADD CONSTRAINT moot_cache_pkey PRIMARY KEY (cache_key);


--
-- Name: debates_participant participant_name_once_per_debate; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_participant
    ADD CONSTRAINT participant_name_once_per_debate UNIQUE (debate_id, name);


--
-- Name: procrastinate_events procrastinate_events_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.procrastinate_events
    ADD CONSTRAINT procrastinate_events_pkey PRIMARY KEY (id);


--
-- Name: procrastinate_jobs procrastinate_jobs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.procrastinate_jobs
    ADD CONSTRAINT procrastinate_jobs_pkey PRIMARY KEY (id);


--
-- Name: procrastinate_periodic_defers procrastinate_periodic_defers_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.procrastinate_periodic_defers
    ADD CONSTRAINT procrastinate_periodic_defers_pkey PRIMARY KEY (id);


--
-- Name: procrastinate_periodic_defers procrastinate_periodic_defers_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.procrastinate_periodic_defers
    ADD CONSTRAINT procrastinate_periodic_defers_unique UNIQUE (task_name, periodic_id, defer_timestamp);


--
-- Name: procrastinate_workers procrastinate_workers_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.procrastinate_workers
    ADD CONSTRAINT procrastinate_workers_pkey PRIMARY KEY (id);


--
-- Name: judging_review review_once_per_debate_run_and_round; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_review
    ADD CONSTRAINT review_once_per_debate_run_and_round UNIQUE (debate_id, run_number, round_number);


--
-- Name: debates_round round_number_once_per_thread_and_run; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_round
    ADD CONSTRAINT round_number_once_per_thread_and_run UNIQUE (thread_id, run_number, number);


--
-- Name: scoring_actor scoring_actor_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_actor
    ADD CONSTRAINT scoring_actor_pkey PRIMARY KEY (id);


--
-- Name: scoring_alert scoring_alert_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_alert
    ADD CONSTRAINT scoring_alert_pkey PRIMARY KEY (id);


--
-- Name: scoring_alert scoring_alert_public_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_alert
    ADD CONSTRAINT scoring_alert_public_id_key UNIQUE (public_id);


--
-- Name: scoring_approval scoring_approval_entry_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_approval
    ADD CONSTRAINT scoring_approval_entry_id_key UNIQUE (entry_id);


--
-- Name: scoring_approval scoring_approval_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_approval
    ADD CONSTRAINT scoring_approval_pkey PRIMARY KEY (id);


--
-- Name: scoring_approval scoring_approval_public_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_approval
    ADD CONSTRAINT scoring_approval_public_id_key UNIQUE (public_id);


--
-- Name: scoring_criterion scoring_criterion_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_criterion
    ADD CONSTRAINT scoring_criterion_pkey PRIMARY KEY (id);


--
-- Name: scoring_evaluation scoring_evaluation_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_evaluation
    ADD CONSTRAINT scoring_evaluation_pkey PRIMARY KEY (id);


--
-- Name: scoring_evaluation scoring_evaluation_public_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_evaluation
    ADD CONSTRAINT scoring_evaluation_public_id_key UNIQUE (public_id);


--
-- Name: scoring_fact scoring_fact_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_fact
    ADD CONSTRAINT scoring_fact_pkey PRIMARY KEY (id);


--
-- Name: scoring_fact scoring_fact_public_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_fact
    ADD CONSTRAINT scoring_fact_public_id_key UNIQUE (public_id);


--
-- Name: scoring_reason scoring_reason_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_reason
    ADD CONSTRAINT scoring_reason_pkey PRIMARY KEY (id);


--
-- Name: scoring_rescoreset scoring_rescoreset_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_rescoreset
    ADD CONSTRAINT scoring_rescoreset_pkey PRIMARY KEY (id);


--
-- Name: scoring_rescoreset scoring_rescoreset_public_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_rescoreset
    ADD CONSTRAINT scoring_rescoreset_public_id_key UNIQUE (public_id);


--
-- Name: scoring_rubric scoring_rubric_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_rubric
    ADD CONSTRAINT scoring_rubric_pkey PRIMARY KEY (id);


--
-- Name: scoring_rubric scoring_rubric_public_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_rubric
    ADD CONSTRAINT scoring_rubric_public_id_key UNIQUE (public_id);


--
-- Name: scoring_rubric scoring_rubric_slug_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_rubric
    ADD CONSTRAINT scoring_rubric_slug_key UNIQUE (slug);


--
-- Name: scoring_scorechange scoring_scorechange_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_scorechange
    ADD CONSTRAINT scoring_scorechange_pkey PRIMARY KEY (id);


--
-- Name: judging_synthesis synthesis_number_once_per_debate; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_synthesis
    ADD CONSTRAINT synthesis_number_once_per_debate UNIQUE (debate_id, number);


--
-- Name: debates_thread thread_key_once_per_debate; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_thread
    ADD CONSTRAINT thread_key_once_per_debate UNIQUE (debate_id, key);


--
-- Name: judging_verdict verdict_once_per_challenge_and_round; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_verdict
    ADD CONSTRAINT verdict_once_per_challenge_and_round UNIQUE (challenge_id, round_id);


--
-- Name: account_emailaddress_email_03be32b2; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX account_emailaddress_email_03be32b2 ON public.account_emailaddress USING btree (email);


--
-- Name: account_emailaddress_email_03be32b2_like; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX account_emailaddress_email_03be32b2_like ON public.account_emailaddress USING btree (email varchar_pattern_ops);


--
-- Name: account_emailaddress_user_id_2c513194; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX account_emailaddress_user_id_2c513194 ON public.account_emailaddress USING btree (user_id);


--
-- Name: account_emailconfirmation_email_address_id_5b7f8c58; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX account_emailconfirmation_email_address_id_5b7f8c58 ON public.account_emailconfirmation USING btree (email_address_id);


--
-- Name: account_emailconfirmation_key_f43612bd_like; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX account_emailconfirmation_key_f43612bd_like ON public.account_emailconfirmation USING btree (key varchar_pattern_ops);


--
-- Name: approval_waits_once_per_evaluation; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX approval_waits_once_per_evaluation ON public.scoring_approval USING btree (evaluation_id) WHERE ((state)::text = 'waiting'::text);


--
-- Name: auth_group_name_a6ea08ec_like; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX auth_group_name_a6ea08ec_like ON public.auth_group USING btree (name varchar_pattern_ops);


--
-- Name: auth_group_permissions_group_id_b120cbf9; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX auth_group_permissions_group_id_b120cbf9 ON public.auth_group_permissions USING btree (group_id);


--
-- Name: auth_group_permissions_permission_id_84c5c92e; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX auth_group_permissions_permission_id_84c5c92e ON public.auth_group_permissions USING btree (permission_id);


--
-- Name: auth_permission_content_type_id_2f476e4b; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX auth_permission_content_type_id_2f476e4b ON public.auth_permission USING btree (content_type_id);


--
-- Name: auth_user_groups_group_id_97559544; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX auth_user_groups_group_id_97559544 ON public.auth_user_groups USING btree (group_id);


--
-- Name: auth_user_groups_user_id_6a12ed8b; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX auth_user_groups_user_id_6a12ed8b ON public.auth_user_groups USING btree (user_id);


--
-- Name: auth_user_user_permissions_permission_id_1fbb5f2c; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX auth_user_user_permissions_permission_id_1fbb5f2c ON public.auth_user_user_permissions USING btree (permission_id);


--
-- Name: auth_user_user_permissions_user_id_a95ead1b; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX auth_user_user_permissions_user_id_a95ead1b ON public.auth_user_user_permissions USING btree (user_id);


--
-- Name: auth_user_username_6821ab7c_like; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX auth_user_username_6821ab7c_like ON public.auth_user USING btree (username varchar_pattern_ops);


--
-- Name: call_answers_once_per_round_and_purpose; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX call_answers_once_per_round_and_purpose ON public.judging_call USING btree (thread_id, run_number, round_number, purpose) WHERE (((outcome)::text = 'used'::text) AND (thread_id IS NOT NULL));


--
-- Name: call_by_thread_and_round; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX call_by_thread_and_round ON public.judging_call USING btree (thread_id, run_number, round_number);


--
-- Name: debate_by_status; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX debate_by_status ON public.debates_debate USING btree (status, id DESC);


--
-- Name: debates_debate_created_by_id_f4203067; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX debates_debate_created_by_id_f4203067 ON public.debates_debate USING btree (created_by_id);


--
-- Name: debates_debate_repeat_of_id_4e97897a; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX debates_debate_repeat_of_id_4e97897a ON public.debates_debate USING btree (repeat_of_id);


--
-- Name: debates_debate_subject_id_21898294; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX debates_debate_subject_id_21898294 ON public.debates_debate USING btree (subject_id);


--
-- Name: debates_participant_debate_id_489a6d77; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX debates_participant_debate_id_489a6d77 ON public.debates_participant USING btree (debate_id);


--
-- Name: debates_round_thread_id_5ed6eda0; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX debates_round_thread_id_5ed6eda0 ON public.debates_round USING btree (thread_id);


--
-- Name: debates_subject_created_by_id_b73085b0; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX debates_subject_created_by_id_b73085b0 ON public.debates_subject USING btree (created_by_id);


--
-- Name: debates_thread_debate_id_e7a2175b; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX debates_thread_debate_id_e7a2175b ON public.debates_thread USING btree (debate_id);


--
-- Name: debates_turn_answers_id_b05c223d; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX debates_turn_answers_id_b05c223d ON public.debates_turn USING btree (answers_id);


--
-- Name: debates_turn_debate_id_536a507b; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX debates_turn_debate_id_536a507b ON public.debates_turn USING btree (debate_id);


--
-- Name: debates_turn_participant_id_c034b914; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX debates_turn_participant_id_c034b914 ON public.debates_turn USING btree (participant_id);


--
-- Name: debates_turn_round_id_69efa6ed; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX debates_turn_round_id_69efa6ed ON public.debates_turn USING btree (round_id);


--
-- Name: debates_turn_thread_id_15c0598f; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX debates_turn_thread_id_15c0598f ON public.debates_turn USING btree (thread_id);


--
-- Name: django_admin_log_content_type_id_c4bce8eb; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX django_admin_log_content_type_id_c4bce8eb ON public.django_admin_log USING btree (content_type_id);


--
-- Name: django_admin_log_user_id_c564eba6; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX django_admin_log_user_id_c564eba6 ON public.django_admin_log USING btree (user_id);


--
-- Name: django_session_expire_date_a5c62663; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX django_session_expire_date_a5c62663 ON public.django_session USING btree (expire_date);


--
-- Name: django_session_session_key_c0390e0f_like; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX django_session_session_key_c0390e0f_like ON public.django_session USING btree (session_key varchar_pattern_ops);


--
-- Name: entry_by_evaluation_and_time; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX entry_by_evaluation_and_time ON public.scoring_scorechange USING btree (evaluation_id, at);


--
-- Name: evaluation_by_run; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX evaluation_by_run ON public.scoring_evaluation USING btree (debate_id, run_number, debate_complete);


--
-- Name: idx_procrastinate_jobs_worker_not_null; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX idx_procrastinate_jobs_worker_not_null ON public.procrastinate_jobs USING btree (worker_id) WHERE ((worker_id IS NOT NULL) AND (status = 'doing'::public.procrastinate_job_status));


--
-- Name: idx_procrastinate_workers_last_heartbeat; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX idx_procrastinate_workers_last_heartbeat ON public.procrastinate_workers USING btree (last_heartbeat);


--
-- Name: judging_call_debate_id_0de51491; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX judging_call_debate_id_0de51491 ON public.judging_call USING btree (debate_id);


--
-- Name: judging_call_participant_id_21696369; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX judging_call_participant_id_21696369 ON public.judging_call USING btree (participant_id);


--
-- Name: judging_call_thread_id_8be00829; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX judging_call_thread_id_8be00829 ON public.judging_call USING btree (thread_id);


--
-- Name: judging_challenge_thread_id_6fc85c4c; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX judging_challenge_thread_id_6fc85c4c ON public.judging_challenge USING btree (thread_id);


--
-- Name: judging_defence_challenge_id_a36ab868; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX judging_defence_challenge_id_a36ab868 ON public.judging_defence USING btree (challenge_id);


--
-- Name: judging_defence_round_id_867aa5e8; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX judging_defence_round_id_867aa5e8 ON public.judging_defence USING btree (round_id);


--
-- Name: judging_review_claimed_by_id_0e5a5ff6; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX judging_review_claimed_by_id_0e5a5ff6 ON public.judging_review USING btree (claimed_by_id);


--
-- Name: judging_review_debate_id_98929906; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX judging_review_debate_id_98929906 ON public.judging_review USING btree (debate_id);


--
-- Name: judging_review_settled_by_id_43066c9b; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX judging_review_settled_by_id_43066c9b ON public.judging_review USING btree (settled_by_id);


--
-- Name: judging_synthesis_debate_id_19874068; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX judging_synthesis_debate_id_19874068 ON public.judging_synthesis USING btree (debate_id);


--
-- Name: judging_verdict_call_id_5d81db68; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX judging_verdict_call_id_5d81db68 ON public.judging_verdict USING btree (call_id);


--
-- Name: judging_verdict_challenge_id_658b9b28; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX judging_verdict_challenge_id_658b9b28 ON public.judging_verdict USING btree (challenge_id);


--
-- Name: judging_verdict_round_id_2ddd14ba; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX judging_verdict_round_id_2ddd14ba ON public.judging_verdict USING btree (round_id);


--
-- Name: mfa_authenticator_user_id_0c3a50c0; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX mfa_authenticator_user_id_0c3a50c0 ON public.mfa_authenticator USING btree (user_id);


--
-- Name: moot_cache_expires; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX moot_cache_expires ON public.moot_cache USING btree (expires);


--
-- Name: procrastinate_events_job_id_fkey_v1; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX procrastinate_events_job_id_fkey_v1 ON public.procrastinate_events USING btree (job_id);


--
-- Name: procrastinate_jobs_id_lock_idx_v1; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX procrastinate_jobs_id_lock_idx_v1 ON public.procrastinate_jobs USING btree (id, lock) WHERE (status = ANY (ARRAY['todo'::public.procrastinate_job_status, 'doing'::public.procrastinate_job_status]));


--
-- Name: procrastinate_jobs_lock_idx_v1; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX procrastinate_jobs_lock_idx_v1 ON public.procrastinate_jobs USING btree (lock) WHERE (status = 'doing'::public.procrastinate_job_status);


--
-- Name: procrastinate_jobs_priority_idx_v1; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX procrastinate_jobs_priority_idx_v1 ON public.procrastinate_jobs USING btree (priority DESC, id) WHERE (status = 'todo'::public.procrastinate_job_status);


--
-- Name: procrastinate_jobs_queue_name_idx_v1; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX procrastinate_jobs_queue_name_idx_v1 ON public.procrastinate_jobs USING btree (queue_name);


--
-- Name: procrastinate_jobs_queueing_lock_idx_v1; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX procrastinate_jobs_queueing_lock_idx_v1 ON public.procrastinate_jobs USING btree (queueing_lock) WHERE (status = 'todo'::public.procrastinate_job_status);


--
-- Name: procrastinate_periodic_defers_job_id_fkey_v1; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX procrastinate_periodic_defers_job_id_fkey_v1 ON public.procrastinate_periodic_defers USING btree (job_id);


--
-- Name: round_counts_once_per_evaluation; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX round_counts_once_per_evaluation ON public.scoring_scorechange USING btree (evaluation_id, round_id) WHERE (((kind)::text = ANY ((ARRAY['round'::character varying, 'held'::character varying, 'opened'::character varying])::text[])) AND (round_id IS NOT NULL));


--
-- Name: scoring_actor_user_id_62fb924d; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scoring_actor_user_id_62fb924d ON public.scoring_actor USING btree (user_id);


--
-- Name: scoring_alert_debate_id_d2393a4f; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scoring_alert_debate_id_d2393a4f ON public.scoring_alert USING btree (debate_id);


--
-- Name: scoring_alert_evaluation_id_016ef20b; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scoring_alert_evaluation_id_016ef20b ON public.scoring_alert USING btree (evaluation_id);


--
-- Name: scoring_alert_handled_because_id_ff28ca76; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scoring_alert_handled_because_id_ff28ca76 ON public.scoring_alert USING btree (handled_because_id);


--
-- Name: scoring_alert_handled_by_id_060922e6; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scoring_alert_handled_by_id_060922e6 ON public.scoring_alert USING btree (handled_by_id);


--
-- Name: scoring_approval_because_id_03250793; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scoring_approval_because_id_03250793 ON public.scoring_approval USING btree (because_id);


--
-- Name: scoring_approval_decided_because_id_5d594e3d; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scoring_approval_decided_because_id_5d594e3d ON public.scoring_approval USING btree (decided_because_id);


--
-- Name: scoring_approval_decided_by_id_6b88604e; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scoring_approval_decided_by_id_6b88604e ON public.scoring_approval USING btree (decided_by_id);


--
-- Name: scoring_approval_evaluation_id_1f2a1b4a; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scoring_approval_evaluation_id_1f2a1b4a ON public.scoring_approval USING btree (evaluation_id);


--
-- Name: scoring_approval_requested_by_id_ee3741d1; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scoring_approval_requested_by_id_ee3741d1 ON public.scoring_approval USING btree (requested_by_id);


--
-- Name: scoring_criterion_rubric_id_77ae789f; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scoring_criterion_rubric_id_77ae789f ON public.scoring_criterion USING btree (rubric_id);


--
-- Name: scoring_evaluation_debate_id_bd7d6a0c; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scoring_evaluation_debate_id_bd7d6a0c ON public.scoring_evaluation USING btree (debate_id);


--
-- Name: scoring_evaluation_participant_id_6a676a83; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scoring_evaluation_participant_id_6a676a83 ON public.scoring_evaluation USING btree (participant_id);


--
-- Name: scoring_evaluation_thread_id_c693d30b; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scoring_evaluation_thread_id_c693d30b ON public.scoring_evaluation USING btree (thread_id);


--
-- Name: scoring_fact_evaluation_id_330bd7c2; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scoring_fact_evaluation_id_330bd7c2 ON public.scoring_fact USING btree (evaluation_id);


--
-- Name: scoring_fact_participant_id_78dbd525; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scoring_fact_participant_id_78dbd525 ON public.scoring_fact USING btree (participant_id);


--
-- Name: scoring_fact_round_id_4a66b76c; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scoring_fact_round_id_4a66b76c ON public.scoring_fact USING btree (round_id);


--
-- Name: scoring_rescoreset_because_id_3f1db557; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scoring_rescoreset_because_id_3f1db557 ON public.scoring_rescoreset USING btree (because_id);


--
-- Name: scoring_rescoreset_decided_because_id_f4ac5ad6; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scoring_rescoreset_decided_because_id_f4ac5ad6 ON public.scoring_rescoreset USING btree (decided_because_id);


--
-- Name: scoring_rescoreset_decided_by_id_3f8ed863; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scoring_rescoreset_decided_by_id_3f8ed863 ON public.scoring_rescoreset USING btree (decided_by_id);


--
-- Name: scoring_rescoreset_staged_by_id_bb461eef; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scoring_rescoreset_staged_by_id_bb461eef ON public.scoring_rescoreset USING btree (staged_by_id);


--
-- Name: scoring_rubric_created_by_id_1ee51739; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scoring_rubric_created_by_id_1ee51739 ON public.scoring_rubric USING btree (created_by_id);


--
-- Name: scoring_rubric_slug_106c4fdf_like; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scoring_rubric_slug_106c4fdf_like ON public.scoring_rubric USING btree (slug varchar_pattern_ops);


--
-- Name: scoring_scorechange_actor_id_ba2a308d; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scoring_scorechange_actor_id_ba2a308d ON public.scoring_scorechange USING btree (actor_id);


--
-- Name: scoring_scorechange_reason_id_4b35c53a; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scoring_scorechange_reason_id_4b35c53a ON public.scoring_scorechange USING btree (reason_id);


--
-- Name: scoring_scorechange_round_id_cf968f8a; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scoring_scorechange_round_id_cf968f8a ON public.scoring_scorechange USING btree (round_id);


--
-- Name: turn_slot_once_per_debate; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX turn_slot_once_per_debate ON public.debates_turn USING btree (debate_id, slot) WHERE (round_id IS NULL);


--
-- Name: turn_slot_once_per_round; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX turn_slot_once_per_round ON public.debates_turn USING btree (round_id, slot) WHERE (round_id IS NOT NULL);


--
-- Name: unique_authenticator_type; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX unique_authenticator_type ON public.mfa_authenticator USING btree (user_id, type) WHERE ((type)::text = ANY ((ARRAY['totp'::character varying, 'recovery_codes'::character varying])::text[]));


--
-- Name: unique_primary_email; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX unique_primary_email ON public.account_emailaddress USING btree (user_id, "primary") WHERE "primary";


--
-- Name: unique_verified_email; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX unique_verified_email ON public.account_emailaddress USING btree (email) WHERE verified;


--
-- Name: scoring_actor actor_10_named; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER actor_10_named BEFORE INSERT ON public.scoring_actor FOR EACH ROW WHEN ((public.moot_seen((new.name)::text) = ''::text)) EXECUTE FUNCTION public.moot_refuse('actor_has_a_name');

ALTER TABLE public.scoring_actor ENABLE ALWAYS TRIGGER actor_10_named;


--
-- Name: scoring_actor actor_20_erasable; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER actor_20_erasable BEFORE UPDATE ON public.scoring_actor FOR EACH ROW EXECUTE FUNCTION public.moot_only_blanks('actor_is_never_edited', 'name', 'role');

ALTER TABLE public.scoring_actor ENABLE ALWAYS TRIGGER actor_20_erasable;


--
-- Name: scoring_actor actor_30_kept; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER actor_30_kept BEFORE DELETE ON public.scoring_actor FOR EACH ROW EXECUTE FUNCTION public.moot_refuse('actor_is_never_edited');

ALTER TABLE public.scoring_actor ENABLE ALWAYS TRIGGER actor_30_kept;


--
-- Name: scoring_actor actor_40_truncate; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER actor_40_truncate BEFORE TRUNCATE ON public.scoring_actor FOR EACH STATEMENT EXECUTE FUNCTION public.moot_refuse('actor_is_never_edited');

ALTER TABLE public.scoring_actor ENABLE ALWAYS TRIGGER actor_40_truncate;


--
-- Name: scoring_alert alert_10_fixed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER alert_10_fixed BEFORE UPDATE ON public.scoring_alert FOR EACH ROW EXECUTE FUNCTION public.moot_fixed('alert_keeps_its_evidence', 'debate_id', 'evaluation_id', 'code', 'severity', 'evidence', 'facts_digest', 'at', 'public_id');

ALTER TABLE public.scoring_alert ENABLE ALWAYS TRIGGER alert_10_fixed;


--
-- Name: scoring_alert alert_30_kept; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER alert_30_kept BEFORE DELETE ON public.scoring_alert FOR EACH ROW EXECUTE FUNCTION public.moot_refuse('alert_is_kept');

ALTER TABLE public.scoring_alert ENABLE ALWAYS TRIGGER alert_30_kept;


--
-- Name: scoring_alert alert_40_truncate; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER alert_40_truncate BEFORE TRUNCATE ON public.scoring_alert FOR EACH STATEMENT EXECUTE FUNCTION public.moot_refuse('alert_is_kept');

ALTER TABLE public.scoring_alert ENABLE ALWAYS TRIGGER alert_40_truncate;


--
-- Name: scoring_approval approval_05_waits; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER approval_05_waits BEFORE INSERT ON public.scoring_approval FOR EACH ROW WHEN (((new.state)::text <> 'waiting'::text)) EXECUTE FUNCTION public.moot_refuse('approval_begins_by_waiting');

ALTER TABLE public.scoring_approval ENABLE ALWAYS TRIGGER approval_05_waits;


--
-- Name: scoring_approval approval_10_fixed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER approval_10_fixed BEFORE UPDATE ON public.scoring_approval FOR EACH ROW EXECUTE FUNCTION public.moot_fixed('approval_keeps_what_was_asked', 'public_id', 'evaluation_id', 'value', 'value_seen', 'seen', 'door', 'reason_code', 'idempotency_key', 'requested_by_id', 'because_id', 'requested_at');

ALTER TABLE public.scoring_approval ENABLE ALWAYS TRIGGER approval_10_fixed;


--
-- Name: scoring_approval approval_11_once; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER approval_11_once BEFORE UPDATE ON public.scoring_approval FOR EACH ROW WHEN (((old.state)::text <> 'waiting'::text)) EXECUTE FUNCTION public.moot_refuse('approval_is_decided_once');

ALTER TABLE public.scoring_approval ENABLE ALWAYS TRIGGER approval_11_once;


--
-- Name: scoring_approval approval_20_decided; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER approval_20_decided BEFORE UPDATE ON public.scoring_approval FOR EACH ROW WHEN (((new.state)::text <> 'waiting'::text)) EXECUTE FUNCTION public.moot_approval_decided();

ALTER TABLE public.scoring_approval ENABLE ALWAYS TRIGGER approval_20_decided;


--
-- Name: scoring_approval approval_30_kept; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER approval_30_kept BEFORE DELETE ON public.scoring_approval FOR EACH ROW EXECUTE FUNCTION public.moot_refuse('approval_is_kept');

ALTER TABLE public.scoring_approval ENABLE ALWAYS TRIGGER approval_30_kept;


--
-- Name: scoring_approval approval_40_truncate; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER approval_40_truncate BEFORE TRUNCATE ON public.scoring_approval FOR EACH STATEMENT EXECUTE FUNCTION public.moot_refuse('approval_is_kept');

ALTER TABLE public.scoring_approval ENABLE ALWAYS TRIGGER approval_40_truncate;


--
-- Name: judging_call call_10_immutable; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER call_10_immutable BEFORE UPDATE ON public.judging_call FOR EACH ROW EXECUTE FUNCTION public.moot_only_blanks('call_is_never_edited', 'raw_answer');

ALTER TABLE public.judging_call ENABLE ALWAYS TRIGGER call_10_immutable;


--
-- Name: judging_call call_20_kept; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER call_20_kept BEFORE DELETE ON public.judging_call FOR EACH ROW EXECUTE FUNCTION public.moot_refuse('call_is_never_edited');

ALTER TABLE public.judging_call ENABLE ALWAYS TRIGGER call_20_kept;


--
-- Name: judging_call call_30_truncate; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER call_30_truncate BEFORE TRUNCATE ON public.judging_call FOR EACH STATEMENT EXECUTE FUNCTION public.moot_refuse('call_is_never_edited');

ALTER TABLE public.judging_call ENABLE ALWAYS TRIGGER call_30_truncate;


--
-- Name: judging_challenge challenge_10_immutable; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER challenge_10_immutable BEFORE UPDATE ON public.judging_challenge FOR EACH ROW EXECUTE FUNCTION public.moot_only_blanks('challenge_is_never_edited', 'quote');

ALTER TABLE public.judging_challenge ENABLE ALWAYS TRIGGER challenge_10_immutable;


--
-- Name: judging_challenge challenge_20_kept; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER challenge_20_kept BEFORE DELETE ON public.judging_challenge FOR EACH ROW EXECUTE FUNCTION public.moot_refuse('challenge_is_never_edited');

ALTER TABLE public.judging_challenge ENABLE ALWAYS TRIGGER challenge_20_kept;


--
-- Name: judging_challenge challenge_30_truncate; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER challenge_30_truncate BEFORE TRUNCATE ON public.judging_challenge FOR EACH STATEMENT EXECUTE FUNCTION public.moot_refuse('challenge_is_never_edited');

ALTER TABLE public.judging_challenge ENABLE ALWAYS TRIGGER challenge_30_truncate;


--
-- Name: debates_debate debate_10_parameters; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER debate_10_parameters BEFORE UPDATE ON public.debates_debate FOR EACH ROW WHEN (((old.status)::text <> 'draft'::text)) EXECUTE FUNCTION public.moot_fixed('debate_parameters_are_fixed_once_started', 'parameters', 'format', 'rounds', 'subject_id', 'motion', 'conducted_by', 'public_id');

ALTER TABLE public.debates_debate ENABLE ALWAYS TRIGGER debate_10_parameters;


--
-- Name: debates_debate debate_11_started; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER debate_11_started BEFORE UPDATE ON public.debates_debate FOR EACH ROW WHEN ((((old.status)::text <> 'draft'::text) AND ((new.status)::text = 'draft'::text))) EXECUTE FUNCTION public.moot_refuse('debate_never_becomes_a_draft_again');

ALTER TABLE public.debates_debate ENABLE ALWAYS TRIGGER debate_11_started;


--
-- Name: debates_debate debate_15_scored; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER debate_15_scored BEFORE UPDATE ON public.debates_debate FOR EACH ROW WHEN (((old.parameters ->> 'score'::text) IS DISTINCT FROM (new.parameters ->> 'score'::text))) EXECUTE FUNCTION public.moot_parameters_kept();

ALTER TABLE public.debates_debate ENABLE ALWAYS TRIGGER debate_15_scored;


--
-- Name: debates_debate debate_20_kept; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER debate_20_kept BEFORE DELETE ON public.debates_debate FOR EACH ROW WHEN (((old.status)::text <> 'draft'::text)) EXECUTE FUNCTION public.moot_refuse('debate_with_history_is_kept');

ALTER TABLE public.debates_debate ENABLE ALWAYS TRIGGER debate_20_kept;


--
-- Name: debates_debate debate_30_truncate; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER debate_30_truncate BEFORE TRUNCATE ON public.debates_debate FOR EACH STATEMENT EXECUTE FUNCTION public.moot_refuse('debate_with_history_is_kept');

ALTER TABLE public.debates_debate ENABLE ALWAYS TRIGGER debate_30_truncate;


--
-- Name: judging_defence defence_10_immutable; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER defence_10_immutable BEFORE DELETE OR UPDATE ON public.judging_defence FOR EACH ROW EXECUTE FUNCTION public.moot_refuse('defence_is_never_edited');

ALTER TABLE public.judging_defence ENABLE ALWAYS TRIGGER defence_10_immutable;


--
-- Name: judging_defence defence_30_truncate; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER defence_30_truncate BEFORE TRUNCATE ON public.judging_defence FOR EACH STATEMENT EXECUTE FUNCTION public.moot_refuse('defence_is_never_edited');

ALTER TABLE public.judging_defence ENABLE ALWAYS TRIGGER defence_30_truncate;


--
-- Name: scoring_scorechange entry_10_append; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER entry_10_append BEFORE INSERT ON public.scoring_scorechange FOR EACH ROW EXECUTE FUNCTION public.moot_entry_append();

ALTER TABLE public.scoring_scorechange ENABLE ALWAYS TRIGGER entry_10_append;


--
-- Name: scoring_scorechange entry_20_project; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER entry_20_project AFTER INSERT ON public.scoring_scorechange FOR EACH ROW EXECUTE FUNCTION public.moot_entry_project();

ALTER TABLE public.scoring_scorechange ENABLE ALWAYS TRIGGER entry_20_project;


--
-- Name: scoring_scorechange entry_30_append_only; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER entry_30_append_only BEFORE DELETE OR UPDATE ON public.scoring_scorechange FOR EACH ROW EXECUTE FUNCTION public.moot_refuse('entry_is_append_only');

ALTER TABLE public.scoring_scorechange ENABLE ALWAYS TRIGGER entry_30_append_only;


--
-- Name: scoring_scorechange entry_40_truncate; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER entry_40_truncate BEFORE TRUNCATE ON public.scoring_scorechange FOR EACH STATEMENT EXECUTE FUNCTION public.moot_refuse('entry_is_append_only');

ALTER TABLE public.scoring_scorechange ENABLE ALWAYS TRIGGER entry_40_truncate;


--
-- Name: scoring_evaluation evaluation_10_open; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER evaluation_10_open BEFORE INSERT ON public.scoring_evaluation FOR EACH ROW EXECUTE FUNCTION public.moot_evaluation_open();

ALTER TABLE public.scoring_evaluation ENABLE ALWAYS TRIGGER evaluation_10_open;


--
-- Name: scoring_evaluation evaluation_15_opened; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER evaluation_15_opened AFTER INSERT ON public.scoring_evaluation DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.moot_evaluation_opened();

ALTER TABLE public.scoring_evaluation ENABLE ALWAYS TRIGGER evaluation_15_opened;


--
-- Name: scoring_evaluation evaluation_20_guard; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER evaluation_20_guard BEFORE UPDATE ON public.scoring_evaluation FOR EACH ROW EXECUTE FUNCTION public.moot_evaluation_guard();

ALTER TABLE public.scoring_evaluation ENABLE ALWAYS TRIGGER evaluation_20_guard;


--
-- Name: scoring_evaluation evaluation_30_kept; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER evaluation_30_kept BEFORE DELETE ON public.scoring_evaluation FOR EACH ROW EXECUTE FUNCTION public.moot_refuse('evaluation_with_history_is_kept');

ALTER TABLE public.scoring_evaluation ENABLE ALWAYS TRIGGER evaluation_30_kept;


--
-- Name: scoring_evaluation evaluation_40_truncate; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER evaluation_40_truncate BEFORE TRUNCATE ON public.scoring_evaluation FOR EACH STATEMENT EXECUTE FUNCTION public.moot_refuse('evaluation_with_history_is_kept');

ALTER TABLE public.scoring_evaluation ENABLE ALWAYS TRIGGER evaluation_40_truncate;


--
-- Name: debates_event event_10_immutable; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER event_10_immutable BEFORE DELETE OR UPDATE ON public.debates_event FOR EACH ROW EXECUTE FUNCTION public.moot_refuse('event_is_immutable');

ALTER TABLE public.debates_event ENABLE ALWAYS TRIGGER event_10_immutable;


--
-- Name: debates_event event_30_truncate; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER event_30_truncate BEFORE TRUNCATE ON public.debates_event FOR EACH STATEMENT EXECUTE FUNCTION public.moot_refuse('event_is_immutable');

ALTER TABLE public.debates_event ENABLE ALWAYS TRIGGER event_30_truncate;


--
-- Name: debates_eventhead eventhead_10_fixed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER eventhead_10_fixed BEFORE UPDATE ON public.debates_eventhead FOR EACH ROW WHEN (((new.seq < old.seq) OR (new.debate_id <> old.debate_id))) EXECUTE FUNCTION public.moot_refuse('event_head_only_grows');

ALTER TABLE public.debates_eventhead ENABLE ALWAYS TRIGGER eventhead_10_fixed;


--
-- Name: debates_eventhead eventhead_20_kept; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER eventhead_20_kept BEFORE DELETE ON public.debates_eventhead FOR EACH ROW EXECUTE FUNCTION public.moot_refuse('event_head_only_grows');

ALTER TABLE public.debates_eventhead ENABLE ALWAYS TRIGGER eventhead_20_kept;


--
-- Name: scoring_fact fact_10_fits; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER fact_10_fits BEFORE INSERT ON public.scoring_fact FOR EACH ROW EXECUTE FUNCTION public.moot_fact_fits();

ALTER TABLE public.scoring_fact ENABLE ALWAYS TRIGGER fact_10_fits;


--
-- Name: scoring_fact fact_30_append_only; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER fact_30_append_only BEFORE DELETE OR UPDATE ON public.scoring_fact FOR EACH ROW EXECUTE FUNCTION public.moot_refuse('fact_is_append_only');

ALTER TABLE public.scoring_fact ENABLE ALWAYS TRIGGER fact_30_append_only;


--
-- Name: scoring_fact fact_40_truncate; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER fact_40_truncate BEFORE TRUNCATE ON public.scoring_fact FOR EACH STATEMENT EXECUTE FUNCTION public.moot_refuse('fact_is_append_only');

ALTER TABLE public.scoring_fact ENABLE ALWAYS TRIGGER fact_40_truncate;


--
-- Name: procrastinate_jobs procrastinate_jobs_notify_queue_job_aborted_v1; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER procrastinate_jobs_notify_queue_job_aborted_v1 AFTER UPDATE OF abort_requested ON public.procrastinate_jobs FOR EACH ROW WHEN (((old.abort_requested = false) AND (new.abort_requested = true) AND (new.status = 'doing'::public.procrastinate_job_status))) EXECUTE FUNCTION public.procrastinate_notify_queue_abort_job_v1();


--
-- Name: procrastinate_jobs procrastinate_jobs_notify_queue_job_inserted_v1; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER procrastinate_jobs_notify_queue_job_inserted_v1 AFTER INSERT ON public.procrastinate_jobs FOR EACH ROW WHEN ((new.status = 'todo'::public.procrastinate_job_status)) EXECUTE FUNCTION public.procrastinate_notify_queue_job_inserted_v1();


--
-- Name: procrastinate_jobs procrastinate_trigger_abort_requested_events_v1; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER procrastinate_trigger_abort_requested_events_v1 AFTER UPDATE OF abort_requested ON public.procrastinate_jobs FOR EACH ROW WHEN ((new.abort_requested = true)) EXECUTE FUNCTION public.procrastinate_trigger_abort_requested_events_procedure_v1();


--
-- Name: procrastinate_jobs procrastinate_trigger_delete_jobs_v1; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER procrastinate_trigger_delete_jobs_v1 BEFORE DELETE ON public.procrastinate_jobs FOR EACH ROW EXECUTE FUNCTION public.procrastinate_unlink_periodic_defers_v1();


--
-- Name: procrastinate_jobs procrastinate_trigger_scheduled_events_v1; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER procrastinate_trigger_scheduled_events_v1 AFTER INSERT OR UPDATE ON public.procrastinate_jobs FOR EACH ROW WHEN (((new.scheduled_at IS NOT NULL) AND (new.status = 'todo'::public.procrastinate_job_status))) EXECUTE FUNCTION public.procrastinate_trigger_function_scheduled_events_v1();


--
-- Name: procrastinate_jobs procrastinate_trigger_status_events_insert_v1; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER procrastinate_trigger_status_events_insert_v1 AFTER INSERT ON public.procrastinate_jobs FOR EACH ROW WHEN ((new.status = 'todo'::public.procrastinate_job_status)) EXECUTE FUNCTION public.procrastinate_trigger_function_status_events_insert_v1();


--
-- Name: procrastinate_jobs procrastinate_trigger_status_events_update_v1; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER procrastinate_trigger_status_events_update_v1 AFTER UPDATE OF status ON public.procrastinate_jobs FOR EACH ROW EXECUTE FUNCTION public.procrastinate_trigger_function_status_events_update_v1();


--
-- Name: scoring_reason reason_10_open; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER reason_10_open BEFORE INSERT ON public.scoring_reason FOR EACH ROW EXECUTE FUNCTION public.moot_reason_open();

ALTER TABLE public.scoring_reason ENABLE ALWAYS TRIGGER reason_10_open;


--
-- Name: scoring_reason reason_20_erasable; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER reason_20_erasable BEFORE UPDATE ON public.scoring_reason FOR EACH ROW EXECUTE FUNCTION public.moot_only_blanks('reason_is_never_edited', 'text', 'salt');

ALTER TABLE public.scoring_reason ENABLE ALWAYS TRIGGER reason_20_erasable;


--
-- Name: scoring_reason reason_30_kept; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER reason_30_kept BEFORE DELETE ON public.scoring_reason FOR EACH ROW EXECUTE FUNCTION public.moot_refuse('reason_is_never_edited');

ALTER TABLE public.scoring_reason ENABLE ALWAYS TRIGGER reason_30_kept;


--
-- Name: scoring_reason reason_40_truncate; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER reason_40_truncate BEFORE TRUNCATE ON public.scoring_reason FOR EACH STATEMENT EXECUTE FUNCTION public.moot_refuse('reason_is_never_edited');

ALTER TABLE public.scoring_reason ENABLE ALWAYS TRIGGER reason_40_truncate;


--
-- Name: scoring_rescoreset rescore_05_staged; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER rescore_05_staged BEFORE INSERT ON public.scoring_rescoreset FOR EACH ROW WHEN (((new.state)::text <> 'staged'::text)) EXECUTE FUNCTION public.moot_refuse('rescore_begins_staged');

ALTER TABLE public.scoring_rescoreset ENABLE ALWAYS TRIGGER rescore_05_staged;


--
-- Name: scoring_rescoreset rescore_10_fixed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER rescore_10_fixed BEFORE UPDATE ON public.scoring_rescoreset FOR EACH ROW EXECUTE FUNCTION public.moot_fixed('rescore_keeps_what_was_previewed', 'public_id', 'action', 'choice', 'lines', 'staged_by_id', 'because_id', 'staged_at');

ALTER TABLE public.scoring_rescoreset ENABLE ALWAYS TRIGGER rescore_10_fixed;


--
-- Name: scoring_rescoreset rescore_11_once; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER rescore_11_once BEFORE UPDATE ON public.scoring_rescoreset FOR EACH ROW WHEN (((old.state)::text <> 'staged'::text)) EXECUTE FUNCTION public.moot_refuse('rescore_is_decided_once');

ALTER TABLE public.scoring_rescoreset ENABLE ALWAYS TRIGGER rescore_11_once;


--
-- Name: scoring_rescoreset rescore_30_kept; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER rescore_30_kept BEFORE DELETE ON public.scoring_rescoreset FOR EACH ROW EXECUTE FUNCTION public.moot_refuse('rescore_is_kept');

ALTER TABLE public.scoring_rescoreset ENABLE ALWAYS TRIGGER rescore_30_kept;


--
-- Name: scoring_rescoreset rescore_40_truncate; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER rescore_40_truncate BEFORE TRUNCATE ON public.scoring_rescoreset FOR EACH STATEMENT EXECUTE FUNCTION public.moot_refuse('rescore_is_kept');

ALTER TABLE public.scoring_rescoreset ENABLE ALWAYS TRIGGER rescore_40_truncate;


--
-- Name: judging_review review_05_open; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER review_05_open BEFORE INSERT ON public.judging_review FOR EACH ROW WHEN (((new.state)::text <> 'open'::text)) EXECUTE FUNCTION public.moot_refuse('review_begins_open');

ALTER TABLE public.judging_review ENABLE ALWAYS TRIGGER review_05_open;


--
-- Name: judging_review review_10_fixed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER review_10_fixed BEFORE UPDATE ON public.judging_review FOR EACH ROW EXECUTE FUNCTION public.moot_fixed('review_keeps_what_is_in_dispute', 'public_id', 'debate_id', 'run_number', 'round_number', 'reason_code', 'disputed', 'policy', 'opened_at');

ALTER TABLE public.judging_review ENABLE ALWAYS TRIGGER review_10_fixed;


--
-- Name: judging_review review_11_settled; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER review_11_settled BEFORE UPDATE ON public.judging_review FOR EACH ROW WHEN (((old.state)::text = 'settled'::text)) EXECUTE FUNCTION public.moot_refuse('review_settled_by_a_person_stays');

ALTER TABLE public.judging_review ENABLE ALWAYS TRIGGER review_11_settled;


--
-- Name: judging_review review_12_claimed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER review_12_claimed BEFORE UPDATE ON public.judging_review FOR EACH ROW WHEN ((((old.state)::text = 'open'::text) AND ((new.state)::text = 'settled'::text))) EXECUTE FUNCTION public.moot_refuse('review_is_settled_by_its_holder');

ALTER TABLE public.judging_review ENABLE ALWAYS TRIGGER review_12_claimed;


--
-- Name: judging_review review_30_kept; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER review_30_kept BEFORE DELETE ON public.judging_review FOR EACH ROW EXECUTE FUNCTION public.moot_refuse('review_is_kept');

ALTER TABLE public.judging_review ENABLE ALWAYS TRIGGER review_30_kept;


--
-- Name: judging_review review_40_truncate; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER review_40_truncate BEFORE TRUNCATE ON public.judging_review FOR EACH STATEMENT EXECUTE FUNCTION public.moot_refuse('review_is_kept');

ALTER TABLE public.judging_review ENABLE ALWAYS TRIGGER review_40_truncate;


--
-- Name: debates_round round_10_fixed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER round_10_fixed BEFORE UPDATE ON public.debates_round FOR EACH ROW EXECUTE FUNCTION public.moot_fixed('round_keeps_its_identity', 'thread_id', 'run_number', 'number', 'opened_at', 'public_id');

ALTER TABLE public.debates_round ENABLE ALWAYS TRIGGER round_10_fixed;


--
-- Name: debates_round round_11_closed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER round_11_closed BEFORE UPDATE ON public.debates_round FOR EACH ROW WHEN ((old.closed_at IS NOT NULL)) EXECUTE FUNCTION public.moot_refuse('round_closes_once');

ALTER TABLE public.debates_round ENABLE ALWAYS TRIGGER round_11_closed;


--
-- Name: debates_round round_20_kept; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER round_20_kept BEFORE DELETE ON public.debates_round FOR EACH ROW EXECUTE FUNCTION public.moot_refuse('round_is_kept');

ALTER TABLE public.debates_round ENABLE ALWAYS TRIGGER round_20_kept;


--
-- Name: debates_round round_30_truncate; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER round_30_truncate BEFORE TRUNCATE ON public.debates_round FOR EACH STATEMENT EXECUTE FUNCTION public.moot_refuse('round_is_kept');

ALTER TABLE public.debates_round ENABLE ALWAYS TRIGGER round_30_truncate;


--
-- Name: judging_script script_10_fixed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER script_10_fixed BEFORE UPDATE ON public.judging_script FOR EACH ROW EXECUTE FUNCTION public.moot_refuse('script_is_never_edited');

ALTER TABLE public.judging_script ENABLE ALWAYS TRIGGER script_10_fixed;


--
-- Name: debates_subject subject_05_filled; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER subject_05_filled BEFORE INSERT ON public.debates_subject FOR EACH ROW WHEN ((((new.title)::text !~ '\S'::text) OR (new.text !~ '\S'::text))) EXECUTE FUNCTION public.moot_refuse('subject_has_title_and_text');

ALTER TABLE public.debates_subject ENABLE ALWAYS TRIGGER subject_05_filled;


--
-- Name: debates_subject subject_10_fixed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER subject_10_fixed BEFORE UPDATE ON public.debates_subject FOR EACH ROW EXECUTE FUNCTION public.moot_only_blanks('subject_is_never_edited', 'title', 'text');

ALTER TABLE public.debates_subject ENABLE ALWAYS TRIGGER subject_10_fixed;


--
-- Name: debates_subject subject_30_truncate; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER subject_30_truncate BEFORE TRUNCATE ON public.debates_subject FOR EACH STATEMENT EXECUTE FUNCTION public.moot_refuse('subject_is_never_edited');

ALTER TABLE public.debates_subject ENABLE ALWAYS TRIGGER subject_30_truncate;


--
-- Name: judging_synthesis synthesis_10_immutable; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER synthesis_10_immutable BEFORE DELETE OR UPDATE ON public.judging_synthesis FOR EACH ROW EXECUTE FUNCTION public.moot_refuse('synthesis_is_never_edited');

ALTER TABLE public.judging_synthesis ENABLE ALWAYS TRIGGER synthesis_10_immutable;


--
-- Name: judging_synthesis synthesis_30_truncate; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER synthesis_30_truncate BEFORE TRUNCATE ON public.judging_synthesis FOR EACH STATEMENT EXECUTE FUNCTION public.moot_refuse('synthesis_is_never_edited');

ALTER TABLE public.judging_synthesis ENABLE ALWAYS TRIGGER synthesis_30_truncate;


--
-- Name: debates_thread thread_10_fixed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER thread_10_fixed BEFORE UPDATE ON public.debates_thread FOR EACH ROW EXECUTE FUNCTION public.moot_fixed('thread_keeps_its_identity', 'debate_id', 'key', 'public_id');

ALTER TABLE public.debates_thread ENABLE ALWAYS TRIGGER thread_10_fixed;


--
-- Name: debates_thread thread_11_fence; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER thread_11_fence BEFORE UPDATE ON public.debates_thread FOR EACH ROW WHEN (((new.fence < old.fence) OR (new.run_number < old.run_number))) EXECUTE FUNCTION public.moot_refuse('thread_fence_and_run_only_grow');

ALTER TABLE public.debates_thread ENABLE ALWAYS TRIGGER thread_11_fence;


--
-- Name: debates_thread thread_20_kept; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER thread_20_kept BEFORE DELETE ON public.debates_thread FOR EACH ROW EXECUTE FUNCTION public.moot_refuse('thread_is_kept');

ALTER TABLE public.debates_thread ENABLE ALWAYS TRIGGER thread_20_kept;


--
-- Name: debates_thread thread_30_truncate; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER thread_30_truncate BEFORE TRUNCATE ON public.debates_thread FOR EACH STATEMENT EXECUTE FUNCTION public.moot_refuse('thread_is_kept');

ALTER TABLE public.debates_thread ENABLE ALWAYS TRIGGER thread_30_truncate;


--
-- Name: debates_turn turn_10_immutable; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER turn_10_immutable BEFORE UPDATE ON public.debates_turn FOR EACH ROW EXECUTE FUNCTION public.moot_only_blanks('turn_is_immutable', 'text');

ALTER TABLE public.debates_turn ENABLE ALWAYS TRIGGER turn_10_immutable;


--
-- Name: debates_turn turn_20_kept; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER turn_20_kept BEFORE DELETE ON public.debates_turn FOR EACH ROW EXECUTE FUNCTION public.moot_refuse('turn_is_immutable');

ALTER TABLE public.debates_turn ENABLE ALWAYS TRIGGER turn_20_kept;


--
-- Name: debates_turn turn_30_truncate; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER turn_30_truncate BEFORE TRUNCATE ON public.debates_turn FOR EACH STATEMENT EXECUTE FUNCTION public.moot_refuse('turn_is_immutable');

ALTER TABLE public.debates_turn ENABLE ALWAYS TRIGGER turn_30_truncate;


--
-- Name: judging_verdict verdict_10_immutable; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER verdict_10_immutable BEFORE UPDATE ON public.judging_verdict FOR EACH ROW EXECUTE FUNCTION public.moot_only_blanks('verdict_is_never_edited', 'reasoning');

ALTER TABLE public.judging_verdict ENABLE ALWAYS TRIGGER verdict_10_immutable;


--
-- Name: judging_verdict verdict_20_kept; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER verdict_20_kept BEFORE DELETE ON public.judging_verdict FOR EACH ROW EXECUTE FUNCTION public.moot_refuse('verdict_is_never_edited');

ALTER TABLE public.judging_verdict ENABLE ALWAYS TRIGGER verdict_20_kept;


--
-- Name: judging_verdict verdict_30_truncate; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER verdict_30_truncate BEFORE TRUNCATE ON public.judging_verdict FOR EACH STATEMENT EXECUTE FUNCTION public.moot_refuse('verdict_is_never_edited');

ALTER TABLE public.judging_verdict ENABLE ALWAYS TRIGGER verdict_30_truncate;


--
-- Name: account_emailaddress account_emailaddress_user_id_2c513194_fk_auth_user_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.account_emailaddress
    ADD CONSTRAINT account_emailaddress_user_id_2c513194_fk_auth_user_id FOREIGN KEY (user_id) REFERENCES public.auth_user(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: account_emailconfirmation account_emailconfirm_email_address_id_5b7f8c58_fk_account_e; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.account_emailconfirmation
    ADD CONSTRAINT account_emailconfirm_email_address_id_5b7f8c58_fk_account_e FOREIGN KEY (email_address_id) REFERENCES public.account_emailaddress(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: auth_group_permissions auth_group_permissio_permission_id_84c5c92e_fk_auth_perm; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissio_permission_id_84c5c92e_fk_auth_perm FOREIGN KEY (permission_id) REFERENCES public.auth_permission(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: auth_group_permissions auth_group_permissions_group_id_b120cbf9_fk_auth_group_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.auth_group_permissions
    ADD CONSTRAINT auth_group_permissions_group_id_b120cbf9_fk_auth_group_id FOREIGN KEY (group_id) REFERENCES public.auth_group(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: auth_permission auth_permission_content_type_id_2f476e4b_fk_django_co; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.auth_permission
    ADD CONSTRAINT auth_permission_content_type_id_2f476e4b_fk_django_co FOREIGN KEY (content_type_id) REFERENCES public.django_content_type(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: auth_user_groups auth_user_groups_group_id_97559544_fk_auth_group_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.auth_user_groups
    ADD CONSTRAINT auth_user_groups_group_id_97559544_fk_auth_group_id FOREIGN KEY (group_id) REFERENCES public.auth_group(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: auth_user_groups auth_user_groups_user_id_6a12ed8b_fk_auth_user_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.auth_user_groups
    ADD CONSTRAINT auth_user_groups_user_id_6a12ed8b_fk_auth_user_id FOREIGN KEY (user_id) REFERENCES public.auth_user(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: auth_user_user_permissions auth_user_user_permi_permission_id_1fbb5f2c_fk_auth_perm; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.auth_user_user_permissions
    ADD CONSTRAINT auth_user_user_permi_permission_id_1fbb5f2c_fk_auth_perm FOREIGN KEY (permission_id) REFERENCES public.auth_permission(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: auth_user_user_permissions auth_user_user_permissions_user_id_a95ead1b_fk_auth_user_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.auth_user_user_permissions
    ADD CONSTRAINT auth_user_user_permissions_user_id_a95ead1b_fk_auth_user_id FOREIGN KEY (user_id) REFERENCES public.auth_user(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: debates_debate debates_debate_created_by_id_f4203067_fk_auth_user_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_debate
    ADD CONSTRAINT debates_debate_created_by_id_f4203067_fk_auth_user_id FOREIGN KEY (created_by_id) REFERENCES public.auth_user(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: debates_debate debates_debate_repeat_of_id_4e97897a_fk_debates_debate_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_debate
    ADD CONSTRAINT debates_debate_repeat_of_id_4e97897a_fk_debates_debate_id FOREIGN KEY (repeat_of_id) REFERENCES public.debates_debate(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: debates_debate debates_debate_subject_id_21898294_fk_debates_subject_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_debate
    ADD CONSTRAINT debates_debate_subject_id_21898294_fk_debates_subject_id FOREIGN KEY (subject_id) REFERENCES public.debates_subject(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: debates_event debates_event_debate_id_83078966_fk_debates_debate_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_event
    ADD CONSTRAINT debates_event_debate_id_83078966_fk_debates_debate_id FOREIGN KEY (debate_id) REFERENCES public.debates_debate(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: debates_eventhead debates_eventhead_debate_id_198ea99e_fk_debates_debate_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_eventhead
    ADD CONSTRAINT debates_eventhead_debate_id_198ea99e_fk_debates_debate_id FOREIGN KEY (debate_id) REFERENCES public.debates_debate(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: debates_participant debates_participant_debate_id_489a6d77_fk_debates_debate_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_participant
    ADD CONSTRAINT debates_participant_debate_id_489a6d77_fk_debates_debate_id FOREIGN KEY (debate_id) REFERENCES public.debates_debate(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: debates_round debates_round_thread_id_5ed6eda0_fk_debates_thread_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_round
    ADD CONSTRAINT debates_round_thread_id_5ed6eda0_fk_debates_thread_id FOREIGN KEY (thread_id) REFERENCES public.debates_thread(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: debates_subject debates_subject_created_by_id_b73085b0_fk_auth_user_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_subject
    ADD CONSTRAINT debates_subject_created_by_id_b73085b0_fk_auth_user_id FOREIGN KEY (created_by_id) REFERENCES public.auth_user(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: debates_thread debates_thread_debate_id_e7a2175b_fk_debates_debate_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_thread
    ADD CONSTRAINT debates_thread_debate_id_e7a2175b_fk_debates_debate_id FOREIGN KEY (debate_id) REFERENCES public.debates_debate(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: debates_turn debates_turn_answers_id_b05c223d_fk_debates_turn_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_turn
    ADD CONSTRAINT debates_turn_answers_id_b05c223d_fk_debates_turn_id FOREIGN KEY (answers_id) REFERENCES public.debates_turn(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: debates_turn debates_turn_debate_id_536a507b_fk_debates_debate_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_turn
    ADD CONSTRAINT debates_turn_debate_id_536a507b_fk_debates_debate_id FOREIGN KEY (debate_id) REFERENCES public.debates_debate(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: debates_turn debates_turn_participant_id_c034b914_fk_debates_participant_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_turn
    ADD CONSTRAINT debates_turn_participant_id_c034b914_fk_debates_participant_id FOREIGN KEY (participant_id) REFERENCES public.debates_participant(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: debates_turn debates_turn_round_id_69efa6ed_fk_debates_round_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_turn
    ADD CONSTRAINT debates_turn_round_id_69efa6ed_fk_debates_round_id FOREIGN KEY (round_id) REFERENCES public.debates_round(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: debates_turn debates_turn_thread_id_15c0598f_fk_debates_thread_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_turn
    ADD CONSTRAINT debates_turn_thread_id_15c0598f_fk_debates_thread_id FOREIGN KEY (thread_id) REFERENCES public.debates_thread(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: django_admin_log django_admin_log_content_type_id_c4bce8eb_fk_django_co; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.django_admin_log
    ADD CONSTRAINT django_admin_log_content_type_id_c4bce8eb_fk_django_co FOREIGN KEY (content_type_id) REFERENCES public.django_content_type(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: django_admin_log django_admin_log_user_id_c564eba6_fk_auth_user_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.django_admin_log
    ADD CONSTRAINT django_admin_log_user_id_c564eba6_fk_auth_user_id FOREIGN KEY (user_id) REFERENCES public.auth_user(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: scoring_scorechange entry_follows_the_one_before; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_scorechange
    ADD CONSTRAINT entry_follows_the_one_before FOREIGN KEY (evaluation_id, previous_sequence, value_before, frozen_before) REFERENCES public.scoring_scorechange(evaluation_id, sequence, value_after, frozen_after);


--
-- Name: scoring_scorechange entry_starts_from_the_initial_score; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_scorechange
    ADD CONSTRAINT entry_starts_from_the_initial_score FOREIGN KEY (evaluation_id, initial_score) REFERENCES public.scoring_evaluation(id, initial_score);


--
-- Name: debates_event event_follows_the_one_before; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_event
    ADD CONSTRAINT event_follows_the_one_before FOREIGN KEY (debate_id, previous_seq) REFERENCES public.debates_event(debate_id, seq);


--
-- Name: judging_call judging_call_debate_id_0de51491_fk_debates_debate_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_call
    ADD CONSTRAINT judging_call_debate_id_0de51491_fk_debates_debate_id FOREIGN KEY (debate_id) REFERENCES public.debates_debate(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_call judging_call_participant_id_21696369_fk_debates_participant_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_call
    ADD CONSTRAINT judging_call_participant_id_21696369_fk_debates_participant_id FOREIGN KEY (participant_id) REFERENCES public.debates_participant(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_call judging_call_thread_id_8be00829_fk_debates_thread_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_call
    ADD CONSTRAINT judging_call_thread_id_8be00829_fk_debates_thread_id FOREIGN KEY (thread_id) REFERENCES public.debates_thread(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_challenge judging_challenge_thread_id_6fc85c4c_fk_debates_thread_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_challenge
    ADD CONSTRAINT judging_challenge_thread_id_6fc85c4c_fk_debates_thread_id FOREIGN KEY (thread_id) REFERENCES public.debates_thread(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_challenge judging_challenge_turn_id_96e65428_fk_debates_turn_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_challenge
    ADD CONSTRAINT judging_challenge_turn_id_96e65428_fk_debates_turn_id FOREIGN KEY (turn_id) REFERENCES public.debates_turn(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_claim judging_claim_thread_id_5dcb8ed1_fk_debates_thread_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_claim
    ADD CONSTRAINT judging_claim_thread_id_5dcb8ed1_fk_debates_thread_id FOREIGN KEY (thread_id) REFERENCES public.debates_thread(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_defence judging_defence_challenge_id_a36ab868_fk_judging_challenge_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_defence
    ADD CONSTRAINT judging_defence_challenge_id_a36ab868_fk_judging_challenge_id FOREIGN KEY (challenge_id) REFERENCES public.judging_challenge(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_defence judging_defence_round_id_867aa5e8_fk_debates_round_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_defence
    ADD CONSTRAINT judging_defence_round_id_867aa5e8_fk_debates_round_id FOREIGN KEY (round_id) REFERENCES public.debates_round(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_defence judging_defence_turn_id_206030f1_fk_debates_turn_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_defence
    ADD CONSTRAINT judging_defence_turn_id_206030f1_fk_debates_turn_id FOREIGN KEY (turn_id) REFERENCES public.debates_turn(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_review judging_review_claimed_by_id_0e5a5ff6_fk_scoring_actor_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_review
    ADD CONSTRAINT judging_review_claimed_by_id_0e5a5ff6_fk_scoring_actor_id FOREIGN KEY (claimed_by_id) REFERENCES public.scoring_actor(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_review judging_review_debate_id_98929906_fk_debates_debate_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_review
    ADD CONSTRAINT judging_review_debate_id_98929906_fk_debates_debate_id FOREIGN KEY (debate_id) REFERENCES public.debates_debate(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_review judging_review_settled_by_id_43066c9b_fk_scoring_actor_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_review
    ADD CONSTRAINT judging_review_settled_by_id_43066c9b_fk_scoring_actor_id FOREIGN KEY (settled_by_id) REFERENCES public.scoring_actor(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_script judging_script_debate_id_e2db9aee_fk_debates_debate_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_script
    ADD CONSTRAINT judging_script_debate_id_e2db9aee_fk_debates_debate_id FOREIGN KEY (debate_id) REFERENCES public.debates_debate(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_synthesis judging_synthesis_debate_id_19874068_fk_debates_debate_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_synthesis
    ADD CONSTRAINT judging_synthesis_debate_id_19874068_fk_debates_debate_id FOREIGN KEY (debate_id) REFERENCES public.debates_debate(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_synthesis judging_synthesis_turn_id_01fc2cda_fk_debates_turn_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_synthesis
    ADD CONSTRAINT judging_synthesis_turn_id_01fc2cda_fk_debates_turn_id FOREIGN KEY (turn_id) REFERENCES public.debates_turn(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_verdict judging_verdict_call_id_5d81db68_fk_judging_call_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_verdict
    ADD CONSTRAINT judging_verdict_call_id_5d81db68_fk_judging_call_id FOREIGN KEY (call_id) REFERENCES public.judging_call(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_verdict judging_verdict_challenge_id_658b9b28_fk_judging_challenge_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_verdict
    ADD CONSTRAINT judging_verdict_challenge_id_658b9b28_fk_judging_challenge_id FOREIGN KEY (challenge_id) REFERENCES public.judging_challenge(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_verdict judging_verdict_fact_id_1576ca8c_fk_scoring_fact_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_verdict
    ADD CONSTRAINT judging_verdict_fact_id_1576ca8c_fk_scoring_fact_id FOREIGN KEY (fact_id) REFERENCES public.scoring_fact(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_verdict judging_verdict_round_id_2ddd14ba_fk_debates_round_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_verdict
    ADD CONSTRAINT judging_verdict_round_id_2ddd14ba_fk_debates_round_id FOREIGN KEY (round_id) REFERENCES public.debates_round(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: mfa_authenticator mfa_authenticator_user_id_0c3a50c0_fk_auth_user_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.mfa_authenticator
    ADD CONSTRAINT mfa_authenticator_user_id_0c3a50c0_fk_auth_user_id FOREIGN KEY (user_id) REFERENCES public.auth_user(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: procrastinate_events procrastinate_events_job_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.procrastinate_events
    ADD CONSTRAINT procrastinate_events_job_id_fkey FOREIGN KEY (job_id) REFERENCES public.procrastinate_jobs(id) ON DELETE CASCADE;


--
-- Name: procrastinate_jobs procrastinate_jobs_worker_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.procrastinate_jobs
    ADD CONSTRAINT procrastinate_jobs_worker_id_fkey FOREIGN KEY (worker_id) REFERENCES public.procrastinate_workers(id) ON DELETE SET NULL;


--
-- Name: procrastinate_periodic_defers procrastinate_periodic_defers_job_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.procrastinate_periodic_defers
    ADD CONSTRAINT procrastinate_periodic_defers_job_id_fkey FOREIGN KEY (job_id) REFERENCES public.procrastinate_jobs(id);


--
-- Name: scoring_actor scoring_actor_user_id_62fb924d_fk_auth_user_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_actor
    ADD CONSTRAINT scoring_actor_user_id_62fb924d_fk_auth_user_id FOREIGN KEY (user_id) REFERENCES public.auth_user(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: scoring_alert scoring_alert_debate_id_d2393a4f_fk_debates_debate_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_alert
    ADD CONSTRAINT scoring_alert_debate_id_d2393a4f_fk_debates_debate_id FOREIGN KEY (debate_id) REFERENCES public.debates_debate(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: scoring_alert scoring_alert_evaluation_id_016ef20b_fk_scoring_evaluation_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_alert
    ADD CONSTRAINT scoring_alert_evaluation_id_016ef20b_fk_scoring_evaluation_id FOREIGN KEY (evaluation_id) REFERENCES public.scoring_evaluation(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: scoring_alert scoring_alert_handled_because_id_ff28ca76_fk_scoring_reason_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_alert
    ADD CONSTRAINT scoring_alert_handled_because_id_ff28ca76_fk_scoring_reason_id FOREIGN KEY (handled_because_id) REFERENCES public.scoring_reason(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: scoring_alert scoring_alert_handled_by_id_060922e6_fk_scoring_actor_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_alert
    ADD CONSTRAINT scoring_alert_handled_by_id_060922e6_fk_scoring_actor_id FOREIGN KEY (handled_by_id) REFERENCES public.scoring_actor(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: scoring_approval scoring_approval_because_id_03250793_fk_scoring_reason_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_approval
    ADD CONSTRAINT scoring_approval_because_id_03250793_fk_scoring_reason_id FOREIGN KEY (because_id) REFERENCES public.scoring_reason(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: scoring_approval scoring_approval_decided_because_id_5d594e3d_fk_scoring_r; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_approval
    ADD CONSTRAINT scoring_approval_decided_because_id_5d594e3d_fk_scoring_r FOREIGN KEY (decided_because_id) REFERENCES public.scoring_reason(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: scoring_approval scoring_approval_decided_by_id_6b88604e_fk_scoring_actor_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_approval
    ADD CONSTRAINT scoring_approval_decided_by_id_6b88604e_fk_scoring_actor_id FOREIGN KEY (decided_by_id) REFERENCES public.scoring_actor(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: scoring_approval scoring_approval_entry_id_ac0e0141_fk_scoring_scorechange_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_approval
    ADD CONSTRAINT scoring_approval_entry_id_ac0e0141_fk_scoring_scorechange_id FOREIGN KEY (entry_id) REFERENCES public.scoring_scorechange(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: scoring_approval scoring_approval_evaluation_id_1f2a1b4a_fk_scoring_e; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_approval
    ADD CONSTRAINT scoring_approval_evaluation_id_1f2a1b4a_fk_scoring_e FOREIGN KEY (evaluation_id) REFERENCES public.scoring_evaluation(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: scoring_approval scoring_approval_requested_by_id_ee3741d1_fk_scoring_actor_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_approval
    ADD CONSTRAINT scoring_approval_requested_by_id_ee3741d1_fk_scoring_actor_id FOREIGN KEY (requested_by_id) REFERENCES public.scoring_actor(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: scoring_criterion scoring_criterion_rubric_id_77ae789f_fk_scoring_rubric_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_criterion
    ADD CONSTRAINT scoring_criterion_rubric_id_77ae789f_fk_scoring_rubric_id FOREIGN KEY (rubric_id) REFERENCES public.scoring_rubric(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: scoring_evaluation scoring_evaluation_debate_id_bd7d6a0c_fk_debates_debate_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_evaluation
    ADD CONSTRAINT scoring_evaluation_debate_id_bd7d6a0c_fk_debates_debate_id FOREIGN KEY (debate_id) REFERENCES public.debates_debate(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: scoring_evaluation scoring_evaluation_participant_id_6a676a83_fk_debates_p; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_evaluation
    ADD CONSTRAINT scoring_evaluation_participant_id_6a676a83_fk_debates_p FOREIGN KEY (participant_id) REFERENCES public.debates_participant(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: scoring_evaluation scoring_evaluation_thread_id_c693d30b_fk_debates_thread_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_evaluation
    ADD CONSTRAINT scoring_evaluation_thread_id_c693d30b_fk_debates_thread_id FOREIGN KEY (thread_id) REFERENCES public.debates_thread(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: scoring_fact scoring_fact_evaluation_id_330bd7c2_fk_scoring_evaluation_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_fact
    ADD CONSTRAINT scoring_fact_evaluation_id_330bd7c2_fk_scoring_evaluation_id FOREIGN KEY (evaluation_id) REFERENCES public.scoring_evaluation(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: scoring_fact scoring_fact_participant_id_78dbd525_fk_debates_participant_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_fact
    ADD CONSTRAINT scoring_fact_participant_id_78dbd525_fk_debates_participant_id FOREIGN KEY (participant_id) REFERENCES public.debates_participant(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: scoring_fact scoring_fact_round_id_4a66b76c_fk_debates_round_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_fact
    ADD CONSTRAINT scoring_fact_round_id_4a66b76c_fk_debates_round_id FOREIGN KEY (round_id) REFERENCES public.debates_round(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: scoring_rescoreset scoring_rescoreset_because_id_3f1db557_fk_scoring_reason_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_rescoreset
    ADD CONSTRAINT scoring_rescoreset_because_id_3f1db557_fk_scoring_reason_id FOREIGN KEY (because_id) REFERENCES public.scoring_reason(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: scoring_rescoreset scoring_rescoreset_decided_because_id_f4ac5ad6_fk_scoring_r; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_rescoreset
    ADD CONSTRAINT scoring_rescoreset_decided_because_id_f4ac5ad6_fk_scoring_r FOREIGN KEY (decided_because_id) REFERENCES public.scoring_reason(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: scoring_rescoreset scoring_rescoreset_decided_by_id_3f8ed863_fk_scoring_actor_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_rescoreset
    ADD CONSTRAINT scoring_rescoreset_decided_by_id_3f8ed863_fk_scoring_actor_id FOREIGN KEY (decided_by_id) REFERENCES public.scoring_actor(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: scoring_rescoreset scoring_rescoreset_staged_by_id_bb461eef_fk_scoring_actor_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_rescoreset
    ADD CONSTRAINT scoring_rescoreset_staged_by_id_bb461eef_fk_scoring_actor_id FOREIGN KEY (staged_by_id) REFERENCES public.scoring_actor(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: scoring_rubric scoring_rubric_created_by_id_1ee51739_fk_auth_user_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_rubric
    ADD CONSTRAINT scoring_rubric_created_by_id_1ee51739_fk_auth_user_id FOREIGN KEY (created_by_id) REFERENCES public.auth_user(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: scoring_scorechange scoring_scorechange_actor_id_ba2a308d_fk_scoring_actor_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_scorechange
    ADD CONSTRAINT scoring_scorechange_actor_id_ba2a308d_fk_scoring_actor_id FOREIGN KEY (actor_id) REFERENCES public.scoring_actor(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: scoring_scorechange scoring_scorechange_evaluation_id_156630e9_fk_scoring_e; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_scorechange
    ADD CONSTRAINT scoring_scorechange_evaluation_id_156630e9_fk_scoring_e FOREIGN KEY (evaluation_id) REFERENCES public.scoring_evaluation(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: scoring_scorechange scoring_scorechange_reason_id_4b35c53a_fk_scoring_reason_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_scorechange
    ADD CONSTRAINT scoring_scorechange_reason_id_4b35c53a_fk_scoring_reason_id FOREIGN KEY (reason_id) REFERENCES public.scoring_reason(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: scoring_scorechange scoring_scorechange_round_id_cf968f8a_fk_debates_round_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_scorechange
    ADD CONSTRAINT scoring_scorechange_round_id_cf968f8a_fk_debates_round_id FOREIGN KEY (round_id) REFERENCES public.debates_round(id) DEFERRABLE INITIALLY DEFERRED;


--
-- PostgreSQL database dump complete
--


