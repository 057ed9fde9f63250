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
-- Name: moot_erasing(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.moot_erasing() RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
  SELECT EXISTS (SELECT 1 FROM scoring_erasure x WHERE x.at = transaction_timestamp())
$$;


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
-- Name: moot_evaluation_renamed(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.moot_evaluation_renamed() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
BEGIN
  IF NOT moot_erasing()
     OR to_jsonb(NEW) - 'name' - 'final_score' IS DISTINCT FROM to_jsonb(OLD) - 'name' - 'final_score' THEN
    RAISE restrict_violation USING MESSAGE = format('evaluation %s loses its name by an erasure alone', OLD.id),
      CONSTRAINT = 'evaluation_moves_only_with_an_entry';
  END IF;
  RETURN NEW;
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
-- Name: moot_response_equals_its_fact(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.moot_response_equals_its_fact() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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
-- Name: moot_standing_equals_its_fact(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.moot_standing_equals_its_fact() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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


--
-- Name: moot_state_follows(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.moot_state_follows() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'public', 'pg_temp'
    AS $$
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
-- Name: debates_apikey; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.debates_apikey (
    id bigint NOT NULL,
    public_id uuid NOT NULL,
    name character varying(80) NOT NULL,
    prefix character varying(12) NOT NULL,
    digest character varying(64) NOT NULL,
    scopes character varying(20)[] NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    last_used_at timestamp with time zone,
    owner_id integer NOT NULL,
    CONSTRAINT api_key_digest_is_one CHECK (((digest)::text ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT api_key_expires_after_it_begins CHECK (((expires_at IS NULL) OR (expires_at > created_at))),
    CONSTRAINT api_key_scopes_are_known CHECK (((scopes <@ ARRAY['read'::character varying(20), 'write'::character varying(20), 'moderate'::character varying(20), 'export'::character varying(20), 'webhooks'::character varying(20), 'metrics'::character varying(20)]) AND (
CASE
    WHEN (scopes IS NULL) THEN NULL::integer
    ELSE COALESCE(array_length(scopes, 1), 0)
END > 0)))
);


--
-- Name: debates_apikey_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.debates_apikey ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.debates_apikey_id_seq
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
-- Name: debates_delivery; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.debates_delivery (
    id bigint NOT NULL,
    public_id uuid NOT NULL,
    state character varying(20) NOT NULL,
    attempts smallint NOT NULL,
    due_at timestamp with time zone,
    log jsonb NOT NULL,
    settled_at timestamp with time zone,
    event_id bigint NOT NULL,
    webhook_id bigint NOT NULL,
    CONSTRAINT debates_delivery_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT delivery_state_is_known CHECK (((state)::text = ANY ((ARRAY['waiting'::character varying, 'delivered'::character varying, 'dead'::character varying, 'withheld'::character varying])::text[]))),
    CONSTRAINT delivery_waits_until_settled CHECK ((((due_at IS NOT NULL) AND (settled_at IS NULL) AND ((state)::text = 'waiting'::text)) OR ((NOT ((state)::text = 'waiting'::text)) AND (due_at IS NULL) AND (settled_at IS NOT NULL))))
);


--
-- Name: debates_delivery_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.debates_delivery ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.debates_delivery_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: debates_epoch; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.debates_epoch (
    id bigint NOT NULL,
    value uuid NOT NULL,
    since timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    CONSTRAINT epoch_is_the_only_one CHECK ((id = 1))
);


--
-- Name: debates_epoch_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.debates_epoch ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.debates_epoch_id_seq
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
    erasures integer DEFAULT 0 NOT NULL,
    CONSTRAINT debates_eventhead_erasures_check CHECK ((erasures >= 0)),
    CONSTRAINT debates_eventhead_seq_check CHECK ((seq >= 0))
);


--
-- Name: debates_idempotencykey; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.debates_idempotencykey (
    id bigint NOT NULL,
    key character varying(200) NOT NULL,
    digest character varying(64) NOT NULL,
    status smallint NOT NULL,
    body text NOT NULL,
    at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    api_key_id bigint,
    owner_id integer NOT NULL,
    CONSTRAINT debates_idempotencykey_status_check CHECK ((status >= 0)),
    CONSTRAINT idempotency_key_keeps_successes CHECK (((status = 0) OR ((status >= 200) AND (status <= 299))))
);


--
-- Name: debates_idempotencykey_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.debates_idempotencykey ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.debates_idempotencykey_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
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
    invitation integer NOT NULL,
    user_id integer,
    CONSTRAINT debates_participant_invitation_check CHECK ((invitation >= 0)),
    CONSTRAINT debates_participant_position_check CHECK (("position" >= 0)),
    CONSTRAINT engine_participant_has_a_provider CHECK (((NOT ((kind)::text = 'engine'::text)) OR (NOT ((provider)::text = ''::text)))),
    CONSTRAINT engine_participant_has_no_seat CHECK (((NOT ((kind)::text = 'engine'::text)) OR (user_id IS NULL))),
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
-- Name: debates_webhook; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.debates_webhook (
    id bigint NOT NULL,
    public_id uuid NOT NULL,
    url character varying(500) NOT NULL,
    types character varying(40)[] NOT NULL,
    secret character varying(80) NOT NULL,
    former_secret character varying(80) NOT NULL,
    former_until timestamp with time zone,
    state character varying(20) NOT NULL,
    disabled_because character varying(200) NOT NULL,
    created_at timestamp with time zone DEFAULT statement_timestamp() NOT NULL,
    debate_id bigint,
    owner_id integer NOT NULL,
    CONSTRAINT webhook_disabled_says_why CHECK ((((NOT ((state)::text = 'disabled'::text)) AND ((disabled_because)::text = ''::text)) OR (((state)::text = 'disabled'::text) AND (NOT ((disabled_because)::text = ''::text))))),
    CONSTRAINT webhook_former_secret_ends CHECK (((((former_secret)::text = ''::text) AND (former_until IS NULL)) OR ((NOT ((former_secret)::text = ''::text)) AND (former_until IS NOT NULL)))),
    CONSTRAINT webhook_secret_is_one CHECK (((secret)::text ~ '^whsec_'::text)),
    CONSTRAINT webhook_state_is_known CHECK (((state)::text = ANY ((ARRAY['active'::character varying, 'disabled'::character varying])::text[])))
);


--
-- Name: debates_webhook_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.debates_webhook ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.debates_webhook_id_seq
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
-- Name: judging_cachedjudgement; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.judging_cachedjudgement (
    digest character varying(64) NOT NULL,
    answer text NOT NULL,
    model character varying(120) NOT NULL,
    holder character varying(40) NOT NULL,
    lease_until timestamp with time zone,
    at timestamp with time zone NOT NULL,
    debate_id bigint,
    CONSTRAINT cached_judgement_is_known_or_being_made CHECK ((((answer = ''::text) AND (lease_until IS NOT NULL) AND (NOT ((holder)::text = ''::text))) OR ((NOT (answer = ''::text)) AND ((holder)::text = ''::text) AND (lease_until IS NULL))))
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
    about character varying(60) NOT NULL,
    known boolean NOT NULL,
    CONSTRAINT call_outcome_is_known CHECK (((outcome)::text = ANY ((ARRAY['used'::character varying, 'rejected'::character varying, 'failed'::character varying, 'superseded'::character varying])::text[]))),
    CONSTRAINT call_purpose_is_known CHECK (((purpose)::text = ANY ((ARRAY['assess'::character varying, 'challenge'::character varying, 'press'::character varying, 'defend'::character varying, 'judge'::character varying, 'synthesise'::character varying, 'introduce'::character varying, 'open'::character varying, 'respond'::character varying, 'evaluate'::character varying, 'influence'::character varying, 'interject'::character varying, 'sum_up'::character varying, 'analyse'::character varying, 'argue'::character varying, 'report'::character varying])::text[]))),
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
-- Name: judging_consensus; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.judging_consensus (
    id bigint NOT NULL,
    public_id uuid NOT NULL,
    policy jsonb NOT NULL,
    found jsonb NOT NULL,
    agreed boolean NOT NULL,
    reason_code character varying(20) NOT NULL,
    overall numeric(10,6),
    recommendation character varying(20) NOT NULL,
    at timestamp with time zone NOT NULL,
    debate_id bigint NOT NULL,
    round_id bigint NOT NULL,
    CONSTRAINT consensus_or_a_reason CHECK (((agreed AND (overall IS NOT NULL) AND ((reason_code)::text = ''::text)) OR ((NOT agreed) AND ((reason_code)::text = ANY ((ARRAY['spread'::character varying, 'criterion_spread'::character varying, 'not_accepted'::character varying, 'quorum_lost'::character varying])::text[]))))),
    CONSTRAINT consensus_overall_inside_scale CHECK (((overall IS NULL) OR ((overall >= (1)::numeric) AND (overall <= (5)::numeric)))),
    CONSTRAINT consensus_recommends_where_there_is_an_overall CHECK ((((overall IS NULL) AND ((recommendation)::text = ''::text)) OR ((overall IS NOT NULL) AND ((recommendation)::text = ANY ((ARRAY['pass'::character varying, 'needs_revision'::character varying, 'fail'::character varying])::text[])))))
);


--
-- Name: judging_consensus_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.judging_consensus ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.judging_consensus_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
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
-- Name: judging_effect; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.judging_effect (
    id bigint NOT NULL,
    persuasion numeric(10,6) NOT NULL,
    attack numeric(10,6) NOT NULL,
    evidence numeric(10,6) NOT NULL,
    persuasion_words smallint NOT NULL,
    source character varying(20) NOT NULL,
    at timestamp with time zone NOT NULL,
    call_id bigint,
    listener_id bigint NOT NULL,
    speaker_id bigint NOT NULL,
    turn_id bigint NOT NULL,
    CONSTRAINT effect_inside_limits CHECK ((((persuasion >= (0)::numeric) AND (persuasion <= (1)::numeric)) AND ((attack >= (0)::numeric) AND (attack <= (1)::numeric)) AND ((evidence >= (0)::numeric) AND (evidence <= (1)::numeric)))),
    CONSTRAINT effect_is_on_somebody_else CHECK ((NOT (speaker_id = listener_id))),
    CONSTRAINT effect_source_is_known CHECK (((source)::text = ANY ((ARRAY['judge'::character varying, 'words'::character varying, 'factors'::character varying])::text[]))),
    CONSTRAINT judging_effect_persuasion_words_check CHECK ((persuasion_words >= 0))
);


--
-- Name: judging_effect_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.judging_effect ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.judging_effect_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: judging_judgereport; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.judging_judgereport (
    id bigint NOT NULL,
    public_id uuid NOT NULL,
    readable boolean NOT NULL,
    body jsonb NOT NULL,
    at timestamp with time zone NOT NULL,
    call_id bigint,
    debate_id bigint NOT NULL,
    participant_id bigint NOT NULL,
    round_id bigint NOT NULL,
    turn_id bigint,
    CONSTRAINT judge_report_is_spoken_where_readable CHECK (((readable AND (turn_id IS NOT NULL)) OR ((NOT readable) AND (turn_id IS NULL))))
);


--
-- Name: judging_judgereport_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.judging_judgereport ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.judging_judgereport_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: judging_judgescore; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.judging_judgescore (
    fact_id bigint NOT NULL,
    key character varying(40) NOT NULL,
    given numeric(10,6) NOT NULL,
    wanted numeric(10,6),
    refused boolean NOT NULL,
    quotes_found smallint NOT NULL,
    quotes_missing smallint NOT NULL,
    report_id bigint NOT NULL,
    CONSTRAINT judge_refused_revision_was_wanted CHECK (((NOT refused) OR (wanted IS NOT NULL))),
    CONSTRAINT judge_revision_inside_scale CHECK (((wanted IS NULL) OR ((wanted >= (1)::numeric) AND (wanted <= (5)::numeric)))),
    CONSTRAINT judge_score_given_inside_scale CHECK (((given >= (1)::numeric) AND (given <= (5)::numeric))),
    CONSTRAINT judging_judgescore_quotes_found_check CHECK ((quotes_found >= 0)),
    CONSTRAINT judging_judgescore_quotes_missing_check CHECK ((quotes_missing >= 0))
);


--
-- Name: judging_participantstate; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.judging_participantstate (
    id bigint NOT NULL,
    number smallint NOT NULL,
    stance numeric(10,6) NOT NULL,
    conviction numeric(10,6) NOT NULL,
    surrender character varying(20) NOT NULL,
    at timestamp with time zone NOT NULL,
    effect_id bigint,
    participant_id bigint NOT NULL,
    CONSTRAINT judging_participantstate_number_check CHECK ((number >= 0)),
    CONSTRAINT state_inside_limits CHECK ((((stance >= ('-1'::integer)::numeric) AND (stance <= (1)::numeric)) AND ((conviction >= (0)::numeric) AND (conviction <= (1)::numeric)))),
    CONSTRAINT state_starts_without_an_effect CHECK ((((effect_id IS NULL) AND (number = 0) AND ((surrender)::text = ''::text)) OR ((effect_id IS NOT NULL) AND (number > 0)))),
    CONSTRAINT state_surrender_is_known CHECK ((((surrender)::text = ''::text) OR ((surrender)::text = ANY ((ARRAY['persuaded'::character varying, 'wavering'::character varying, 'consecutive'::character varying])::text[]))))
);


--
-- Name: judging_participantstate_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.judging_participantstate ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.judging_participantstate_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: judging_responseevaluation; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.judging_responseevaluation (
    id bigint NOT NULL,
    public_id uuid NOT NULL,
    state character varying(20) NOT NULL,
    steel_manning numeric(4,2),
    self_critique numeric(4,2),
    consistency numeric(4,2),
    honesty numeric(4,2),
    steel_attempted boolean,
    critique_attempted boolean,
    violations smallint NOT NULL,
    issues character varying(20)[] NOT NULL,
    requires_interjection boolean NOT NULL,
    violation character varying(40) NOT NULL,
    grounds jsonb NOT NULL,
    readings jsonb NOT NULL,
    digest character varying(64) NOT NULL,
    from_cache boolean NOT NULL,
    at timestamp with time zone NOT NULL,
    call_id bigint,
    fact_id bigint,
    round_id bigint NOT NULL,
    turn_id bigint NOT NULL,
    CONSTRAINT judging_responseevaluation_violations_check CHECK ((violations >= 0)),
    CONSTRAINT response_evaluation_state_is_known CHECK (((state)::text = ANY ((ARRAY['scored'::character varying, 'quick'::character varying, 'failed'::character varying])::text[]))),
    CONSTRAINT response_has_flags_unless_failed CHECK ((((critique_attempted IS NULL) AND ((state)::text = 'failed'::text) AND (steel_attempted IS NULL)) OR ((NOT ((state)::text = 'failed'::text)) AND (critique_attempted IS NOT NULL) AND (steel_attempted IS NOT NULL)))),
    CONSTRAINT response_has_marks_where_scored CHECK (((((state)::text = 'scored'::text) AND (fact_id IS NOT NULL) AND (steel_manning IS NOT NULL) AND (self_critique IS NOT NULL) AND (consistency IS NOT NULL) AND (honesty IS NOT NULL)) OR ((NOT ((state)::text = 'scored'::text)) AND (fact_id IS NULL) AND (steel_manning IS NULL) AND (self_critique IS NULL) AND (consistency IS NULL) AND (honesty IS NULL)))),
    CONSTRAINT response_issues_are_known CHECK ((issues <@ ARRAY['evasion'::character varying(20), 'misrepresentation'::character varying(20), 'cherry_picking'::character varying(20), 'moving_goalposts'::character varying(20), 'false_equivalence'::character varying(20)])),
    CONSTRAINT response_marks_inside_scale CHECK (((steel_manning IS NULL) OR (((steel_manning >= (0)::numeric) AND (steel_manning <= (25)::numeric)) AND ((self_critique >= (0)::numeric) AND (self_critique <= (25)::numeric)) AND ((consistency >= (0)::numeric) AND (consistency <= (25)::numeric)) AND ((honesty >= (0)::numeric) AND (honesty <= (25)::numeric))))),
    CONSTRAINT response_requires_interjection_with_a_reason_where_scored CHECK (((NOT requires_interjection) OR (((state)::text = 'scored'::text) AND ((violation)::text = ANY ((ARRAY['straw_manning'::character varying, 'missing_self_critique'::character varying, 'framework_inconsistency'::character varying, 'rhetorical_evasion'::character varying, 'low_adherence'::character varying])::text[])))))
);


--
-- Name: judging_responseevaluation_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.judging_responseevaluation ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.judging_responseevaluation_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
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
-- Name: judging_standing; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.judging_standing (
    fact_id bigint NOT NULL,
    stance numeric(10,6) NOT NULL,
    persuasion numeric(10,6) NOT NULL,
    resistance numeric(10,6) NOT NULL,
    penalty numeric(10,6) NOT NULL,
    participant_id bigint NOT NULL,
    round_id bigint NOT NULL,
    CONSTRAINT standing_parts_inside_limits CHECK (((penalty = ANY (ARRAY[(0)::numeric, (50)::numeric])) AND (persuasion >= (0)::numeric) AND ((resistance >= (0)::numeric) AND (resistance <= (20)::numeric)) AND ((stance >= (0)::numeric) AND (stance <= (30)::numeric))))
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
-- Name: scoring_erasure; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.scoring_erasure (
    id bigint NOT NULL,
    public_id uuid NOT NULL,
    scope character varying(20) NOT NULL,
    counts jsonb NOT NULL,
    at timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    because_id bigint NOT NULL,
    by_id bigint NOT NULL,
    debate_id bigint,
    participant_id bigint,
    user_id integer,
    CONSTRAINT erasure_names_what_it_erased CHECK ((((debate_id IS NOT NULL) AND (participant_id IS NULL) AND ((scope)::text = 'debate'::text) AND (user_id IS NULL)) OR ((debate_id IS NOT NULL) AND (participant_id IS NOT NULL) AND ((scope)::text = 'participant'::text) AND (user_id IS NULL)) OR ((debate_id IS NULL) AND (participant_id IS NULL) AND ((scope)::text = 'user'::text) AND (user_id IS NOT NULL)))),
    CONSTRAINT erasure_scope_is_known CHECK (((scope)::text = ANY ((ARRAY['debate'::character varying, 'participant'::character varying, 'user'::character varying])::text[])))
);


--
-- Name: scoring_erasure_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.scoring_erasure ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.scoring_erasure_id_seq
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
1	1	128
2	1	4
3	1	132
4	1	137
5	1	141
6	1	145
7	1	149
8	1	154
9	1	158
10	1	162
11	1	166
12	1	170
13	1	174
14	1	178
15	1	182
16	1	56
17	1	186
18	1	60
19	1	190
20	1	64
21	1	195
22	1	68
23	1	199
24	1	72
25	1	203
26	1	76
27	1	207
28	1	80
29	1	211
30	1	84
31	1	215
32	1	88
33	1	219
34	1	92
35	1	223
36	1	96
37	1	100
38	1	104
39	1	108
40	1	112
41	1	116
42	2	4
43	2	133
44	2	132
45	2	137
46	2	141
47	2	145
48	2	149
49	2	154
50	2	158
51	2	170
52	2	174
53	2	178
54	2	182
55	2	56
56	2	186
57	2	190
58	2	191
59	2	64
60	2	195
61	2	68
62	2	199
63	2	72
64	2	203
65	2	76
66	2	80
67	2	211
68	2	84
69	2	85
70	2	215
71	2	88
72	2	219
73	2	92
74	2	223
75	2	97
76	2	100
77	2	104
78	2	108
79	2	112
80	2	116
81	2	117
82	2	118
83	2	119
84	2	120
85	2	121
86	2	124
87	3	4
88	3	133
89	3	132
90	3	134
91	3	135
92	3	137
93	3	138
94	3	139
95	3	140
96	3	141
97	3	145
98	3	149
99	3	150
100	3	154
101	3	158
102	3	170
103	3	174
104	3	178
105	3	53
106	3	54
107	3	182
108	3	56
109	3	186
110	3	190
111	3	191
112	3	64
113	3	195
114	3	68
115	3	199
116	3	72
117	3	203
118	3	76
119	3	80
120	3	211
121	3	84
122	3	85
123	3	86
124	3	215
125	3	88
126	3	219
127	3	92
128	3	223
129	3	97
130	3	98
131	3	100
132	3	104
133	3	108
134	3	112
135	3	116
136	3	117
137	3	118
138	3	119
139	3	120
140	3	121
141	3	122
142	3	123
143	3	124
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
85	Can add API key	22	add_apikey
86	Can change API key	22	change_apikey
87	Can delete API key	22	delete_apikey
88	Can view API key	22	view_apikey
89	Can add delivery	23	add_delivery
90	Can change delivery	23	change_delivery
91	Can delete delivery	23	delete_delivery
92	Can view delivery	23	view_delivery
93	Can add idempotency key	24	add_idempotencykey
94	Can change idempotency key	24	change_idempotencykey
95	Can delete idempotency key	24	delete_idempotencykey
96	Can view idempotency key	24	view_idempotencykey
97	Can add webhook	25	add_webhook
98	Can change webhook	25	change_webhook
99	Can delete webhook	25	delete_webhook
100	Can view webhook	25	view_webhook
101	Can add epoch	26	add_epoch
102	Can change epoch	26	change_epoch
103	Can delete epoch	26	delete_epoch
104	Can view epoch	26	view_epoch
105	Can add reason	27	add_reason
106	Can change reason	27	change_reason
107	Can delete reason	27	delete_reason
108	Can view reason	27	view_reason
109	Can add actor	28	add_actor
110	Can change actor	28	change_actor
111	Can delete actor	28	delete_actor
112	Can view actor	28	view_actor
113	Can add evaluation	29	add_evaluation
114	Can change evaluation	29	change_evaluation
115	Can delete evaluation	29	delete_evaluation
116	Can view evaluation	29	view_evaluation
117	Can freeze an evaluation	29	freeze_evaluation
118	Can unfreeze an evaluation	29	unfreeze_evaluation
119	Can override a score	29	override_evaluation
120	Can lift an override	29	lift_evaluation
121	Can strike and reinstate facts	29	strike_evaluation
122	Can roll back an evaluation	29	rollback_evaluation
123	Can rerun an evaluation	29	rerun_evaluation
124	Can export scores	29	export_evaluation
125	Can add fact	30	add_fact
126	Can change fact	30	change_fact
127	Can delete fact	30	delete_fact
128	Can view fact	30	view_fact
129	Can add alert	31	add_alert
130	Can change alert	31	change_alert
131	Can delete alert	31	delete_alert
132	Can view alert	31	view_alert
133	Can acknowledge and dismiss alerts	31	handle_alert
134	Can add rubric	32	add_rubric
135	Can change rubric	32	change_rubric
136	Can delete rubric	32	delete_rubric
137	Can view rubric	32	view_rubric
138	Can add criterion	33	add_criterion
139	Can change criterion	33	change_criterion
140	Can delete criterion	33	delete_criterion
141	Can view criterion	33	view_criterion
142	Can add score change	34	add_scorechange
143	Can change score change	34	change_scorechange
144	Can delete score change	34	delete_scorechange
145	Can view score change	34	view_scorechange
146	Can add approval	35	add_approval
147	Can change approval	35	change_approval
148	Can delete approval	35	delete_approval
149	Can view approval	35	view_approval
150	Can approve an override that somebody else asked for	35	approve_override
151	Can add rescore set	36	add_rescoreset
152	Can change rescore set	36	change_rescoreset
153	Can delete rescore set	36	delete_rescoreset
154	Can view rescore set	36	view_rescoreset
155	Can add erasure	37	add_erasure
156	Can change erasure	37	change_erasure
157	Can delete erasure	37	delete_erasure
158	Can view erasure	37	view_erasure
159	Can add claim	38	add_claim
160	Can change claim	38	change_claim
161	Can delete claim	38	delete_claim
162	Can view claim	38	view_claim
163	Can add script	39	add_script
164	Can change script	39	change_script
165	Can delete script	39	delete_script
166	Can view script	39	view_script
167	Can add call	40	add_call
168	Can change call	40	change_call
169	Can delete call	40	delete_call
170	Can view call	40	view_call
171	Can add challenge	41	add_challenge
172	Can change challenge	41	change_challenge
173	Can delete challenge	41	delete_challenge
174	Can view challenge	41	view_challenge
175	Can add defence	42	add_defence
176	Can change defence	42	change_defence
177	Can delete defence	42	delete_defence
178	Can view defence	42	view_defence
179	Can add synthesis	43	add_synthesis
180	Can change synthesis	43	change_synthesis
181	Can delete synthesis	43	delete_synthesis
182	Can view synthesis	43	view_synthesis
183	Can add verdict	44	add_verdict
184	Can change verdict	44	change_verdict
185	Can delete verdict	44	delete_verdict
186	Can view verdict	44	view_verdict
187	Can add review	45	add_review
188	Can change review	45	change_review
189	Can delete review	45	delete_review
190	Can view review	45	view_review
191	Can claim and settle reviews	45	resolve_review
192	Can add consensus	46	add_consensus
193	Can change consensus	46	change_consensus
194	Can delete consensus	46	delete_consensus
195	Can view consensus	46	view_consensus
196	Can add judge report	47	add_judgereport
197	Can change judge report	47	change_judgereport
198	Can delete judge report	47	delete_judgereport
199	Can view judge report	47	view_judgereport
200	Can add judge score	48	add_judgescore
201	Can change judge score	48	change_judgescore
202	Can delete judge score	48	delete_judgescore
203	Can view judge score	48	view_judgescore
204	Can add cached judgement	49	add_cachedjudgement
205	Can change cached judgement	49	change_cachedjudgement
206	Can delete cached judgement	49	delete_cachedjudgement
207	Can view cached judgement	49	view_cachedjudgement
208	Can add effect	50	add_effect
209	Can change effect	50	change_effect
210	Can delete effect	50	delete_effect
211	Can view effect	50	view_effect
212	Can add participant state	51	add_participantstate
213	Can change participant state	51	change_participantstate
214	Can delete participant state	51	delete_participantstate
215	Can view participant state	51	view_participantstate
216	Can add response evaluation	52	add_responseevaluation
217	Can change response evaluation	52	change_responseevaluation
218	Can delete response evaluation	52	delete_responseevaluation
219	Can view response evaluation	52	view_responseevaluation
220	Can add standing	53	add_standing
221	Can change standing	53	change_standing
222	Can delete standing	53	delete_standing
223	Can view standing	53	view_standing
\.


--
-- Data for Name: auth_user; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.auth_user (id, password, last_login, is_superuser, username, first_name, last_name, email, is_staff, is_active, date_joined) FROM stdin;
1	!Ipn6XHfzcOE1pYoBvJkIGa4Ph5G2VkAPqHX13Dym	\N	t	alice				t	t	2026-11-22 12:08:49.609491+00
2	!TQ2PkuW1X2hJK6KpnUtwfLtiB6WOaDHqnyvDktwF	\N	f	bob				t	t	2026-11-22 12:08:49.632+00
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
-- Data for Name: debates_apikey; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.debates_apikey (id, public_id, name, prefix, digest, scopes, created_at, expires_at, revoked_at, last_used_at, owner_id) FROM stdin;
\.


--
-- Data for Name: debates_debate; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.debates_debate (id, public_id, format, title, motion, status, conducted_by, visibility, parameters, rounds, limit_money, limit_tokens, limit_calls, partial, partial_reason, problem, created_at, started_at, concluded_at, created_by_id, repeat_of_id, subject_id) FROM stdin;
3	4fbf6135-764f-44b5-bbf2-8e2dab127ec3	panel	A cache		awaiting_review	engine	public	{"play": {"personas": [], "score_updates": "per_round", "challenges_per_criterion": 0}, "panel": {"task": "Make it fast.", "policy": {"quorum": 2, "spread": "0.5", "pass_mark": "4", "early_exit": true, "debate_rounds": 1, "revision_mark": "3", "criterion_spread": "1"}, "prompts": {"argue": 1, "report": 1, "analyse": 1}, "strategies": ["logic", "dialectic", "rhetoric"], "not_applicable": {}}, "score": {"score_low": "1", "score_high": "10", "adjustment_cap": "5", "confidence_cap": "0.5", "weight_by_confidence": false}, "rubric": {"name": "Criteria as typed", "slug": "typed", "criteria": [{"low": "One part does everything, or a change in one place breaks another.", "code": "design", "high": "Small parts with one purpose and clear names; what depends on what is easy to see.", "name": "Design", "weight": "60", "category": "structure", "question": "Are responsibilities divided so that a part can be understood and changed by itself?"}, {"low": "What matters for tests is missing or wrong.", "code": "tests", "high": "Nothing that matters for tests is missing, and the text shows it.", "name": "Tests", "weight": "40", "category": "criteria", "question": "How good is the subject with regard to tests, given the task?"}], "description": ""}, "initial": {}}	1	\N	\N	\N	f			2026-11-22 12:08:49.773678+00	2026-11-22 12:08:49.789001+00	\N	\N	\N	2
2	ecc128ea-5caf-4520-a5ef-3922a94b92e3	panel	A cache		concluded	engine	public	{"play": {"personas": [], "score_updates": "per_round", "challenges_per_criterion": 0}, "panel": {"task": "Make it fast.", "policy": {"quorum": 2, "spread": "0.5", "pass_mark": "4", "early_exit": true, "debate_rounds": 3, "revision_mark": "3", "criterion_spread": "1"}, "prompts": {"argue": 1, "report": 1, "analyse": 1}, "strategies": ["logic", "dialectic", "rhetoric"], "not_applicable": {}}, "score": {"score_low": "1", "score_high": "10", "adjustment_cap": "5", "confidence_cap": "0.5", "weight_by_confidence": false}, "rubric": {"name": "Criteria as typed", "slug": "typed", "criteria": [{"low": "One part does everything, or a change in one place breaks another.", "code": "design", "high": "Small parts with one purpose and clear names; what depends on what is easy to see.", "name": "Design", "weight": "60", "category": "structure", "question": "Are responsibilities divided so that a part can be understood and changed by itself?"}, {"low": "What matters for tests is missing or wrong.", "code": "tests", "high": "Nothing that matters for tests is missing, and the text shows it.", "name": "Tests", "weight": "40", "category": "criteria", "question": "How good is the subject with regard to tests, given the task?"}], "description": ""}, "initial": {}}	3	\N	\N	\N	f			2026-11-22 12:08:49.730116+00	2026-11-22 12:08:49.741791+00	2026-11-22 12:08:53.1743+00	\N	\N	1
1	8d2751aa-cc24-4c6d-a0e1-8481c821e6e8	open	Hospitals should require every nurse to be vaccinated.	Hospitals should require every nurse to be vaccinated.	concluded	engine	public	{"score": {"score_low": "1", "score_high": "10", "adjustment_cap": "5", "confidence_cap": "0.5", "weight_by_confidence": false}, "table": {"tone": "spirited", "rules": {"name": "classic", "factors": null, "attack_push": "0.2", "attack_above": "0.3", "attack_raises": "1.1", "persuaded_above": "0.6", "persuasion_pull": "0.3", "wavering_stance": "0.2", "persuaded_window": 2, "persuasion_above": "0.6", "persuasion_keeps": "0.85", "attack_resistance": "0.8", "consecutive_above": "0.5", "consecutive_count": 3, "surrender_entries": 2, "wavering_conviction": "0.5", "persuaded_conviction": "0.4", "consecutive_conviction": null}, "words": {"attack": ["fallacious", "flawed", "incorrect", "mistaken", "wrong"], "evidence": ["data", "evidence", "research", "statistics", "study"], "persuasion": ["but", "consider", "however", "think about", "understand"]}, "chairs": [{"name": "Mira", "stance": "0.8", "strategy": "analytical", "framework": "utilitarian", "conviction": "0.7"}, {"name": "Konrad", "stance": "-0.6", "strategy": "defensive", "framework": "deontological", "conviction": "0.8"}], "credit": "shared", "effects": "words", "judging": "full", "prompts": {"open": 1, "sum_up": 1, "respond": 1, "evaluate": 1, "influence": 1, "interject": 1, "introduce": 1}, "persuasion": true, "introduction": true, "interjections": true, "accountability": "moderate"}}	2	\N	\N	\N	f			2026-11-22 12:08:49.648628+00	2026-11-22 12:08:49.679148+00	2026-11-22 12:08:53.196382+00	\N	\N	\N
4	c73d7651-60b8-4205-8b56-3a3afcc9ae6b	open	Hospitals should require every nurse to be vaccinated.	Hospitals should require every nurse to be vaccinated.	running	engine	public	{"score": {"score_low": "1", "score_high": "10", "adjustment_cap": "5", "confidence_cap": "0.5", "weight_by_confidence": false}, "table": {"tone": "spirited", "rules": {"name": "classic", "factors": null, "attack_push": "0.2", "attack_above": "0.3", "attack_raises": "1.1", "persuaded_above": "0.6", "persuasion_pull": "0.3", "wavering_stance": "0.2", "persuaded_window": 2, "persuasion_above": "0.6", "persuasion_keeps": "0.85", "attack_resistance": "0.8", "consecutive_above": "0.5", "consecutive_count": 3, "surrender_entries": 2, "wavering_conviction": "0.5", "persuaded_conviction": "0.4", "consecutive_conviction": null}, "words": {"attack": ["fallacious", "flawed", "incorrect", "mistaken", "wrong"], "evidence": ["data", "evidence", "research", "statistics", "study"], "persuasion": ["but", "consider", "however", "think about", "understand"]}, "chairs": [{"name": "Mira", "stance": "0.8", "strategy": "analytical", "framework": "utilitarian", "conviction": "0.7"}, {"name": "Konrad", "stance": "-0.6", "strategy": "defensive", "framework": "deontological", "conviction": "0.8"}], "credit": "shared", "effects": "words", "judging": "full", "prompts": {"open": 1, "sum_up": 1, "respond": 1, "evaluate": 1, "influence": 1, "interject": 1, "introduce": 1}, "persuasion": true, "introduction": true, "interjections": true, "accountability": "moderate"}}	1	\N	\N	\N	f			2026-11-22 12:08:53.535553+00	2026-11-22 12:08:53.589914+00	\N	\N	\N	\N
5	59f291e3-6271-4af1-87be-ea3d788bb93f	panel	A cache		running	engine	public	{"play": {"personas": [], "score_updates": "per_round", "challenges_per_criterion": 0}, "panel": {"task": "Make it fast.", "policy": {"quorum": 2, "spread": "0.5", "pass_mark": "4", "early_exit": true, "debate_rounds": 3, "revision_mark": "3", "criterion_spread": "1"}, "prompts": {"argue": 1, "report": 1, "analyse": 1}, "strategies": ["logic", "dialectic", "rhetoric"], "not_applicable": {}}, "score": {"score_low": "1", "score_high": "10", "adjustment_cap": "5", "confidence_cap": "0.5", "weight_by_confidence": false}, "rubric": {"name": "Criteria as typed", "slug": "typed", "criteria": [{"low": "One part does everything, or a change in one place breaks another.", "code": "design", "high": "Small parts with one purpose and clear names; what depends on what is easy to see.", "name": "Design", "weight": "60", "category": "structure", "question": "Are responsibilities divided so that a part can be understood and changed by itself?"}, {"low": "What matters for tests is missing or wrong.", "code": "tests", "high": "Nothing that matters for tests is missing, and the text shows it.", "name": "Tests", "weight": "40", "category": "criteria", "question": "How good is the subject with regard to tests, given the task?"}], "description": ""}, "initial": {}}	3	\N	\N	\N	f			2026-11-22 12:08:53.778575+00	2026-11-22 12:08:53.821348+00	\N	\N	\N	3
\.


--
-- Data for Name: debates_delivery; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.debates_delivery (id, public_id, state, attempts, due_at, log, settled_at, event_id, webhook_id) FROM stdin;
\.


--
-- Data for Name: debates_epoch; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.debates_epoch (id, value, since) FROM stdin;
1	53b72544-d2a9-4690-a850-227f8e181c72	2026-11-22 12:08:19.890504+00
\.


--
-- Data for Name: debates_event; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.debates_event (id, seq, type, audience, data, at, debate_id) FROM stdin;
1	1	debate:started	public	{"format": "open", "rounds": 2, "threads": 1}	2026-11-22 12:08:49.679148+00	1
2	1	debate:started	public	{"format": "panel", "rounds": 3, "threads": 1}	2026-11-22 12:08:49.741791+00	2
3	1	debate:started	public	{"format": "panel", "rounds": 1, "threads": 1}	2026-11-22 12:08:49.789001+00	3
4	2	thread:started	public	{"run": 1, "criterion": "main"}	2026-11-22 12:08:49.901768+00	1
5	3	round:started	public	{"run": 1, "round": 0, "criterion": "main"}	2026-11-22 12:08:49.901768+00	1
6	4	turn:added	public	{"kind": "opening", "role": "arbiter", "turn": "e720d766-8c52-4856-b89a-2aa7f12a2cc3", "round": 0, "criterion": "main"}	2026-11-22 12:08:49.95703+00	1
7	5	turn:added	public	{"kind": "opening", "role": "chair", "turn": "1127f757-b4e4-4709-bcdf-6e8edce360d4", "round": 0, "criterion": "main", "participant": "1c6c3aa0-99dc-47a7-99cb-e372946ad7ed"}	2026-11-22 12:08:49.974435+00	1
8	6	turn:added	public	{"kind": "opening", "role": "chair", "turn": "28db4926-ae9c-4693-807a-1a855c045cec", "round": 0, "criterion": "main", "participant": "c9c96f39-5d96-4bbc-bf3f-2421fd9b7ed5"}	2026-11-22 12:08:49.998251+00	1
9	2	thread:started	public	{"run": 1, "criterion": "main"}	2026-11-22 12:08:50.10015+00	3
10	3	round:started	public	{"run": 1, "round": 0, "criterion": "main"}	2026-11-22 12:08:50.10015+00	3
11	2	thread:started	public	{"run": 1, "criterion": "main"}	2026-11-22 12:08:49.982723+00	2
12	3	round:started	public	{"run": 1, "round": 0, "criterion": "main"}	2026-11-22 12:08:49.982723+00	2
13	7	score:updated	public	{"round": 0, "category": "", "criterion": "chair-1", "evaluation": "3ca451ea-88b7-4061-a211-668ba21e5b47", "instrument": "standing", "participant": "1c6c3aa0-99dc-47a7-99cb-e372946ad7ed", "totalRounds": 2, "currentScore": "16.80", "originalScore": "16.80"}	2026-11-22 12:08:50.165908+00	1
14	8	score:updated	public	{"round": 0, "category": "", "criterion": "chair-2", "evaluation": "01e94017-76e3-492f-9409-b9778c2db699", "instrument": "standing", "participant": "c9c96f39-5d96-4bbc-bf3f-2421fd9b7ed5", "totalRounds": 2, "currentScore": "14.40", "originalScore": "14.40"}	2026-11-22 12:08:50.165908+00	1
15	9	round:complete	public	{"run": 1, "round": 0, "criterion": "main", "totalRounds": 2}	2026-11-22 12:08:50.165908+00	1
16	10	round:started	public	{"run": 1, "round": 1, "criterion": "main"}	2026-11-22 12:08:50.165908+00	1
17	11	turn:added	public	{"kind": "response", "role": "chair", "turn": "d91ef5c8-28be-4018-9dd6-a700fa5b5f8c", "round": 1, "criterion": "main", "participant": "1c6c3aa0-99dc-47a7-99cb-e372946ad7ed"}	2026-11-22 12:08:50.819758+00	1
18	12	state:changed	public	{"cause": "d91ef5c8-28be-4018-9dd6-a700fa5b5f8c", "round": 1, "stance": "-0.5676", "conviction": "0.68", "participant": "c9c96f39-5d96-4bbc-bf3f-2421fd9b7ed5", "stanceBefore": "-0.60", "convictionBefore": "0.80"}	2026-11-22 12:08:50.819758+00	1
19	4	turn:added	public	{"kind": "report", "role": "judge", "turn": "22b4ff27-2094-4bfd-b81b-85c40b7b5b5c", "round": 0, "participant": "b3eca535-0332-4a83-aff7-adc0469c4db3"}	2026-11-22 12:08:50.713614+00	3
20	5	panel:report	public	{"round": 0, "report": "2654c470-b7c5-48a4-8b1f-3fbe03279e6f", "overall": "4.60", "readable": true, "participant": "b3eca535-0332-4a83-aff7-adc0469c4db3"}	2026-11-22 12:08:50.713614+00	3
21	6	turn:added	public	{"kind": "report", "role": "judge", "turn": "45c9a550-51e9-41ae-aeb8-941438ac0c0d", "round": 0, "participant": "541e52b3-3f13-4e21-8e96-3bf04099a07d"}	2026-11-22 12:08:50.713614+00	3
22	7	panel:report	public	{"round": 0, "report": "87dda564-30d1-46bc-bcaa-e3e39075859a", "overall": "2.80", "readable": true, "participant": "541e52b3-3f13-4e21-8e96-3bf04099a07d"}	2026-11-22 12:08:50.713614+00	3
23	8	turn:added	public	{"kind": "report", "role": "judge", "turn": "fa8c6d6b-d009-48ff-a074-a4f746e0459b", "round": 0, "participant": "08e64af0-ddce-4a86-8040-61befb5fda4b"}	2026-11-22 12:08:50.713614+00	3
24	9	panel:report	public	{"round": 0, "report": "b5ebf2ed-e1cc-4a25-a76c-2716c13ff9b9", "overall": "4.00", "readable": true, "participant": "08e64af0-ddce-4a86-8040-61befb5fda4b"}	2026-11-22 12:08:50.713614+00	3
25	10	score:updated	public	{"round": 0, "category": "structure", "criterion": "design", "evaluation": "326411c1-8242-4eb2-b8db-720865cbce1d", "instrument": "panel", "participant": null, "totalRounds": 1, "currentScore": "3.6667", "originalScore": "3.6667"}	2026-11-22 12:08:50.713614+00	3
26	11	score:updated	public	{"round": 0, "category": "criteria", "criterion": "tests", "evaluation": "e57a9a05-4211-4c1f-aa2c-0c3682542f93", "instrument": "panel", "participant": null, "totalRounds": 1, "currentScore": "4.00", "originalScore": "4.00"}	2026-11-22 12:08:50.713614+00	3
27	12	panel:consensus	public	{"round": 0, "judges": 3, "spread": "1.80", "overall": "3.80", "criteria": ["design"], "consensus": false}	2026-11-22 12:08:50.713614+00	3
28	13	round:complete	public	{"run": 1, "round": 0, "criterion": "main", "totalRounds": 1}	2026-11-22 12:08:50.713614+00	3
29	14	round:started	public	{"run": 1, "round": 1, "criterion": "main"}	2026-11-22 12:08:50.713614+00	3
30	4	turn:added	public	{"kind": "report", "role": "judge", "turn": "ac20dcdf-b0e3-43cb-953c-a74963ed9d13", "round": 0, "participant": "b5110b61-328c-49aa-aea3-86e1b5e9eb20"}	2026-11-22 12:08:51.087671+00	2
31	5	panel:report	public	{"round": 0, "report": "dc7f8c2a-40cc-4d5f-a42d-2dd10dc488da", "overall": "4.00", "readable": true, "participant": "b5110b61-328c-49aa-aea3-86e1b5e9eb20"}	2026-11-22 12:08:51.087671+00	2
32	6	turn:added	public	{"kind": "report", "role": "judge", "turn": "18a322d9-8064-49af-a75c-bff969fe3442", "round": 0, "participant": "f6913cba-9d55-462a-a02e-7080ef70a6fe"}	2026-11-22 12:08:51.087671+00	2
33	7	panel:report	public	{"round": 0, "report": "a8b1d589-7a24-490e-8da3-00b056e753bc", "overall": "4.30", "readable": true, "participant": "f6913cba-9d55-462a-a02e-7080ef70a6fe"}	2026-11-22 12:08:51.087671+00	2
34	8	turn:added	public	{"kind": "report", "role": "judge", "turn": "435c1237-af01-43ca-ab9e-75b785cbed85", "round": 0, "participant": "d093d367-1bc4-4c26-b8aa-57f2dce0f20b"}	2026-11-22 12:08:51.087671+00	2
35	9	panel:report	public	{"round": 0, "report": "c1739134-8e36-460a-8241-507ee314dd6f", "overall": "3.80", "readable": true, "participant": "d093d367-1bc4-4c26-b8aa-57f2dce0f20b"}	2026-11-22 12:08:51.087671+00	2
36	10	score:updated	public	{"round": 0, "category": "structure", "criterion": "design", "evaluation": "9ce8ed3a-0d1f-4dcb-9a91-6f79e8bcf611", "instrument": "panel", "participant": null, "totalRounds": 3, "currentScore": "4.1667", "originalScore": "4.1667"}	2026-11-22 12:08:51.087671+00	2
37	11	score:updated	public	{"round": 0, "category": "criteria", "criterion": "tests", "evaluation": "22e2cca4-b701-4d50-86cc-c238c4432b78", "instrument": "panel", "participant": null, "totalRounds": 3, "currentScore": "3.8333", "originalScore": "3.8333"}	2026-11-22 12:08:51.087671+00	2
38	12	panel:consensus	public	{"round": 0, "judges": 3, "spread": "0.50", "overall": "4.0333", "criteria": [], "consensus": true}	2026-11-22 12:08:51.087671+00	2
39	13	round:complete	public	{"run": 1, "round": 0, "criterion": "main", "totalRounds": 3}	2026-11-22 12:08:51.087671+00	2
40	14	criterion:complete	public	{"rounds": 0, "because": "consensus", "partial": false, "category": "structure", "criterion": "design", "evaluation": "9ce8ed3a-0d1f-4dcb-9a91-6f79e8bcf611", "finalScore": "4.1667", "originalScore": "4.1667"}	2026-11-22 12:08:51.087671+00	2
41	15	criterion:complete	public	{"rounds": 0, "because": "consensus", "partial": false, "category": "criteria", "criterion": "tests", "evaluation": "22e2cca4-b701-4d50-86cc-c238c4432b78", "finalScore": "3.8333", "originalScore": "3.8333"}	2026-11-22 12:08:51.087671+00	2
42	13	response:evaluated	public	{"turn": "d91ef5c8-28be-4018-9dd6-a700fa5b5f8c", "round": 1, "state": "scored", "total": "75.00", "honesty": "20.00", "consistency": "20.00", "participant": "1c6c3aa0-99dc-47a7-99cb-e372946ad7ed", "selfCritique": "15.00", "steelManning": "20.00"}	2026-11-22 12:08:51.296536+00	1
43	14	score:updated	public	{"round": 1, "category": "", "criterion": "chair-1", "evaluation": "96c0a072-abe7-4688-9fe5-c9ccac8f85d6", "instrument": "adherence", "participant": "1c6c3aa0-99dc-47a7-99cb-e372946ad7ed", "totalRounds": 2, "currentScore": "75.00", "originalScore": "75.00"}	2026-11-22 12:08:51.296536+00	1
46	17	response:evaluated	public	{"turn": "c321d354-aef6-42a6-8a73-c2fc78956b01", "round": 1, "state": "scored", "total": "75.00", "honesty": "20.00", "consistency": "20.00", "participant": "c9c96f39-5d96-4bbc-bf3f-2421fd9b7ed5", "selfCritique": "15.00", "steelManning": "20.00"}	2026-11-22 12:08:52.132769+00	1
47	18	score:updated	public	{"round": 1, "category": "", "criterion": "chair-2", "evaluation": "2a66a022-8527-47b5-a43d-bfcf63d1eae9", "instrument": "adherence", "participant": "c9c96f39-5d96-4bbc-bf3f-2421fd9b7ed5", "totalRounds": 2, "currentScore": "75.00", "originalScore": "75.00"}	2026-11-22 12:08:52.132769+00	1
76	16	turn:added	public	{"kind": "synthesis", "role": "arbiter", "turn": "c09661f8-ea79-41d3-b60d-c2a9cccb71d6"}	2026-11-22 12:08:53.1743+00	2
77	17	synthesis:complete	public	{"number": 1, "overall": {"band": null, "after": "4.0333", "before": "4.0333", "coverage": null, "recommendation": "pass"}}	2026-11-22 12:08:53.1743+00	2
78	18	debate:concluded	public	{"reason": "", "partial": false}	2026-11-22 12:08:53.1743+00	2
44	15	turn:added	public	{"kind": "response", "role": "chair", "turn": "c321d354-aef6-42a6-8a73-c2fc78956b01", "round": 1, "criterion": "main", "participant": "c9c96f39-5d96-4bbc-bf3f-2421fd9b7ed5"}	2026-11-22 12:08:51.99003+00	1
45	16	state:changed	public	{"cause": "c321d354-aef6-42a6-8a73-c2fc78956b01", "round": 1, "stance": "0.7352", "conviction": "0.595", "participant": "1c6c3aa0-99dc-47a7-99cb-e372946ad7ed", "stanceBefore": "0.80", "convictionBefore": "0.70"}	2026-11-22 12:08:51.99003+00	1
48	19	score:updated	public	{"round": 1, "category": "", "criterion": "chair-1", "evaluation": "3ca451ea-88b7-4061-a211-668ba21e5b47", "instrument": "standing", "participant": "1c6c3aa0-99dc-47a7-99cb-e372946ad7ed", "totalRounds": 2, "currentScore": "34.02332", "originalScore": "16.80"}	2026-11-22 12:08:52.215739+00	1
49	20	score:updated	public	{"round": 1, "category": "", "criterion": "chair-2", "evaluation": "01e94017-76e3-492f-9409-b9778c2db699", "instrument": "standing", "participant": "c9c96f39-5d96-4bbc-bf3f-2421fd9b7ed5", "totalRounds": 2, "currentScore": "34.17904", "originalScore": "14.40"}	2026-11-22 12:08:52.215739+00	1
50	21	round:complete	public	{"run": 1, "round": 1, "criterion": "main", "totalRounds": 2}	2026-11-22 12:08:52.215739+00	1
51	22	round:started	public	{"run": 1, "round": 2, "criterion": "main"}	2026-11-22 12:08:52.215739+00	1
52	15	turn:added	public	{"kind": "report", "role": "judge", "turn": "b2cf6d47-b420-49a5-a48e-5a632d605d1e", "round": 1, "participant": "b3eca535-0332-4a83-aff7-adc0469c4db3"}	2026-11-22 12:08:51.891878+00	3
53	16	panel:report	public	{"round": 1, "report": "30be3dd7-273a-4c71-ae1d-89a3de5aa5a5", "overall": "4.60", "readable": true, "participant": "b3eca535-0332-4a83-aff7-adc0469c4db3"}	2026-11-22 12:08:51.891878+00	3
54	17	turn:added	public	{"kind": "report", "role": "judge", "turn": "176d5370-e4cc-486b-94c8-756de273c7c9", "round": 1, "participant": "541e52b3-3f13-4e21-8e96-3bf04099a07d"}	2026-11-22 12:08:51.891878+00	3
55	18	panel:report	public	{"round": 1, "report": "7ceef97f-dcfd-4278-8655-3391b48b82d3", "overall": "2.80", "readable": true, "participant": "541e52b3-3f13-4e21-8e96-3bf04099a07d"}	2026-11-22 12:08:51.891878+00	3
56	19	turn:added	public	{"kind": "report", "role": "judge", "turn": "b86dc816-c0f9-4de6-8b45-79037aed2c88", "round": 1, "participant": "08e64af0-ddce-4a86-8040-61befb5fda4b"}	2026-11-22 12:08:51.891878+00	3
57	20	panel:report	public	{"round": 1, "report": "37e97dd7-5811-4f29-80b6-1698487012e1", "overall": "4.00", "readable": true, "participant": "08e64af0-ddce-4a86-8040-61befb5fda4b"}	2026-11-22 12:08:51.891878+00	3
58	21	score:updated	public	{"round": 1, "category": "structure", "criterion": "design", "evaluation": "326411c1-8242-4eb2-b8db-720865cbce1d", "instrument": "panel", "participant": null, "totalRounds": 1, "currentScore": "3.6667", "originalScore": "3.6667"}	2026-11-22 12:08:51.891878+00	3
59	22	score:updated	public	{"round": 1, "category": "criteria", "criterion": "tests", "evaluation": "e57a9a05-4211-4c1f-aa2c-0c3682542f93", "instrument": "panel", "participant": null, "totalRounds": 1, "currentScore": "4.00", "originalScore": "4.00"}	2026-11-22 12:08:51.891878+00	3
60	23	panel:consensus	public	{"round": 1, "judges": 3, "spread": "1.80", "overall": "3.80", "criteria": ["design"], "consensus": false}	2026-11-22 12:08:51.891878+00	3
61	24	review:opened	public	{"round": 1, "reason": "spread", "review": "bc37f175-4f68-41f3-8d7d-422110fc1ea7", "criteria": ["design"]}	2026-11-22 12:08:51.891878+00	3
62	25	round:complete	public	{"run": 1, "round": 1, "criterion": "main", "totalRounds": 1}	2026-11-22 12:08:51.891878+00	3
63	26	criterion:complete	public	{"rounds": 1, "because": "no_consensus", "partial": false, "category": "structure", "criterion": "design", "evaluation": "326411c1-8242-4eb2-b8db-720865cbce1d", "finalScore": "3.6667", "originalScore": "3.6667"}	2026-11-22 12:08:51.891878+00	3
64	27	criterion:complete	public	{"rounds": 1, "because": "no_consensus", "partial": false, "category": "criteria", "criterion": "tests", "evaluation": "e57a9a05-4211-4c1f-aa2c-0c3682542f93", "finalScore": "4.00", "originalScore": "4.00"}	2026-11-22 12:08:51.891878+00	3
65	23	turn:added	public	{"kind": "response", "role": "chair", "turn": "ccc9cecf-4f5f-4cee-908b-0cc08df468bd", "round": 2, "criterion": "main", "participant": "1c6c3aa0-99dc-47a7-99cb-e372946ad7ed"}	2026-11-22 12:08:52.412793+00	1
66	24	state:changed	public	{"cause": "ccc9cecf-4f5f-4cee-908b-0cc08df468bd", "round": 2, "stance": "-0.518559", "conviction": "0.578", "participant": "c9c96f39-5d96-4bbc-bf3f-2421fd9b7ed5", "stanceBefore": "-0.5676", "convictionBefore": "0.68"}	2026-11-22 12:08:52.412793+00	1
67	25	response:evaluated	public	{"turn": "ccc9cecf-4f5f-4cee-908b-0cc08df468bd", "round": 2, "state": "scored", "total": "75.00", "honesty": "20.00", "consistency": "20.00", "participant": "1c6c3aa0-99dc-47a7-99cb-e372946ad7ed", "selfCritique": "15.00", "steelManning": "20.00"}	2026-11-22 12:08:52.583701+00	1
68	26	score:updated	public	{"round": 2, "category": "", "criterion": "chair-1", "evaluation": "96c0a072-abe7-4688-9fe5-c9ccac8f85d6", "instrument": "adherence", "participant": "1c6c3aa0-99dc-47a7-99cb-e372946ad7ed", "totalRounds": 2, "currentScore": "75.00", "originalScore": "75.00"}	2026-11-22 12:08:52.583701+00	1
69	27	turn:added	public	{"kind": "response", "role": "chair", "turn": "8a47fd99-3b1c-48c0-9242-e55f756bcbfe", "round": 2, "criterion": "main", "participant": "c9c96f39-5d96-4bbc-bf3f-2421fd9b7ed5"}	2026-11-22 12:08:52.684843+00	1
70	28	state:changed	public	{"cause": "8a47fd99-3b1c-48c0-9242-e55f756bcbfe", "round": 2, "stance": "0.654806", "conviction": "0.50575", "participant": "1c6c3aa0-99dc-47a7-99cb-e372946ad7ed", "stanceBefore": "0.7352", "convictionBefore": "0.595"}	2026-11-22 12:08:52.684843+00	1
73	31	score:updated	public	{"round": 2, "category": "", "criterion": "chair-1", "evaluation": "3ca451ea-88b7-4061-a211-668ba21e5b47", "instrument": "standing", "participant": "1c6c3aa0-99dc-47a7-99cb-e372946ad7ed", "totalRounds": 2, "currentScore": "29.050044", "originalScore": "16.80"}	2026-11-22 12:08:52.806051+00	1
74	32	score:updated	public	{"round": 2, "category": "", "criterion": "chair-2", "evaluation": "01e94017-76e3-492f-9409-b9778c2db699", "instrument": "standing", "participant": "c9c96f39-5d96-4bbc-bf3f-2421fd9b7ed5", "totalRounds": 2, "currentScore": "29.551813", "originalScore": "14.40"}	2026-11-22 12:08:52.806051+00	1
71	29	response:evaluated	public	{"turn": "8a47fd99-3b1c-48c0-9242-e55f756bcbfe", "round": 2, "state": "failed", "participant": "c9c96f39-5d96-4bbc-bf3f-2421fd9b7ed5"}	2026-11-22 12:08:52.732834+00	1
72	30	alert:raised	moderators	{"code": "judge_failed", "alert": "3be45cd2-3409-4e16-998d-ae536a2638b9", "severity": "critical", "evaluation": null}	2026-11-22 12:08:52.732834+00	1
79	34	turn:added	public	{"kind": "synthesis", "role": "arbiter", "turn": "091c965a-c725-44a2-b792-eaf45234a27d"}	2026-11-22 12:08:53.196382+00	1
80	35	synthesis:complete	public	{"number": 1, "overall": null}	2026-11-22 12:08:53.196382+00	1
81	36	debate:concluded	public	{"reason": "", "partial": false}	2026-11-22 12:08:53.196382+00	1
75	33	round:complete	public	{"run": 1, "round": 2, "criterion": "main", "totalRounds": 2}	2026-11-22 12:08:52.806051+00	1
82	37	score:overridden	public	{"after": "20.00", "entry": 5, "before": "29.551813", "criterion": "chair-2", "evaluation": "01e94017-76e3-492f-9409-b9778c2db699"}	2026-11-22 12:08:53.244789+00	1
83	38	score:struck	public	{"after": "75.00", "entry": 4, "before": "75.00", "criterion": "chair-1", "evaluation": "96c0a072-abe7-4688-9fe5-c9ccac8f85d6"}	2026-11-22 12:08:53.340185+00	1
84	19	score:struck	public	{"after": "4.00", "entry": 3, "before": "4.1667", "criterion": "design", "evaluation": "9ce8ed3a-0d1f-4dcb-9a91-6f79e8bcf611"}	2026-11-22 12:08:53.421319+00	2
85	20	score:frozen	public	{"after": "4.00", "entry": 4, "before": "4.00", "criterion": "design", "evaluation": "9ce8ed3a-0d1f-4dcb-9a91-6f79e8bcf611"}	2026-11-22 12:08:53.464767+00	2
86	1	debate:started	public	{"format": "open", "rounds": 1, "threads": 1}	2026-11-22 12:08:53.589914+00	4
87	1	debate:started	public	{"format": "panel", "rounds": 3, "threads": 1}	2026-11-22 12:08:53.821348+00	5
\.


--
-- Data for Name: debates_eventhead; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.debates_eventhead (debate_id, seq, erasures) FROM stdin;
3	27	0
1	38	0
2	20	0
4	1	0
5	1	0
\.


--
-- Data for Name: debates_idempotencykey; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.debates_idempotencykey (id, key, digest, status, body, at, api_key_id, owner_id) FROM stdin;
\.


--
-- Data for Name: debates_participant; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.debates_participant (id, public_id, role, kind, name, "position", provider, model, debate_id, invitation, user_id) FROM stdin;
1	1c6c3aa0-99dc-47a7-99cb-e372946ad7ed	chair	engine	Mira	1	scripted		1	0	\N
2	c9c96f39-5d96-4bbc-bf3f-2421fd9b7ed5	chair	engine	Konrad	2	scripted		1	0	\N
3	a5f6b888-0e9f-4954-ad11-26a3866640a3	arbiter	engine	Arbiter	3	scripted		1	0	\N
4	b5110b61-328c-49aa-aea3-86e1b5e9eb20	judge	engine	Judge 1	1	scripted		2	0	\N
5	f6913cba-9d55-462a-a02e-7080ef70a6fe	judge	engine	Judge 2	2	scripted		2	0	\N
6	d093d367-1bc4-4c26-b8aa-57f2dce0f20b	judge	engine	Judge 3	3	scripted		2	0	\N
7	a836c81d-5593-4760-be5c-029ff2135c03	arbiter	engine	Reporter	4	scripted		2	0	\N
8	b3eca535-0332-4a83-aff7-adc0469c4db3	judge	engine	Judge 1	1	scripted		3	0	\N
9	541e52b3-3f13-4e21-8e96-3bf04099a07d	judge	engine	Judge 2	2	scripted		3	0	\N
10	08e64af0-ddce-4a86-8040-61befb5fda4b	judge	engine	Judge 3	3	scripted		3	0	\N
11	060ca279-343a-4ead-a75f-47b0b097acd6	arbiter	engine	Reporter	4	scripted		3	0	\N
12	592fb024-f896-4e1e-b8c4-714376a9a837	chair	engine	Mira	1	heuristic		4	0	\N
13	97f26ee4-6afc-48dc-8abf-195711c93598	chair	engine	Konrad	2	heuristic		4	0	\N
14	27025fef-07c6-439e-8a8e-0dd0e1b5f426	arbiter	engine	Arbiter	3	heuristic		4	0	\N
15	4afe4779-82ab-4e0d-9819-e745d1485ba1	judge	engine	Judge 1	1	scripted		5	0	\N
16	9fc7cbf9-1e67-4ef7-ab11-ee1bffe599c3	judge	engine	Judge 2	2	scripted		5	0	\N
17	d84e20d4-aadb-4c2e-9c32-97e0b090afcb	judge	engine	Judge 3	3	scripted		5	0	\N
18	db503bdb-b034-4961-a61d-adfff332d68b	arbiter	engine	Reporter	4	scripted		5	0	\N
\.


--
-- Data for Name: debates_round; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.debates_round (id, public_id, run_number, number, opened_at, closed_at, thread_id) FROM stdin;
1	33ca653f-c1f7-4d0e-b67f-30e70f45f2a5	1	0	2026-11-22 12:08:49.901768+00	2026-11-22 12:08:50.165908+00	1
2	e7ee767b-12fa-4c1b-a907-0d83c373161f	1	0	2026-11-22 12:08:50.10015+00	2026-11-22 12:08:50.713614+00	3
3	d9777cd5-cd84-4782-a7da-25824aa464f2	1	0	2026-11-22 12:08:49.982723+00	2026-11-22 12:08:51.087671+00	2
5	f12feea9-8d51-4f6f-ab97-97e8ee20015f	1	1	2026-11-22 12:08:50.713614+00	2026-11-22 12:08:51.891878+00	3
4	293c0106-d17c-49ab-be75-65c4f381ad7f	1	1	2026-11-22 12:08:50.165908+00	2026-11-22 12:08:52.215739+00	1
6	e8bc8ab4-e318-4aef-9307-2fc7e69e1f87	1	2	2026-11-22 12:08:52.215739+00	2026-11-22 12:08:52.806051+00	1
\.


--
-- Data for Name: debates_subject; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.debates_subject (id, public_id, title, text, created_at, created_by_id) FROM stdin;
1	968db07a-1486-48f2-8e93-39034a639b01	A cache	The cache is warm after 40 ms. The tests run in CI. Nobody has measured the rest.	2026-11-22 12:08:49.726768+00	\N
2	7feefc96-704e-44fc-8c6d-a9766719966e	A cache	The cache is warm after 40 ms. The tests run in CI. Nobody has measured the rest.	2026-11-22 12:08:49.771804+00	\N
3	b001d41c-57f0-49a1-a241-b798c98d0c5f	A cache	The cache is warm after 40 ms. The tests run in CI. Nobody has measured the rest.	2026-11-22 12:08:53.766686+00	\N
\.


--
-- Data for Name: debates_thread; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.debates_thread (id, public_id, key, "position", status, run_number, rounds_played, fence, ended_because, debate_id) FROM stdin;
2	5bfaf75f-f459-4c2b-8c86-eaf7eec48fd5	main	1	complete	1	1	2	consensus	2
3	e0bb3016-81e1-425f-9038-1cfe0180d722	main	1	complete	1	2	2	no_consensus	3
1	28e4fdd8-d55f-4217-8c04-a5d8e2ba9193	main	1	complete	1	3	2	all_rounds_played	1
4	7fb9951c-92b1-44b3-bb65-f0d3e01e69a7	main	1	pending	1	0	0		4
5	e043e074-3c9e-495f-aa43-3098cf5540b8	main	1	pending	1	0	0		5
\.


--
-- Data for Name: debates_turn; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.debates_turn (id, public_id, kind, slot, text, at, answers_id, debate_id, participant_id, round_id, thread_id) FROM stdin;
1	e720d766-8c52-4856-b89a-2aa7f12a2cc3	opening	introduction	Welcome to this debate.	2026-11-22 12:08:49.95703+00	\N	1	3	1	1
2	1127f757-b4e4-4709-bcdf-6e8edce360d4	opening	opening:1	This is where I stand.	2026-11-22 12:08:49.974435+00	\N	1	1	1	1
3	28db4926-ae9c-4693-807a-1a855c045cec	opening	opening:2	This is where I stand.	2026-11-22 12:08:49.998251+00	2	1	2	1	1
4	22b4ff27-2094-4bfd-b81b-85c40b7b5b5c	report	report:8	### design: 5\n\n> The tests run in CI\n\ndesign so.\n\nImprovement: More.\n\n### tests: 4\n\n> The tests run in CI\n\ntests so.\n\nImprovement: More.\n\n### Questions to myself\n\n1. Question 1?\n   No.\n2. Question 2?\n   No.\n3. Question 3?\n   No.\n4. Question 4?\n   No.\n5. Question 5?\n   No.\n\nOverall: **4.6**	2026-11-22 12:08:50.713614+00	\N	3	8	2	3
5	45c9a550-51e9-41ae-aeb8-941438ac0c0d	report	report:9	### design: 2\n\n> The tests run in CI\n\ndesign so.\n\nImprovement: More.\n\n### tests: 4\n\n> The tests run in CI\n\ntests so.\n\nImprovement: More.\n\n### Questions to myself\n\n1. Question 1?\n   No.\n2. Question 2?\n   No.\n3. Question 3?\n   No.\n4. Question 4?\n   No.\n5. Question 5?\n   No.\n\nOverall: **2.8**	2026-11-22 12:08:50.713614+00	\N	3	9	2	3
6	fa8c6d6b-d009-48ff-a074-a4f746e0459b	report	report:10	### design: 4\n\n> The tests run in CI\n\ndesign so.\n\nImprovement: More.\n\n### tests: 4\n\n> The tests run in CI\n\ntests so.\n\nImprovement: More.\n\n### Questions to myself\n\n1. Question 1?\n   No.\n2. Question 2?\n   No.\n3. Question 3?\n   No.\n4. Question 4?\n   No.\n5. Question 5?\n   No.\n\nOverall: **4**	2026-11-22 12:08:50.713614+00	\N	3	10	2	3
7	d91ef5c8-28be-4018-9dd6-a700fa5b5f8c	response	response:1	However, consider the data, understand it.	2026-11-22 12:08:50.819758+00	3	1	1	4	1
8	ac20dcdf-b0e3-43cb-953c-a74963ed9d13	report	report:4	### design: 4\n\n> The tests run in CI\n\ndesign so.\n\nImprovement: More.\n\n### tests: 4\n\n> The tests run in CI\n\ntests so.\n\nImprovement: More.\n\n### Questions to myself\n\n1. Question 1?\n   No.\n2. Question 2?\n   No.\n3. Question 3?\n   No.\n4. Question 4?\n   No.\n5. Question 5?\n   No.\n\nOverall: **4**	2026-11-22 12:08:51.087671+00	\N	2	4	3	2
9	18a322d9-8064-49af-a75c-bff969fe3442	report	report:5	### design: 4.5\n\n> The tests run in CI\n\ndesign so.\n\nImprovement: More.\n\n### tests: 4\n\n> The tests run in CI\n\ntests so.\n\nImprovement: More.\n\n### Questions to myself\n\n1. Question 1?\n   No.\n2. Question 2?\n   No.\n3. Question 3?\n   No.\n4. Question 4?\n   No.\n5. Question 5?\n   No.\n\nOverall: **4.3**	2026-11-22 12:08:51.087671+00	\N	2	5	3	2
10	435c1237-af01-43ca-ab9e-75b785cbed85	report	report:6	### design: 4\n\n> The tests run in CI\n\ndesign so.\n\nImprovement: More.\n\n### tests: 3.5\n\n> The tests run in CI\n\ntests so.\n\nImprovement: More.\n\n### Questions to myself\n\n1. Question 1?\n   No.\n2. Question 2?\n   No.\n3. Question 3?\n   No.\n4. Question 4?\n   No.\n5. Question 5?\n   No.\n\nOverall: **3.8**	2026-11-22 12:08:51.087671+00	\N	2	6	3	2
11	b2cf6d47-b420-49a5-a48e-5a632d605d1e	report	report:8	### design: 5 against 2 of Judge 2\n\nDefence: It holds.\n\nChallenge: Does yours?\n\nScore maintained. So it is.\n\nAccepts the result: no. Agrees with: nobody.\n\nOverall: **4.6**	2026-11-22 12:08:51.891878+00	\N	3	8	5	3
12	176d5370-e4cc-486b-94c8-756de273c7c9	report	report:9	### design: 2 against 5 of Judge 1\n\nDefence: It holds.\n\nChallenge: Does yours?\n\nScore maintained. So it is.\n\nAccepts the result: no. Agrees with: nobody.\n\nOverall: **2.8**	2026-11-22 12:08:51.891878+00	\N	3	9	5	3
13	b86dc816-c0f9-4de6-8b45-79037aed2c88	report	report:10	### design: 4 against 2 of Judge 2\n\nDefence: It holds.\n\nChallenge: Does yours?\n\nScore maintained. So it is.\n\nAccepts the result: no. Agrees with: nobody.\n\nOverall: **4**	2026-11-22 12:08:51.891878+00	\N	3	10	5	3
14	c321d354-aef6-42a6-8a73-c2fc78956b01	response	response:2	However, consider the data, understand it.	2026-11-22 12:08:51.99003+00	7	1	2	4	1
15	ccc9cecf-4f5f-4cee-908b-0cc08df468bd	response	response:1	However, consider the data, understand it.	2026-11-22 12:08:52.412793+00	14	1	1	6	1
16	8a47fd99-3b1c-48c0-9242-e55f756bcbfe	response	response:2	However, consider the data, understand it.	2026-11-22 12:08:52.684843+00	15	1	2	6	1
17	c09661f8-ea79-41d3-b60d-c2a9cccb71d6	synthesis	synthesis:1	So it was.	2026-11-22 12:08:53.1743+00	\N	2	7	\N	\N
18	091c965a-c725-44a2-b792-eaf45234a27d	synthesis	synthesis:1	It is over.\n\nWhere they met:\n- On the ward.	2026-11-22 12:08:53.196382+00	\N	1	3	\N	\N
\.


--
-- Data for Name: debates_webhook; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.debates_webhook (id, public_id, url, types, secret, former_secret, former_until, state, disabled_because, created_at, debate_id, owner_id) FROM stdin;
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
22	debates	apikey
23	debates	delivery
24	debates	idempotencykey
25	debates	webhook
26	debates	epoch
27	scoring	reason
28	scoring	actor
29	scoring	evaluation
30	scoring	fact
31	scoring	alert
32	scoring	rubric
33	scoring	criterion
34	scoring	scorechange
35	scoring	approval
36	scoring	rescoreset
37	scoring	erasure
38	judging	claim
39	judging	script
40	judging	call
41	judging	challenge
42	judging	defence
43	judging	synthesis
44	judging	verdict
45	judging	review
46	judging	consensus
47	judging	judgereport
48	judging	judgescore
49	judging	cachedjudgement
50	judging	effect
51	judging	participantstate
52	judging	responseevaluation
53	judging	standing
\.


--
-- Data for Name: django_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.django_migrations (id, app, name, applied) FROM stdin;
1	contenttypes	0001_initial	2026-11-22 12:08:15.065886+00
2	auth	0001_initial	2026-11-22 12:08:15.253984+00
3	account	0001_initial	2026-11-22 12:08:15.297103+00
4	account	0002_email_max_length	2026-11-22 12:08:15.312163+00
5	account	0003_alter_emailaddress_create_unique_verified_email	2026-11-22 12:08:15.337251+00
6	account	0004_alter_emailaddress_drop_unique_email	2026-11-22 12:08:15.358554+00
7	account	0005_emailaddress_idx_upper_email	2026-11-22 12:08:15.387283+00
8	account	0006_emailaddress_lower	2026-11-22 12:08:15.42609+00
9	account	0007_emailaddress_idx_email	2026-11-22 12:08:15.52053+00
10	account	0008_emailaddress_unique_primary_email_fixup	2026-11-22 12:08:15.588255+00
11	account	0009_emailaddress_unique_primary_email	2026-11-22 12:08:15.619015+00
12	admin	0001_initial	2026-11-22 12:08:15.677036+00
13	admin	0002_logentry_remove_auto_add	2026-11-22 12:08:15.707993+00
14	admin	0003_logentry_add_action_flag_choices	2026-11-22 12:08:15.741391+00
15	contenttypes	0002_remove_content_type_name	2026-11-22 12:08:15.813837+00
16	auth	0002_alter_permission_name_max_length	2026-11-22 12:08:15.831236+00
17	auth	0003_alter_user_email_max_length	2026-11-22 12:08:15.850522+00
18	auth	0004_alter_user_username_opts	2026-11-22 12:08:15.875156+00
19	auth	0005_alter_user_last_login_null	2026-11-22 12:08:15.98653+00
20	auth	0006_require_contenttypes_0002	2026-11-22 12:08:15.988594+00
21	auth	0007_alter_validators_add_error_messages	2026-11-22 12:08:16.031+00
22	auth	0008_alter_user_username_max_length	2026-11-22 12:08:16.048494+00
23	auth	0009_alter_user_last_name_max_length	2026-11-22 12:08:16.11045+00
24	auth	0010_alter_group_name_max_length	2026-11-22 12:08:16.127436+00
25	auth	0011_update_proxy_permissions	2026-11-22 12:08:16.146666+00
26	auth	0012_alter_user_first_name_max_length	2026-11-22 12:08:16.203466+00
27	config	0001_cache_table	2026-11-22 12:08:16.213434+00
28	debates	0001_initial	2026-11-22 12:08:17.539853+00
29	debates	0002_guards_v1	2026-11-22 12:08:17.570477+00
30	debates	0003_access	2026-11-22 12:08:19.777256+00
31	debates	0004_access_v1	2026-11-22 12:08:19.792781+00
32	debates	0005_epoch	2026-11-22 12:08:19.892436+00
33	scoring	0001_initial	2026-11-22 12:08:24.598399+00
34	scoring	0002_ledger_v1	2026-11-22 12:08:24.666607+00
35	scoring	0003_desk	2026-11-22 12:08:25.279609+00
36	scoring	0004_desk_v1	2026-11-22 12:08:25.299505+00
37	scoring	0005_erasure	2026-11-22 12:08:25.84065+00
38	scoring	0006_erasure_v1	2026-11-22 12:08:25.865041+00
39	judging	0001_initial	2026-11-22 12:08:28.958115+00
40	judging	0002_guards_v1	2026-11-22 12:08:28.968488+00
41	judging	0003_review	2026-11-22 12:08:29.203208+00
42	judging	0004_review_v1	2026-11-22 12:08:29.211525+00
43	judging	0005_ask_in_open_debates	2026-11-22 12:08:29.553722+00
44	judging	0006_guards_v2	2026-11-22 12:08:29.782851+00
45	judging	0007_add_panels	2026-11-22 12:08:33.56167+00
46	judging	0008_panels_v1	2026-11-22 12:08:33.577705+00
47	judging	0009_add_tables	2026-11-22 12:08:39.796993+00
48	judging	0010_tables_v1	2026-11-22 12:08:39.822376+00
49	judging	0011_tell_known_answers	2026-11-22 12:08:40.071294+00
50	judging	0012_erasure_v1	2026-11-22 12:08:40.084552+00
51	mfa	0001_initial	2026-11-22 12:08:40.389675+00
52	mfa	0002_authenticator_timestamps	2026-11-22 12:08:40.585918+00
53	mfa	0003_authenticator_type_uniq	2026-11-22 12:08:40.79903+00
54	procrastinate	0001_initial	2026-11-22 12:08:40.843141+00
55	procrastinate	0002_drop_started_at_column	2026-11-22 12:08:40.854284+00
56	procrastinate	0003_drop_started_at_column	2026-11-22 12:08:40.870936+00
57	procrastinate	0004_drop_procrastinate_version_table	2026-11-22 12:08:40.879847+00
58	procrastinate	0005_fix_procrastinate_fetch_job	2026-11-22 12:08:40.900983+00
59	procrastinate	0006_fix_trigger_status_events_insert	2026-11-22 12:08:40.910684+00
60	procrastinate	0007_add_queueing_lock_column	2026-11-22 12:08:40.919542+00
61	procrastinate	0008_close_fetch_job_race_condition	2026-11-22 12:08:40.935841+00
62	procrastinate	0009_add_defer_job_function	2026-11-22 12:08:40.947529+00
63	procrastinate	0010_add_procrastinate_periodic_defers	2026-11-22 12:08:40.966382+00
64	procrastinate	0011_add_foreign_key_index	2026-11-22 12:08:40.973629+00
65	procrastinate	0012_add_locks_to_periodic_defer	2026-11-22 12:08:40.985207+00
66	procrastinate	0013_fix_procrastinate_defer_periodic_job	2026-11-22 12:08:40.999889+00
67	procrastinate	0014_add_finish_job_and_retry_job_functions	2026-11-22 12:08:41.007678+00
68	procrastinate	0015_add_trigger_on_job_deletion	2026-11-22 12:08:41.021805+00
69	procrastinate	0016_delete_finished_jobs	2026-11-22 12:08:41.028599+00
70	procrastinate	0017_add_checks_to_finish_job	2026-11-22 12:08:41.041797+00
71	procrastinate	0018_add_checks_to_retry_job	2026-11-22 12:08:41.054431+00
72	procrastinate	0019_fix_finish_job_compat_issue	2026-11-22 12:08:41.066665+00
73	procrastinate	0020_add_index_on_procrastinate_jobs	2026-11-22 12:08:41.091485+00
74	procrastinate	0021_add_kwargs_to_defer_periodic_job	2026-11-22 12:08:41.105802+00
75	procrastinate	0022_null_locks_excluded	2026-11-22 12:08:41.114731+00
76	procrastinate	0023_remove_old_finish_job_function	2026-11-22 12:08:41.128859+00
77	procrastinate	0024_job_id_bigint	2026-11-22 12:08:41.148277+00
78	procrastinate	0025_add_models	2026-11-22 12:08:41.172156+00
79	procrastinate	0026_add_job_priority	2026-11-22 12:08:41.201405+00
80	procrastinate	0027_add_periodic_job_priority	2026-11-22 12:08:41.217785+00
81	procrastinate	0028_add_cancel_states	2026-11-22 12:08:41.244128+00
82	procrastinate	0029_add_additional_params_to_retry_job	2026-11-22 12:08:41.258262+00
83	procrastinate	0030_alter_procrastinateevent_options	2026-11-22 12:08:41.26974+00
84	procrastinate	0031_add_indexes_for_fetch_job	2026-11-22 12:08:41.280363+00
85	procrastinate	0032_pre_cancel_notification	2026-11-22 12:08:41.312918+00
86	procrastinate	0033_post_cancel_notification	2026-11-22 12:08:41.363966+00
87	procrastinate	0034_pre_add_heartbeat	2026-11-22 12:08:41.398007+00
88	procrastinate	0035_post_add_heartbeat	2026-11-22 12:08:41.40816+00
89	procrastinate	0036_add_worker_model	2026-11-22 12:08:41.448584+00
90	procrastinate	0037_pre_batch_defer_jobs	2026-11-22 12:08:41.460827+00
91	procrastinate	0038_post_batch_defer_jobs	2026-11-22 12:08:41.492686+00
92	procrastinate	0039_pre_priority_lock_fetch_job	2026-11-22 12:08:41.510604+00
93	procrastinate	0040_pre_retry_failed_job	2026-11-22 12:08:41.5266+00
94	procrastinate	0041_post_retry_failed_job	2026-11-22 12:08:41.560666+00
95	sessions	0001_initial	2026-11-22 12:08:41.58961+00
\.


--
-- Data for Name: django_session; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.django_session (session_key, session_data, expire_date) FROM stdin;
\.


--
-- Data for Name: judging_cachedjudgement; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.judging_cachedjudgement (digest, answer, model, holder, lease_until, at, debate_id) FROM stdin;
77afbbfcb214ebacbdf08d06d39b0a73c6f2a10d3266d18a3fc4621101a740fc	{"honesty": {"notes": "", "score": "20", "issues": [], "quotes": []}, "consistency": {"notes": "", "score": "20", "quotes": [], "violations": []}, "self_critique": {"notes": "So it is.", "score": "15", "quotes": [], "attempted": true}, "steel_manning": {"notes": "So it is.", "score": "20", "quotes": [], "attempted": true}}	script		\N	2026-11-22 12:08:51.19089+00	\N
c120051d8df6837e80dbe78bc61853dc18019ff39c5f37dd1f93be0b8e246e83	{"honesty": {"notes": "", "score": "20", "issues": [], "quotes": []}, "consistency": {"notes": "", "score": "20", "quotes": [], "violations": []}, "self_critique": {"notes": "So it is.", "score": "15", "quotes": [], "attempted": true}, "steel_manning": {"notes": "So it is.", "score": "20", "quotes": [], "attempted": true}}	script		\N	2026-11-22 12:08:52.087862+00	\N
5878f7b5edd8fc0b29757aa981f5637467981139e0c2d5b4eb3bc4008de46ced	{"honesty": {"notes": "", "score": "20", "issues": [], "quotes": []}, "consistency": {"notes": "", "score": "20", "quotes": [], "violations": []}, "self_critique": {"notes": "So it is.", "score": "15", "quotes": [], "attempted": true}, "steel_manning": {"notes": "So it is.", "score": "20", "quotes": [], "attempted": true}}	script		\N	2026-11-22 12:08:52.563396+00	\N
\.


--
-- Data for Name: judging_call; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.judging_call (id, public_id, run_number, round_number, purpose, attempt, prompt_name, prompt_version, prompt_digest, provider, model, parameters, raw_answer, outcome, problem, tokens_in, tokens_out, cost, milliseconds, at, debate_id, participant_id, thread_id, about, known) FROM stdin;
1	b6ae2a73-0bbc-4ca4-9ffe-bbe17b7a5673	1	0	introduce	1	introduce	1	b10938595f792ca914ed15ebbcf8c66ebb78e03b90eefc3dbf0e92742b62a556	scripted	script	{"temperature": "0.2", "max_output_tokens": 1200}	{"text": "Welcome to this debate."}	used		0	0	0.000000	1	2026-11-22 12:08:49.95703+00	1	3	1		f
2	77ae5679-f00a-43c0-9165-caf96b5fb6fb	1	0	open	1	open	1	ba4c18d939f874549547a9f44e51e56e778c193cf61a53c077c6af2cabc55041	scripted	script	{"temperature": "0.2", "max_output_tokens": 1200}	{"text": "This is where I stand.", "quotes": []}	used		0	0	0.000000	1	2026-11-22 12:08:49.974435+00	1	1	1		f
3	60b4c561-e8c4-4d43-9304-b43f01a5b76a	1	0	open	1	open	1	ba4c18d939f874549547a9f44e51e56e778c193cf61a53c077c6af2cabc55041	scripted	script	{"temperature": "0.2", "max_output_tokens": 1200}	{"text": "This is where I stand.", "quotes": []}	used		0	0	0.000000	1	2026-11-22 12:08:49.998251+00	1	2	1		f
4	7a338de2-b8d6-4200-830c-a470e0b24478	1	0	analyse	1	analyse	1	bfee2f1e215b4fa7ae6b9f0ed265664a4e6533fa133d959fa41082de134a21aa	scripted	script	{"temperature": "0.2", "max_output_tokens": 6000}	{"criteria": [{"score": "5", "quotes": ["The tests run in CI"], "criterion": "design", "reasoning": "design so.", "improvement": "More."}, {"score": "4", "quotes": ["The tests run in CI"], "criterion": "tests", "reasoning": "tests so.", "improvement": "More."}], "questions": [{"answer": "No.", "question": "Question 1?"}, {"answer": "No.", "question": "Question 2?"}, {"answer": "No.", "question": "Question 3?"}, {"answer": "No.", "question": "Question 4?"}, {"answer": "No.", "question": "Question 5?"}], "revisions": [], "strengths": [], "weaknesses": []}	used		0	0	0.000000	8	2026-11-22 12:08:50.484861+00	3	8	3		f
5	9d7a1565-1a83-4009-9b5d-d1c7cb85b26a	1	0	analyse	1	analyse	1	bfee2f1e215b4fa7ae6b9f0ed265664a4e6533fa133d959fa41082de134a21aa	scripted	script	{"temperature": "0.2", "max_output_tokens": 6000}	{"criteria": [{"score": "2", "quotes": ["The tests run in CI"], "criterion": "design", "reasoning": "design so.", "improvement": "More."}, {"score": "4", "quotes": ["The tests run in CI"], "criterion": "tests", "reasoning": "tests so.", "improvement": "More."}], "questions": [{"answer": "No.", "question": "Question 1?"}, {"answer": "No.", "question": "Question 2?"}, {"answer": "No.", "question": "Question 3?"}, {"answer": "No.", "question": "Question 4?"}, {"answer": "No.", "question": "Question 5?"}], "revisions": [], "strengths": [], "weaknesses": []}	used		0	0	0.000000	33	2026-11-22 12:08:50.510748+00	3	9	3		f
6	9cd72971-dacb-420f-8379-40abd1c4ffa6	1	0	analyse	1	analyse	1	bfee2f1e215b4fa7ae6b9f0ed265664a4e6533fa133d959fa41082de134a21aa	scripted	script	{"temperature": "0.2", "max_output_tokens": 6000}	{"criteria": [{"score": "4", "quotes": ["The tests run in CI"], "criterion": "design", "reasoning": "design so.", "improvement": "More."}, {"score": "4", "quotes": ["The tests run in CI"], "criterion": "tests", "reasoning": "tests so.", "improvement": "More."}], "questions": [{"answer": "No.", "question": "Question 1?"}, {"answer": "No.", "question": "Question 2?"}, {"answer": "No.", "question": "Question 3?"}, {"answer": "No.", "question": "Question 4?"}, {"answer": "No.", "question": "Question 5?"}], "revisions": [], "strengths": [], "weaknesses": []}	used		0	0	0.000000	24	2026-11-22 12:08:50.615949+00	2	4	2		f
7	b4632aae-bdc5-489c-bb11-bef5d42ecf6f	1	0	analyse	1	analyse	1	bfee2f1e215b4fa7ae6b9f0ed265664a4e6533fa133d959fa41082de134a21aa	scripted	script	{"temperature": "0.2", "max_output_tokens": 6000}	{"criteria": [{"score": "4", "quotes": ["The tests run in CI"], "criterion": "design", "reasoning": "design so.", "improvement": "More."}, {"score": "4", "quotes": ["The tests run in CI"], "criterion": "tests", "reasoning": "tests so.", "improvement": "More."}], "questions": [{"answer": "No.", "question": "Question 1?"}, {"answer": "No.", "question": "Question 2?"}, {"answer": "No.", "question": "Question 3?"}, {"answer": "No.", "question": "Question 4?"}, {"answer": "No.", "question": "Question 5?"}], "revisions": [], "strengths": [], "weaknesses": []}	used		0	0	0.000000	82	2026-11-22 12:08:50.560485+00	3	10	3		f
8	20c31c8c-b8a1-451c-a9d9-23c6a18b1f5d	1	0	analyse	1	analyse	1	bfee2f1e215b4fa7ae6b9f0ed265664a4e6533fa133d959fa41082de134a21aa	scripted	script	{"temperature": "0.2", "max_output_tokens": 6000}	{"criteria": [{"score": "4.5", "quotes": ["The tests run in CI"], "criterion": "design", "reasoning": "design so.", "improvement": "More."}, {"score": "4", "quotes": ["The tests run in CI"], "criterion": "tests", "reasoning": "tests so.", "improvement": "More."}], "questions": [{"answer": "No.", "question": "Question 1?"}, {"answer": "No.", "question": "Question 2?"}, {"answer": "No.", "question": "Question 3?"}, {"answer": "No.", "question": "Question 4?"}, {"answer": "No.", "question": "Question 5?"}], "revisions": [], "strengths": [], "weaknesses": []}	used		0	0	0.000000	19	2026-11-22 12:08:50.625345+00	2	5	2		f
9	8cdd8ca4-255a-49b3-b649-740d80797b6d	1	0	analyse	1	analyse	1	bfee2f1e215b4fa7ae6b9f0ed265664a4e6533fa133d959fa41082de134a21aa	scripted	script	{"temperature": "0.2", "max_output_tokens": 6000}	{"criteria": [{"score": "4", "quotes": ["The tests run in CI"], "criterion": "design", "reasoning": "design so.", "improvement": "More."}, {"score": "3.5", "quotes": ["The tests run in CI"], "criterion": "tests", "reasoning": "tests so.", "improvement": "More."}], "questions": [{"answer": "No.", "question": "Question 1?"}, {"answer": "No.", "question": "Question 2?"}, {"answer": "No.", "question": "Question 3?"}, {"answer": "No.", "question": "Question 4?"}, {"answer": "No.", "question": "Question 5?"}], "revisions": [], "strengths": [], "weaknesses": []}	used		0	0	0.000000	25	2026-11-22 12:08:50.626415+00	2	6	2		f
10	af6384b8-934d-48a8-8aa0-ef2f069f20d3	1	1	respond	1	respond	1	d64ff39e2371749db9ad1e1805ff7a88dd688aee46c03477431da074cc4117c1	scripted	script	{"temperature": "0.2", "max_output_tokens": 1200}	{"text": "However, consider the data, understand it.", "quotes": []}	used		0	0	0.000000	4	2026-11-22 12:08:50.819758+00	1	1	1		f
11	e6317cc0-a9a4-4763-9293-443e4e54be08	1	1	evaluate	1	evaluate	1	9b369f39774efa3a8cb24a13f48809383e9498bfaf7860d4f8d38a0ba5517781	scripted	script	{"temperature": "0.2", "max_output_tokens": 600}	{"honesty": {"notes": "", "score": "20", "issues": [], "quotes": []}, "consistency": {"notes": "", "score": "20", "quotes": [], "violations": []}, "self_critique": {"notes": "So it is.", "score": "15", "quotes": [], "attempted": true}, "steel_manning": {"notes": "So it is.", "score": "20", "quotes": [], "attempted": true}}	used		0	0	0.000000	68	2026-11-22 12:08:51.296536+00	1	3	1	Mira	f
12	a43302b2-a5a9-4ff0-9477-ebdf5e5f2edd	1	1	argue	1	argue	1	da9bdaf49b578923c118327e89cb39289a9a933e3999ead982d680f73af6418f	scripted	script	{"temperature": "0.2", "max_output_tokens": 6000}	{"accepts": false, "sections": [{"score": "4", "quotes": [], "because": "So it is.", "defence": "It holds.", "challenge": "Does yours?", "criterion": "design"}], "agrees_with": []}	used		0	0	0.000000	5	2026-11-22 12:08:51.364733+00	3	10	3		f
13	ce9d7d03-e7ae-4e2e-aebb-b071be584785	1	1	argue	1	argue	1	da9bdaf49b578923c118327e89cb39289a9a933e3999ead982d680f73af6418f	scripted	script	{"temperature": "0.2", "max_output_tokens": 6000}	{"accepts": false, "sections": [{"score": "2", "quotes": [], "because": "So it is.", "defence": "It holds.", "challenge": "Does yours?", "criterion": "design"}], "agrees_with": []}	used		0	0	0.000000	9	2026-11-22 12:08:51.363109+00	3	9	3		f
14	1801b0b8-1689-4412-850d-c3139dab01d5	1	1	argue	1	argue	1	da9bdaf49b578923c118327e89cb39289a9a933e3999ead982d680f73af6418f	scripted	script	{"temperature": "0.2", "max_output_tokens": 6000}	{"accepts": false, "sections": [{"score": "5", "quotes": [], "because": "So it is.", "defence": "It holds.", "challenge": "Does yours?", "criterion": "design"}], "agrees_with": []}	used		0	0	0.000000	13	2026-11-22 12:08:51.361441+00	3	8	3		f
15	ed0f4e2a-a461-4f83-b265-a0ba7f5bc8f5	1	1	respond	1	respond	1	d64ff39e2371749db9ad1e1805ff7a88dd688aee46c03477431da074cc4117c1	scripted	script	{"temperature": "0.2", "max_output_tokens": 1200}	{"text": "However, consider the data, understand it.", "quotes": []}	used		0	0	0.000000	1	2026-11-22 12:08:51.99003+00	1	2	1		f
17	0c7fa0e1-aa62-44d2-a0ab-890ee71f83fb	1	2	respond	1	respond	1	d64ff39e2371749db9ad1e1805ff7a88dd688aee46c03477431da074cc4117c1	scripted	script	{"temperature": "0.2", "max_output_tokens": 1200}	{"text": "However, consider the data, understand it.", "quotes": []}	used		0	0	0.000000	1	2026-11-22 12:08:52.412793+00	1	1	1		f
18	3c0d2c31-62c4-478a-88f0-9e8738d8a0eb	1	2	evaluate	1	evaluate	1	9b369f39774efa3a8cb24a13f48809383e9498bfaf7860d4f8d38a0ba5517781	scripted	script	{"temperature": "0.2", "max_output_tokens": 600}	{"honesty": {"notes": "", "score": "20", "issues": [], "quotes": []}, "consistency": {"notes": "", "score": "20", "quotes": [], "violations": []}, "self_critique": {"notes": "So it is.", "score": "15", "quotes": [], "attempted": true}, "steel_manning": {"notes": "So it is.", "score": "20", "quotes": [], "attempted": true}}	used		0	0	0.000000	10	2026-11-22 12:08:52.583701+00	1	3	1	Mira	f
19	c8221b65-adfb-4ebb-a4f0-3f81d7d48876	1	2	respond	1	respond	1	d64ff39e2371749db9ad1e1805ff7a88dd688aee46c03477431da074cc4117c1	scripted	script	{"temperature": "0.2", "max_output_tokens": 1200}	{"text": "However, consider the data, understand it.", "quotes": []}	used		0	0	0.000000	0	2026-11-22 12:08:52.684843+00	1	2	1		f
20	e140aef2-e274-42f5-b946-884e6cf3fcc9	1	2	evaluate	1	evaluate	1	9b369f39774efa3a8cb24a13f48809383e9498bfaf7860d4f8d38a0ba5517781	scripted		{"temperature": "0.2", "max_output_tokens": 600}		failed	The model is away.	0	0	0.000000	4	2026-11-22 12:08:52.728313+00	1	3	1	Konrad	f
16	eebb20dd-aa15-424f-8f61-8b0e930ab887	1	1	evaluate	1	evaluate	1	9b369f39774efa3a8cb24a13f48809383e9498bfaf7860d4f8d38a0ba5517781	scripted	script	{"temperature": "0.2", "max_output_tokens": 600}	{"honesty": {"notes": "", "score": "20", "issues": [], "quotes": []}, "consistency": {"notes": "", "score": "20", "quotes": [], "violations": []}, "self_critique": {"notes": "So it is.", "score": "15", "quotes": [], "attempted": true}, "steel_manning": {"notes": "So it is.", "score": "20", "quotes": [], "attempted": true}}	used		0	0	0.000000	18	2026-11-22 12:08:52.132769+00	1	3	1	Konrad	f
21	488a9863-9c39-4acc-9e2d-2e4e880a6665	1	0	report	1	report	1	fef5e6f54a9d100a58cb115e14df94011703f894fc36eccca60d51c4362f145a	scripted	script	{"temperature": "0.2", "max_output_tokens": 6000}	{"advice": [], "summary": "So it was.", "strengths": [], "weaknesses": []}	used		0	0	0.000000	0	2026-11-22 12:08:53.1743+00	2	7	\N		f
22	dfd65c90-fd44-4be3-bf0c-15455f409d7e	1	0	sum_up	1	sum_up	1	125b30aa92cafc0e9e8d1853bb29abdda19e1b9a292ecdd32477d9cfc24ff5a5	scripted	script	{"temperature": "0.2", "max_output_tokens": 1200}	{"summary": "It is over.", "agreements": ["On the ward."], "disagreements": [], "open_questions": []}	used		0	0	0.000000	0	2026-11-22 12:08:53.196382+00	1	3	\N		f
\.


--
-- Data for Name: judging_challenge; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.judging_challenge (id, public_id, run_number, label, persona, severity, quote, thread_id, turn_id) FROM stdin;
\.


--
-- Data for Name: judging_claim; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.judging_claim (thread_id, fence, reserved_calls, reserved_tokens, reserved_money, claimed_at) FROM stdin;
\.


--
-- Data for Name: judging_consensus; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.judging_consensus (id, public_id, policy, found, agreed, reason_code, overall, recommendation, at, debate_id, round_id) FROM stdin;
1	ab544fa9-7934-4ca3-8b13-cdf6d67558a3	{"quorum": 2, "spread": "0.5", "prompts": {"argue": 1, "report": 1, "analyse": 1}, "weights": {"tests": "40", "design": "60"}, "pass_mark": "4", "early_exit": true, "debate_rounds": 1, "revision_mark": "3", "not_applicable": {}, "criterion_spread": "1"}	{"means": {"tests": "4", "design": "3.6667"}, "agreed": false, "needed": 2, "reason": "spread", "spread": "1.8", "counted": 3, "overall": "3.8", "reasons": ["spread", "criterion_spread"], "disputed": ["design"], "overalls": {"Judge 1": "4.6", "Judge 2": "2.8", "Judge 3": "4"}, "recommendation": "needs_revision", "criterion_spreads": {"tests": "0", "design": "3"}}	f	spread	3.800000	needs_revision	2026-11-22 12:08:50.713614+00	3	2
2	32168190-e1b1-4860-a7c7-cebc9be3baeb	{"quorum": 2, "spread": "0.5", "prompts": {"argue": 1, "report": 1, "analyse": 1}, "weights": {"tests": "40", "design": "60"}, "pass_mark": "4", "early_exit": true, "debate_rounds": 3, "revision_mark": "3", "not_applicable": {}, "criterion_spread": "1"}	{"means": {"tests": "3.8333", "design": "4.1667"}, "agreed": true, "needed": 2, "reason": "", "spread": "0.5", "counted": 3, "overall": "4.0333", "reasons": [], "disputed": ["design", "tests"], "overalls": {"Judge 1": "4", "Judge 2": "4.3", "Judge 3": "3.8"}, "recommendation": "pass", "criterion_spreads": {"tests": "0.5", "design": "0.5"}}	t		4.033300	pass	2026-11-22 12:08:51.087671+00	2	3
3	3f5273d0-ee49-4a79-9005-7a0678b8a40f	{"quorum": 2, "spread": "0.5", "prompts": {"argue": 1, "report": 1, "analyse": 1}, "weights": {"tests": "40", "design": "60"}, "pass_mark": "4", "early_exit": true, "debate_rounds": 1, "revision_mark": "3", "not_applicable": {}, "criterion_spread": "1"}	{"means": {"tests": "4", "design": "3.6667"}, "agreed": false, "needed": 2, "reason": "spread", "spread": "1.8", "counted": 3, "overall": "3.8", "reasons": ["spread", "criterion_spread", "not_accepted"], "disputed": ["design"], "overalls": {"Judge 1": "4.6", "Judge 2": "2.8", "Judge 3": "4"}, "recommendation": "needs_revision", "criterion_spreads": {"tests": "0", "design": "3"}}	f	spread	3.800000	needs_revision	2026-11-22 12:08:51.891878+00	3	5
\.


--
-- Data for Name: judging_defence; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.judging_defence (turn_id, reply, challenge_id, round_id) FROM stdin;
\.


--
-- Data for Name: judging_effect; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.judging_effect (id, persuasion, attack, evidence, persuasion_words, source, at, call_id, listener_id, speaker_id, turn_id) FROM stdin;
1	0.900000	0.000000	0.350000	3	words	2026-11-22 12:08:50.819758+00	\N	2	1	7
2	0.900000	0.000000	0.350000	3	words	2026-11-22 12:08:51.99003+00	\N	1	2	14
3	0.900000	0.000000	0.350000	3	words	2026-11-22 12:08:52.412793+00	\N	2	1	15
4	0.900000	0.000000	0.350000	3	words	2026-11-22 12:08:52.684843+00	\N	1	2	16
\.


--
-- Data for Name: judging_judgereport; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.judging_judgereport (id, public_id, readable, body, at, call_id, debate_id, participant_id, round_id, turn_id) FROM stdin;
1	2654c470-b7c5-48a4-8b1f-3fbe03279e6f	t	{"kind": "analysis", "scores": {"tests": "4", "design": "5"}, "overall": "4.6", "criteria": [{"given": "5", "score": "5", "quotes": [{"text": "The tests run in CI", "spans": [[31, 50]]}], "criterion": "design", "reasoning": "design so.", "improvement": "More."}, {"given": "4", "score": "4", "quotes": [{"text": "The tests run in CI", "spans": [[31, 50]]}], "criterion": "tests", "reasoning": "tests so.", "improvement": "More."}], "questions": [{"answer": "No.", "question": "Question 1?"}, {"answer": "No.", "question": "Question 2?"}, {"answer": "No.", "question": "Question 3?"}, {"answer": "No.", "question": "Question 4?"}, {"answer": "No.", "question": "Question 5?"}], "strengths": [], "weaknesses": []}	2026-11-22 12:08:50.713614+00	4	3	8	2	4
2	87dda564-30d1-46bc-bcaa-e3e39075859a	t	{"kind": "analysis", "scores": {"tests": "4", "design": "2"}, "overall": "2.8", "criteria": [{"given": "2", "score": "2", "quotes": [{"text": "The tests run in CI", "spans": [[31, 50]]}], "criterion": "design", "reasoning": "design so.", "improvement": "More."}, {"given": "4", "score": "4", "quotes": [{"text": "The tests run in CI", "spans": [[31, 50]]}], "criterion": "tests", "reasoning": "tests so.", "improvement": "More."}], "questions": [{"answer": "No.", "question": "Question 1?"}, {"answer": "No.", "question": "Question 2?"}, {"answer": "No.", "question": "Question 3?"}, {"answer": "No.", "question": "Question 4?"}, {"answer": "No.", "question": "Question 5?"}], "strengths": [], "weaknesses": []}	2026-11-22 12:08:50.713614+00	5	3	9	2	5
3	b5ebf2ed-e1cc-4a25-a76c-2716c13ff9b9	t	{"kind": "analysis", "scores": {"tests": "4", "design": "4"}, "overall": "4", "criteria": [{"given": "4", "score": "4", "quotes": [{"text": "The tests run in CI", "spans": [[31, 50]]}], "criterion": "design", "reasoning": "design so.", "improvement": "More."}, {"given": "4", "score": "4", "quotes": [{"text": "The tests run in CI", "spans": [[31, 50]]}], "criterion": "tests", "reasoning": "tests so.", "improvement": "More."}], "questions": [{"answer": "No.", "question": "Question 1?"}, {"answer": "No.", "question": "Question 2?"}, {"answer": "No.", "question": "Question 3?"}, {"answer": "No.", "question": "Question 4?"}, {"answer": "No.", "question": "Question 5?"}], "strengths": [], "weaknesses": []}	2026-11-22 12:08:50.713614+00	7	3	10	2	6
4	dc7f8c2a-40cc-4d5f-a42d-2dd10dc488da	t	{"kind": "analysis", "scores": {"tests": "4", "design": "4"}, "overall": "4", "criteria": [{"given": "4", "score": "4", "quotes": [{"text": "The tests run in CI", "spans": [[31, 50]]}], "criterion": "design", "reasoning": "design so.", "improvement": "More."}, {"given": "4", "score": "4", "quotes": [{"text": "The tests run in CI", "spans": [[31, 50]]}], "criterion": "tests", "reasoning": "tests so.", "improvement": "More."}], "questions": [{"answer": "No.", "question": "Question 1?"}, {"answer": "No.", "question": "Question 2?"}, {"answer": "No.", "question": "Question 3?"}, {"answer": "No.", "question": "Question 4?"}, {"answer": "No.", "question": "Question 5?"}], "strengths": [], "weaknesses": []}	2026-11-22 12:08:51.087671+00	6	2	4	3	8
5	a8b1d589-7a24-490e-8da3-00b056e753bc	t	{"kind": "analysis", "scores": {"tests": "4", "design": "4.5"}, "overall": "4.3", "criteria": [{"given": "4.5", "score": "4.5", "quotes": [{"text": "The tests run in CI", "spans": [[31, 50]]}], "criterion": "design", "reasoning": "design so.", "improvement": "More."}, {"given": "4", "score": "4", "quotes": [{"text": "The tests run in CI", "spans": [[31, 50]]}], "criterion": "tests", "reasoning": "tests so.", "improvement": "More."}], "questions": [{"answer": "No.", "question": "Question 1?"}, {"answer": "No.", "question": "Question 2?"}, {"answer": "No.", "question": "Question 3?"}, {"answer": "No.", "question": "Question 4?"}, {"answer": "No.", "question": "Question 5?"}], "strengths": [], "weaknesses": []}	2026-11-22 12:08:51.087671+00	8	2	5	3	9
6	c1739134-8e36-460a-8241-507ee314dd6f	t	{"kind": "analysis", "scores": {"tests": "3.5", "design": "4"}, "overall": "3.8", "criteria": [{"given": "4", "score": "4", "quotes": [{"text": "The tests run in CI", "spans": [[31, 50]]}], "criterion": "design", "reasoning": "design so.", "improvement": "More."}, {"given": "3.5", "score": "3.5", "quotes": [{"text": "The tests run in CI", "spans": [[31, 50]]}], "criterion": "tests", "reasoning": "tests so.", "improvement": "More."}], "questions": [{"answer": "No.", "question": "Question 1?"}, {"answer": "No.", "question": "Question 2?"}, {"answer": "No.", "question": "Question 3?"}, {"answer": "No.", "question": "Question 4?"}, {"answer": "No.", "question": "Question 5?"}], "strengths": [], "weaknesses": []}	2026-11-22 12:08:51.087671+00	9	2	6	3	10
7	30be3dd7-273a-4c71-ae1d-89a3de5aa5a5	t	{"kind": "debate", "scores": {"tests": "4", "design": "5"}, "accepts": false, "overall": "4.6", "sections": [{"other": "Judge 2", "score": "5", "quotes": [], "wanted": "5", "because": "So it is.", "defence": "It holds.", "refused": "", "challenge": "Does yours?", "criterion": "design", "own_score": "5", "other_score": "2"}], "agrees_with": []}	2026-11-22 12:08:51.891878+00	14	3	8	5	11
8	7ceef97f-dcfd-4278-8655-3391b48b82d3	t	{"kind": "debate", "scores": {"tests": "4", "design": "2"}, "accepts": false, "overall": "2.8", "sections": [{"other": "Judge 1", "score": "2", "quotes": [], "wanted": "2", "because": "So it is.", "defence": "It holds.", "refused": "", "challenge": "Does yours?", "criterion": "design", "own_score": "2", "other_score": "5"}], "agrees_with": []}	2026-11-22 12:08:51.891878+00	13	3	9	5	12
9	37e97dd7-5811-4f29-80b6-1698487012e1	t	{"kind": "debate", "scores": {"tests": "4", "design": "4"}, "accepts": false, "overall": "4", "sections": [{"other": "Judge 2", "score": "4", "quotes": [], "wanted": "4", "because": "So it is.", "defence": "It holds.", "refused": "", "challenge": "Does yours?", "criterion": "design", "own_score": "4", "other_score": "2"}], "agrees_with": []}	2026-11-22 12:08:51.891878+00	12	3	10	5	13
\.


--
-- Data for Name: judging_judgescore; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.judging_judgescore (fact_id, key, given, wanted, refused, quotes_found, quotes_missing, report_id) FROM stdin;
3	design	5.000000	\N	f	1	0	1
4	design	2.000000	\N	f	1	0	2
5	design	4.000000	\N	f	1	0	3
6	tests	4.000000	\N	f	1	0	1
7	tests	4.000000	\N	f	1	0	2
8	tests	4.000000	\N	f	1	0	3
9	design	4.000000	\N	f	1	0	4
11	design	4.500000	\N	f	1	0	5
12	design	4.000000	\N	f	1	0	6
13	tests	4.000000	\N	f	1	0	4
14	tests	4.000000	\N	f	1	0	5
15	tests	3.500000	\N	f	1	0	6
16	design	5.000000	\N	f	0	0	7
17	design	2.000000	\N	f	0	0	8
18	design	4.000000	\N	f	0	0	9
20	tests	4.000000	\N	f	0	0	7
21	tests	4.000000	\N	f	0	0	8
22	tests	4.000000	\N	f	0	0	9
\.


--
-- Data for Name: judging_participantstate; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.judging_participantstate (id, number, stance, conviction, surrender, at, effect_id, participant_id) FROM stdin;
1	0	0.800000	0.700000		2026-11-22 12:08:49.693259+00	\N	1
2	0	-0.600000	0.800000		2026-11-22 12:08:49.693372+00	\N	2
3	1	-0.567600	0.680000		2026-11-22 12:08:50.819758+00	1	2
4	1	0.735200	0.595000		2026-11-22 12:08:51.99003+00	2	1
5	2	-0.518559	0.578000		2026-11-22 12:08:52.412793+00	3	2
6	2	0.654806	0.505750		2026-11-22 12:08:52.684843+00	4	1
7	0	0.800000	0.700000		2026-11-22 12:08:53.654266+00	\N	12
8	0	-0.600000	0.800000		2026-11-22 12:08:53.654375+00	\N	13
\.


--
-- Data for Name: judging_responseevaluation; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.judging_responseevaluation (id, public_id, state, steel_manning, self_critique, consistency, honesty, steel_attempted, critique_attempted, violations, issues, requires_interjection, violation, grounds, readings, digest, from_cache, at, call_id, fact_id, round_id, turn_id) FROM stdin;
1	f04c37a6-b4c6-4e93-a3fb-126e0ac19f40	scored	20.00	15.00	20.00	20.00	t	t	0	{}	f		{"honesty": {"notes": "", "quotes": []}, "consistency": {"notes": "", "quotes": [], "violations": []}, "self_critique": {"notes": "So it is.", "quotes": []}, "steel_manning": {"notes": "So it is.", "quotes": []}}	[]		f	2026-11-22 12:08:51.296536+00	11	10	4	7
2	bdfd7789-864c-4eaa-a359-abaa019c07a6	scored	20.00	15.00	20.00	20.00	t	t	0	{}	f		{"honesty": {"notes": "", "quotes": []}, "consistency": {"notes": "", "quotes": [], "violations": []}, "self_critique": {"notes": "So it is.", "quotes": []}, "steel_manning": {"notes": "So it is.", "quotes": []}}	[]		f	2026-11-22 12:08:52.132769+00	16	19	4	14
3	ccd5056d-d6c8-4410-8a9e-fffa5c16dbe0	scored	20.00	15.00	20.00	20.00	t	t	0	{}	f		{"honesty": {"notes": "", "quotes": []}, "consistency": {"notes": "", "quotes": [], "violations": []}, "self_critique": {"notes": "So it is.", "quotes": []}, "steel_manning": {"notes": "So it is.", "quotes": []}}	[]		f	2026-11-22 12:08:52.583701+00	18	25	6	15
4	cf512e92-ddc9-44f1-9183-6aad1e56274a	failed	\N	\N	\N	\N	\N	\N	0	{}	f		{}	[]		f	2026-11-22 12:08:52.732834+00	\N	\N	6	16
\.


--
-- Data for Name: judging_review; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.judging_review (id, public_id, run_number, round_number, reason_code, disputed, policy, opened_at, state, lease_until, settled_at, decisions, claimed_by_id, debate_id, settled_by_id) FROM stdin;
1	bc37f175-4f68-41f3-8d7d-422110fc1ea7	1	1	spread	{design}	{"quorum": 2, "spread": "0.5", "prompts": {"argue": 1, "report": 1, "analyse": 1}, "weights": {"tests": "40", "design": "60"}, "pass_mark": "4", "early_exit": true, "debate_rounds": 1, "revision_mark": "3", "not_applicable": {}, "criterion_spread": "1"}	2026-11-22 12:08:51.891878+00	open	\N	\N	{}	\N	3	\N
\.


--
-- Data for Name: judging_script; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.judging_script (debate_id, answers) FROM stdin;
1	[{"error": "The model is away.", "round": 2, "thread": "Konrad", "purpose": "evaluate", "permanent": true}, {"answer": {"text": "Welcome to this debate."}, "purpose": "introduce"}, {"answer": {"text": "This is where I stand.", "quotes": []}, "purpose": "open"}, {"answer": {"text": "However, consider the data, understand it.", "quotes": []}, "purpose": "respond"}, {"answer": {"honesty": {"notes": "", "score": "20", "issues": [], "quotes": []}, "consistency": {"notes": "", "score": "20", "quotes": [], "violations": []}, "self_critique": {"notes": "So it is.", "score": "15", "quotes": [], "attempted": true}, "steel_manning": {"notes": "So it is.", "score": "20", "quotes": [], "attempted": true}}, "purpose": "evaluate"}, {"answer": {"text": "word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word"}, "purpose": "interject"}, {"answer": {"summary": "It is over.", "agreements": ["On the ward."], "disagreements": [], "open_questions": []}, "purpose": "sum_up"}]
2	[{"round": 0, "answer": {"criteria": [{"score": "4", "quotes": ["The tests run in CI"], "criterion": "design", "reasoning": "design so.", "improvement": "More."}, {"score": "4", "quotes": ["The tests run in CI"], "criterion": "tests", "reasoning": "tests so.", "improvement": "More."}], "questions": [{"answer": "No.", "question": "Question 1?"}, {"answer": "No.", "question": "Question 2?"}, {"answer": "No.", "question": "Question 3?"}, {"answer": "No.", "question": "Question 4?"}, {"answer": "No.", "question": "Question 5?"}], "revisions": [], "strengths": [], "weaknesses": []}, "thread": "Judge 1"}, {"round": 0, "answer": {"criteria": [{"score": "4.5", "quotes": ["The tests run in CI"], "criterion": "design", "reasoning": "design so.", "improvement": "More."}, {"score": "4", "quotes": ["The tests run in CI"], "criterion": "tests", "reasoning": "tests so.", "improvement": "More."}], "questions": [{"answer": "No.", "question": "Question 1?"}, {"answer": "No.", "question": "Question 2?"}, {"answer": "No.", "question": "Question 3?"}, {"answer": "No.", "question": "Question 4?"}, {"answer": "No.", "question": "Question 5?"}], "revisions": [], "strengths": [], "weaknesses": []}, "thread": "Judge 2"}, {"round": 0, "answer": {"criteria": [{"score": "4", "quotes": ["The tests run in CI"], "criterion": "design", "reasoning": "design so.", "improvement": "More."}, {"score": "3.5", "quotes": ["The tests run in CI"], "criterion": "tests", "reasoning": "tests so.", "improvement": "More."}], "questions": [{"answer": "No.", "question": "Question 1?"}, {"answer": "No.", "question": "Question 2?"}, {"answer": "No.", "question": "Question 3?"}, {"answer": "No.", "question": "Question 4?"}, {"answer": "No.", "question": "Question 5?"}], "revisions": [], "strengths": [], "weaknesses": []}, "thread": "Judge 3"}, {"answer": {"advice": [], "summary": "So it was.", "strengths": [], "weaknesses": []}, "purpose": "report"}]
3	[{"round": 0, "answer": {"criteria": [{"score": "5", "quotes": ["The tests run in CI"], "criterion": "design", "reasoning": "design so.", "improvement": "More."}, {"score": "4", "quotes": ["The tests run in CI"], "criterion": "tests", "reasoning": "tests so.", "improvement": "More."}], "questions": [{"answer": "No.", "question": "Question 1?"}, {"answer": "No.", "question": "Question 2?"}, {"answer": "No.", "question": "Question 3?"}, {"answer": "No.", "question": "Question 4?"}, {"answer": "No.", "question": "Question 5?"}], "revisions": [], "strengths": [], "weaknesses": []}, "thread": "Judge 1"}, {"round": 0, "answer": {"criteria": [{"score": "2", "quotes": ["The tests run in CI"], "criterion": "design", "reasoning": "design so.", "improvement": "More."}, {"score": "4", "quotes": ["The tests run in CI"], "criterion": "tests", "reasoning": "tests so.", "improvement": "More."}], "questions": [{"answer": "No.", "question": "Question 1?"}, {"answer": "No.", "question": "Question 2?"}, {"answer": "No.", "question": "Question 3?"}, {"answer": "No.", "question": "Question 4?"}, {"answer": "No.", "question": "Question 5?"}], "revisions": [], "strengths": [], "weaknesses": []}, "thread": "Judge 2"}, {"round": 0, "answer": {"criteria": [{"score": "4", "quotes": ["The tests run in CI"], "criterion": "design", "reasoning": "design so.", "improvement": "More."}, {"score": "4", "quotes": ["The tests run in CI"], "criterion": "tests", "reasoning": "tests so.", "improvement": "More."}], "questions": [{"answer": "No.", "question": "Question 1?"}, {"answer": "No.", "question": "Question 2?"}, {"answer": "No.", "question": "Question 3?"}, {"answer": "No.", "question": "Question 4?"}, {"answer": "No.", "question": "Question 5?"}], "revisions": [], "strengths": [], "weaknesses": []}, "thread": "Judge 3"}, {"round": 1, "answer": {"accepts": false, "sections": [{"score": "5", "quotes": [], "because": "So it is.", "defence": "It holds.", "challenge": "Does yours?", "criterion": "design"}], "agrees_with": []}, "thread": "Judge 1"}, {"round": 1, "answer": {"accepts": false, "sections": [{"score": "2", "quotes": [], "because": "So it is.", "defence": "It holds.", "challenge": "Does yours?", "criterion": "design"}], "agrees_with": []}, "thread": "Judge 2"}, {"round": 1, "answer": {"accepts": false, "sections": [{"score": "4", "quotes": [], "because": "So it is.", "defence": "It holds.", "challenge": "Does yours?", "criterion": "design"}], "agrees_with": []}, "thread": "Judge 3"}, {"answer": {"advice": [], "summary": "So it was.", "strengths": [], "weaknesses": []}, "purpose": "report"}]
5	[{"round": 0, "answer": {"criteria": [{"score": "4", "quotes": ["The tests run in CI"], "criterion": "design", "reasoning": "design so.", "improvement": "More."}, {"score": "4", "quotes": ["The tests run in CI"], "criterion": "tests", "reasoning": "tests so.", "improvement": "More."}], "questions": [{"answer": "No.", "question": "Question 1?"}, {"answer": "No.", "question": "Question 2?"}, {"answer": "No.", "question": "Question 3?"}, {"answer": "No.", "question": "Question 4?"}, {"answer": "No.", "question": "Question 5?"}], "revisions": [], "strengths": [], "weaknesses": []}, "thread": "Judge 1"}, {"round": 0, "answer": {"criteria": [{"score": "4.5", "quotes": ["The tests run in CI"], "criterion": "design", "reasoning": "design so.", "improvement": "More."}, {"score": "4", "quotes": ["The tests run in CI"], "criterion": "tests", "reasoning": "tests so.", "improvement": "More."}], "questions": [{"answer": "No.", "question": "Question 1?"}, {"answer": "No.", "question": "Question 2?"}, {"answer": "No.", "question": "Question 3?"}, {"answer": "No.", "question": "Question 4?"}, {"answer": "No.", "question": "Question 5?"}], "revisions": [], "strengths": [], "weaknesses": []}, "thread": "Judge 2"}, {"round": 0, "answer": {"criteria": [{"score": "4", "quotes": ["The tests run in CI"], "criterion": "design", "reasoning": "design so.", "improvement": "More."}, {"score": "3.5", "quotes": ["The tests run in CI"], "criterion": "tests", "reasoning": "tests so.", "improvement": "More."}], "questions": [{"answer": "No.", "question": "Question 1?"}, {"answer": "No.", "question": "Question 2?"}, {"answer": "No.", "question": "Question 3?"}, {"answer": "No.", "question": "Question 4?"}, {"answer": "No.", "question": "Question 5?"}], "revisions": [], "strengths": [], "weaknesses": []}, "thread": "Judge 3"}, {"answer": {"advice": [], "summary": "So it was.", "strengths": [], "weaknesses": []}, "purpose": "report"}]
\.


--
-- Data for Name: judging_standing; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.judging_standing (fact_id, stance, persuasion, resistance, penalty, participant_id, round_id) FROM stdin;
1	16.800000	0.000000	0.000000	0.000000	1	1
2	14.400000	0.000000	0.000000	0.000000	2	1
23	13.123320	9.000000	11.900000	0.000000	1	4
24	11.579040	9.000000	13.600000	0.000000	2	4
26	9.935044	9.000000	10.115000	0.000000	1	6
27	8.991813	9.000000	11.560000	0.000000	2	6
\.


--
-- Data for Name: judging_synthesis; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.judging_synthesis (id, number, numbers, at, debate_id, turn_id) FROM stdin;
1	1	{"agreed": true, "quotes": {"tests": ["The tests run in CI"], "design": ["The tests run in CI"]}, "reason": "", "rounds": 0, "counted": 3, "overall": {"band": null, "after": "4.0333", "before": "4.0333", "coverage": null, "recommendation": "pass"}, "criteria": [{"code": "design", "name": "Design", "final": "4.1667", "scores": {"Judge 1": "4", "Judge 2": "4.5", "Judge 3": "4"}}, {"code": "tests", "name": "Tests", "final": "3.8333", "scores": {"Judge 1": "4", "Judge 2": "4", "Judge 3": "3.5"}}], "disputed": [], "strengths": ["Design"], "weaknesses": [], "improvements": ["More."]}	2026-11-22 12:08:53.1743+00	2	17
2	1	{"scores": {"Mira": "29.050044", "Konrad": "29.551813"}, "states": {"Mira": {"stance": "0.654806", "position": "supportive", "conviction": "0.50575", "surrendered": null}, "Konrad": {"stance": "-0.518559", "position": "opposed", "conviction": "0.578", "surrendered": null}}, "winner": "Konrad", "overall": null, "victory": "narrow", "adherence": {"Mira": "75.00", "Konrad": "75.00"}, "exchanges": 2, "surrendered": []}	2026-11-22 12:08:53.196382+00	1	18
\.


--
-- Data for Name: judging_verdict; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.judging_verdict (fact_id, winner, reasoning, call_id, challenge_id, round_id) FROM stdin;
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
11	6	deferred	2026-11-22 12:08:53.603886+00
12	7	deferred	2026-11-22 12:08:53.825234+00
\.


--
-- Data for Name: procrastinate_jobs; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.procrastinate_jobs (id, queue_name, task_name, lock, args, status, scheduled_at, attempts, queueing_lock, priority, abort_requested, worker_id) FROM stdin;
6	rounds	judging.play_thread	\N	{"debate_id": 4, "thread_id": 4}	todo	\N	0	\N	0	f	\N
7	rounds	judging.play_thread	\N	{"debate_id": 5, "thread_id": 5}	todo	\N	0	\N	0	f	\N
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
1	3be45cd2-3409-4e16-998d-ae536a2638b9	judge_failed	critical	{"why": "The model is away.", "round": "2"}	4b977a926722c43a876b524c23a93a37afb49aa71304199c45076222e079c998	open	\N	2026-11-22 12:08:52.748442+00	1	\N	\N	\N
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
-- Data for Name: scoring_erasure; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.scoring_erasure (id, public_id, scope, counts, at, because_id, by_id, debate_id, participant_id, user_id) FROM stdin;
\.


--
-- Data for Name: scoring_evaluation; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.scoring_evaluation (id, public_id, instrument, key, name, category, weight, "position", initial_score, initial_confidence, computed_score, override_score, confidence, counted, basis, held, frozen_at, run_number, debate_complete, debate_round_count, version, moderation_version, last_score_update, head_hash, created_at, debate_id, participant_id, thread_id) FROM stdin;
2	01e94017-76e3-492f-9409-b9778c2db699	standing	chair-2	Konrad		1.000000	2	14.400000	\N	29.551813	20.000000	\N	t	{27}	{}	\N	1	t	2	5	5	2026-11-22 12:08:53.282192+00	\\x1a1684387e28aa306a1037d7d6adbc70c0f6284d1b283ce76d80dab1ca7f7508	2026-11-22 12:08:50.677624+00	1	2	1
6	96c0a072-abe7-4688-9fe5-c9ccac8f85d6	adherence	chair-1	Mira		1.000000	1	75.000000	\N	75.000000	\N	\N	t	{25}	{}	\N	1	t	2	4	4	2026-11-22 12:08:52.636361+00	\\xa4b73c822d23a57d541518af0439f43d1ddc9ffcba9c2ee8fc4d4307477975a2	2026-11-22 12:08:51.415703+00	1	1	1
5	9ce8ed3a-0d1f-4dcb-9a91-6f79e8bcf611	panel	design	Design	structure	60.000000	1	4.166700	\N	4.000000	\N	\N	t	{9,12}	{}	2026-11-22 12:08:53.506808+00	1	t	0	4	4	2026-11-22 12:08:53.449059+00	\\x713e9124c7e8f3f7d176f52c3cd78545675cc00620744802f86da4bb7355a8cf	2026-11-22 12:08:51.27559+00	2	\N	2
7	22e2cca4-b701-4d50-86cc-c238c4432b78	panel	tests	Tests	criteria	40.000000	2	3.833300	\N	3.833300	\N	\N	t	{13,14,15}	{}	\N	1	t	0	2	0	\N	\\x97b0e8f15b555e3e8e998957283f3bc76acf971818d2babe975636c712b8efc3	2026-11-22 12:08:51.668044+00	2	\N	2
3	326411c1-8242-4eb2-b8db-720865cbce1d	panel	design	Design	structure	60.000000	1	3.666700	\N	3.666700	\N	\N	t	{16,17,18}	{}	\N	1	t	1	3	0	2026-11-22 12:08:52.119334+00	\\x61d17c81cf97cfab8223951743c0ab098e7015d25bbc77a75d950ccc7208547c	2026-11-22 12:08:51.082795+00	3	\N	3
4	e57a9a05-4211-4c1f-aa2c-0c3682542f93	panel	tests	Tests	criteria	40.000000	2	4.000000	\N	4.000000	\N	\N	t	{20,21,22}	{}	\N	1	t	1	3	0	2026-11-22 12:08:52.214016+00	\\x68a3d64135cc6c6f2fd8ba00aa9cc238ee812a4d8b0bab5a575a78828915f396	2026-11-22 12:08:51.175185+00	3	\N	3
1	3ca451ea-88b7-4061-a211-668ba21e5b47	standing	chair-1	Mira		1.000000	1	16.800000	\N	29.050044	\N	\N	t	{26}	{}	\N	1	t	2	4	0	2026-11-22 12:08:52.848275+00	\\x62aee2bb4ec0cb3f7028cf72e1c83969edebf4d7bd8651e8b64da8b8a284815e	2026-11-22 12:08:50.326258+00	1	1	1
8	2a66a022-8527-47b5-a43d-bfcf63d1eae9	adherence	chair-2	Konrad		1.000000	2	75.000000	\N	75.000000	\N	\N	t	{19}	{}	\N	1	t	1	2	0	\N	\\xb4769fd8938936780b04e34688aeed001f747dfe833400e8b86342c67d75c164	2026-11-22 12:08:52.16668+00	1	2	1
\.


--
-- Data for Name: scoring_fact; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.scoring_fact (id, public_id, run_number, kind, amount, impact, weight, parts, at, evaluation_id, participant_id, round_id) FROM stdin;
1	171bf435-16ea-4150-8a03-4df978b53522	1	standing	16.800000	0.000000	1.000000	{"stance": "16.8", "penalty": "0", "persuasion": "0", "resistance": "0"}	2026-11-22 12:08:50.165908+00	1	1	1
2	218b461a-8feb-4236-b3e7-0d5a0a3c3c3a	1	standing	14.400000	0.000000	1.000000	{"stance": "14.4", "penalty": "0", "persuasion": "0", "resistance": "0"}	2026-11-22 12:08:50.165908+00	2	2	1
3	be1a68cb-fd58-431e-aad6-877069d2eae4	1	judge_score	5.000000	0.000000	1.000000	{}	2026-11-22 12:08:50.713614+00	3	8	2
4	69cc679c-d098-4548-be47-2c78f8b04487	1	judge_score	2.000000	0.000000	1.000000	{}	2026-11-22 12:08:50.713614+00	3	9	2
5	fa62d800-8057-476e-a876-fa7a6acec747	1	judge_score	4.000000	0.000000	1.000000	{}	2026-11-22 12:08:50.713614+00	3	10	2
6	4159db2f-f753-4734-9b92-d067f5a2db97	1	judge_score	4.000000	0.000000	1.000000	{}	2026-11-22 12:08:50.713614+00	4	8	2
7	cf11a2dd-7e1c-4452-aff4-5748e92910ca	1	judge_score	4.000000	0.000000	1.000000	{}	2026-11-22 12:08:50.713614+00	4	9	2
8	8ba9a01f-daa9-4a50-ba16-eecbded5ed2e	1	judge_score	4.000000	0.000000	1.000000	{}	2026-11-22 12:08:50.713614+00	4	10	2
9	50228f37-528d-4d00-872a-63dced7b9ea6	1	judge_score	4.000000	0.000000	1.000000	{}	2026-11-22 12:08:51.087671+00	5	4	3
11	2bbc9e02-3723-41b9-83a2-884a6f9182e1	1	judge_score	4.500000	0.000000	1.000000	{}	2026-11-22 12:08:51.087671+00	5	5	3
12	474af7f6-50f5-4ccc-90a4-9e845bdbff93	1	judge_score	4.000000	0.000000	1.000000	{}	2026-11-22 12:08:51.087671+00	5	6	3
10	00e528d9-305d-4b1e-8d07-8ffaae5d398b	1	response	75.000000	0.000000	1.000000	{}	2026-11-22 12:08:51.296536+00	6	1	4
13	c37adfef-0fcb-4a13-bbb6-7adf1de55d42	1	judge_score	4.000000	0.000000	1.000000	{}	2026-11-22 12:08:51.087671+00	7	4	3
14	347f8867-b02e-4dc8-81c4-1223746f0547	1	judge_score	4.000000	0.000000	1.000000	{}	2026-11-22 12:08:51.087671+00	7	5	3
15	9fd89afa-9a7d-48a0-a177-92346fa72a6b	1	judge_score	3.500000	0.000000	1.000000	{}	2026-11-22 12:08:51.087671+00	7	6	3
16	fc1c3e0a-825b-4764-b877-08f1bd9e8591	1	judge_score	5.000000	0.000000	1.000000	{}	2026-11-22 12:08:51.891878+00	3	8	5
17	38af7014-6ab7-4711-85e3-f8c9ac8237f3	1	judge_score	2.000000	0.000000	1.000000	{}	2026-11-22 12:08:51.891878+00	3	9	5
18	3f4aea6c-7a2d-469f-a9f6-9415b057fcc8	1	judge_score	4.000000	0.000000	1.000000	{}	2026-11-22 12:08:51.891878+00	3	10	5
19	f9a5ef1f-97f4-4315-b907-7f0189a358cc	1	response	75.000000	0.000000	1.000000	{}	2026-11-22 12:08:52.132769+00	8	2	4
20	8ba82a59-525e-4f13-a57d-39dff8d9b698	1	judge_score	4.000000	0.000000	1.000000	{}	2026-11-22 12:08:51.891878+00	4	8	5
21	85079f9f-12d4-4756-b6c9-3c4e54795db7	1	judge_score	4.000000	0.000000	1.000000	{}	2026-11-22 12:08:51.891878+00	4	9	5
22	2dac3e3b-d6bf-4099-9d1c-28df4c626081	1	judge_score	4.000000	0.000000	1.000000	{}	2026-11-22 12:08:51.891878+00	4	10	5
23	045abb67-a2bf-4eb1-95e3-287ef20e6dce	1	standing	34.023320	0.000000	1.000000	{"stance": "13.12332", "penalty": "0", "persuasion": "9", "resistance": "11.9"}	2026-11-22 12:08:52.215739+00	1	1	4
24	33b4dc9d-4ff7-4284-92f6-eafec83d91bf	1	standing	34.179040	0.000000	1.000000	{"stance": "11.57904", "penalty": "0", "persuasion": "9", "resistance": "13.6"}	2026-11-22 12:08:52.215739+00	2	2	4
25	d5fef410-8d58-45e5-a82f-c94f6df7de61	1	response	75.000000	0.000000	1.000000	{}	2026-11-22 12:08:52.583701+00	6	1	6
26	827a2093-9e62-4118-adc0-fc0d79927b7a	1	standing	29.050044	0.000000	1.000000	{"stance": "9.935044", "penalty": "0", "persuasion": "9", "resistance": "10.115"}	2026-11-22 12:08:52.806051+00	1	1	6
27	e97b5e62-46ea-4d33-8ca3-bee6282612b2	1	standing	29.551813	0.000000	1.000000	{"stance": "8.991813", "penalty": "0", "persuasion": "9", "resistance": "11.56"}	2026-11-22 12:08:52.806051+00	2	2	6
\.


--
-- Data for Name: scoring_reason; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.scoring_reason (id, salt, text, digest) FROM stdin;
1	639e572964c71c74923fa763e1960339	The judge misread the third paragraph.	4cdf382a499007292063a096e1d861b2f315a668ef617e46c0b24fff75186283
2	cd04ab91f4af0070002b770c7d18e750	The judge misread the third paragraph.	1e3331d78311d9d795ec253c4ade169e4e100ae9cdb7c09f15b8d8f17bcf777a
3	6a9e53193f0e2bf443aa71b07438568a	The judge misread the third paragraph.	6b2fd0d08733b5220e4f13dfc4c44b9fc407b370207bc3994f6b5420005320e8
4	56a6a129343337bc9602fdf4fe238b4a	The judge misread the third paragraph.	18f9a4b8c46c121c08ba81056671c9ef84497ee09db7da26a3d7f98d1275c035
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
1	1	opened	16.800000	16.800000	16.800000	\N	\N	\N	16.800000	1	{1}	{}	\N	f	f	t	f	0	{1}	\\xea55e123f16d0546344fcfa4a3e71cf5142fe427afdec36ef7f898af61ca619a	\N	\N	\N		\N	engine		2026-11-22 12:08:50.625464+00		\\x	\\xca29af92f456b7f823da29f4d0b21f60f16e7ecfd3caca1b0c8e3ca9418b2ae5	\N	1	\N	1
2	1	opened	14.400000	14.400000	14.400000	\N	\N	\N	14.400000	1	{2}	{}	\N	f	f	t	f	0	{2}	\\x64b64c3a0736721c1d6bae962cf13c38ce2291dcdb33b68cdfc11c8b7c4115f9	\N	\N	\N		\N	engine		2026-11-22 12:08:50.717331+00		\\x	\\xc1b5420178052e5d4d83ab2128fe743a73f568046227ce10e28034ecf0066949	\N	2	\N	1
3	1	opened	3.666700	3.666700	3.666700	\N	\N	\N	3.666700	1	{3,4,5}	{}	\N	f	f	t	f	0	{3,4,5}	\\x72905c872ba1523d6e6c8f8a7e78fa063fad7a8e2edb4c3708e9e187d90cc88f	\N	\N	\N		\N	engine		2026-11-22 12:08:51.135152+00		\\x	\\xfde4682942e1a3273a1c00ed6f8dc08c0634bc6c8e8a58b8f6ca432efad38364	\N	3	\N	2
4	1	opened	4.000000	4.000000	4.000000	\N	\N	\N	4.000000	1	{6,7,8}	{}	\N	f	f	t	f	0	{6,7,8}	\\x6083955b372a1b831fa7c47189ef460daa5184f5d01a26dc907fd4f7a35f1728	\N	\N	\N		\N	engine		2026-11-22 12:08:51.19189+00		\\x	\\x63dd36cb2a544e8a735f9b891127e1cba7b2dc1c97ec406eab8b8af0da8fd83e	\N	4	\N	2
5	1	opened	4.166700	4.166700	4.166700	\N	\N	\N	4.166700	1	{9,11,12}	{}	\N	f	f	t	f	0	{9,11,12}	\\xbfc2788bdd8a8d1a8f621ba2103cbd6408099a636408c76c56b144b5983a6915	\N	\N	\N		\N	engine		2026-11-22 12:08:51.652303+00		\\x	\\x708d35056af2886ffb7fcb697a2a9c8efb3e28e8d26c7be6346e55d04e053d01	\N	5	\N	3
6	1	opened	3.833300	3.833300	3.833300	\N	\N	\N	3.833300	1	{13,14,15}	{}	\N	f	f	t	f	0	{13,14,15}	\\xa07d3dbc1a63f1e42fa31d5e52c73e2ce7a8f2d389ea2f13a680dd732c0f802b	\N	\N	\N		\N	engine		2026-11-22 12:08:51.688644+00		\\x	\\xd4733d50649e361b1e0e606dfebba8e07b48891d4f0ecd9512a7b5361ecd230b	\N	7	\N	3
8	2	completed	4.166700	4.166700	4.166700	\N	\N	4.166700	4.166700	1	{9,11,12}	{}	\N	f	f	t	t	0	{}	\\xbfc2788bdd8a8d1a8f621ba2103cbd6408099a636408c76c56b144b5983a6915	\N	\N	\N		\N	engine		2026-11-22 12:08:51.749314+00		\\x708d35056af2886ffb7fcb697a2a9c8efb3e28e8d26c7be6346e55d04e053d01	\\x0f2f326f00c98f0c872417d433c5efc473847b89e5406b8619f0a819e394ce7f	\N	5	\N	\N
9	2	completed	3.833300	3.833300	3.833300	\N	\N	3.833300	3.833300	1	{13,14,15}	{}	\N	f	f	t	t	0	{}	\\xa07d3dbc1a63f1e42fa31d5e52c73e2ce7a8f2d389ea2f13a680dd732c0f802b	\N	\N	\N		\N	engine		2026-11-22 12:08:51.774753+00		\\xd4733d50649e361b1e0e606dfebba8e07b48891d4f0ecd9512a7b5361ecd230b	\\x97b0e8f15b555e3e8e998957283f3bc76acf971818d2babe975636c712b8efc3	\N	7	\N	\N
7	1	opened	75.000000	75.000000	75.000000	\N	\N	\N	75.000000	1	{10}	{}	\N	f	f	t	f	1	{10}	\\x1fa8f7e72d4cf135c4da187ec17ca530a3dce9843ab8a3314a285f4bbea3004e	\N	\N	\N		\N	engine		2026-11-22 12:08:51.748732+00		\\x	\\x4dbb3e087be442cbeca5327b2853994e174e849a5d3d5cd0abf28f8786fbaca9	\N	6	\N	4
10	2	round	3.666700	3.666700	3.666700	\N	\N	3.666700	3.666700	1	{16,17,18}	{}	\N	f	f	t	f	1	{16,17,18}	\\x5299d477c165b87f4efd2916a3bde0d295f5108d01e28b24fcd8e0c2e9e405cf	\N	\N	\N		\N	engine		2026-11-22 12:08:52.119334+00		\\xfde4682942e1a3273a1c00ed6f8dc08c0634bc6c8e8a58b8f6ca432efad38364	\\x2d2d3168def97fd97efb9badd0a379c5ba441af449c72b81f224c00e6500f3af	\N	3	\N	5
11	1	opened	75.000000	75.000000	75.000000	\N	\N	\N	75.000000	1	{19}	{}	\N	f	f	t	f	1	{19}	\\xfbb22dc00355b5e8d686138a2e19569f20eb0dbec670120767211f63a044bd52	\N	\N	\N		\N	engine		2026-11-22 12:08:52.185118+00		\\x	\\xc5e5273ad61caad849624a0aa542e85bc589cbf56f5b0aa18d10ddeb9405f44e	\N	8	\N	4
12	2	round	4.000000	4.000000	4.000000	\N	\N	4.000000	4.000000	1	{20,21,22}	{}	\N	f	f	t	f	1	{20,21,22}	\\x34d26bd3943b87975e2e9695fc874ea23ea8903ce43a04fbc8149288a9925470	\N	\N	\N		\N	engine		2026-11-22 12:08:52.214016+00		\\x63dd36cb2a544e8a735f9b891127e1cba7b2dc1c97ec406eab8b8af0da8fd83e	\\x0840602898457aae0d9498a1743dde6b8539707779749d03fa13c98dece14186	\N	4	\N	5
13	2	round	16.800000	16.800000	34.023320	\N	\N	16.800000	34.023320	1	{23}	{}	\N	f	f	t	f	1	{23}	\\x763d2cbe86a21c251fa6dc835f395c515c090b4e169effa67fd640be5622b1f7	\N	\N	\N		\N	engine		2026-11-22 12:08:52.295612+00		\\xca29af92f456b7f823da29f4d0b21f60f16e7ecfd3caca1b0c8e3ca9418b2ae5	\\xb97d39e5a2bed551a7d63d1f6856697b9536210495a01016d79c90277f5cf012	\N	1	\N	4
15	2	round	14.400000	14.400000	34.179040	\N	\N	14.400000	34.179040	1	{24}	{}	\N	f	f	t	f	1	{24}	\\x603206d7c7db306a03a99d56ba888002dd3f264da7bc54cc13c15d8b8db370fc	\N	\N	\N		\N	engine		2026-11-22 12:08:52.356912+00		\\xc1b5420178052e5d4d83ab2128fe743a73f568046227ce10e28034ecf0066949	\\xb2112f0621204ef227bf3188de9ddd52e05e3eea61687b3d8b7c3d6f66c14f7d	\N	2	\N	4
14	3	completed	3.666700	3.666700	3.666700	\N	\N	3.666700	3.666700	1	{16,17,18}	{}	\N	f	f	t	t	1	{}	\\x5299d477c165b87f4efd2916a3bde0d295f5108d01e28b24fcd8e0c2e9e405cf	\N	\N	\N		\N	engine		2026-11-22 12:08:52.341628+00		\\x2d2d3168def97fd97efb9badd0a379c5ba441af449c72b81f224c00e6500f3af	\\x61d17c81cf97cfab8223951743c0ab098e7015d25bbc77a75d950ccc7208547c	\N	3	\N	\N
16	3	completed	4.000000	4.000000	4.000000	\N	\N	4.000000	4.000000	1	{20,21,22}	{}	\N	f	f	t	t	1	{}	\\x34d26bd3943b87975e2e9695fc874ea23ea8903ce43a04fbc8149288a9925470	\N	\N	\N		\N	engine		2026-11-22 12:08:52.397952+00		\\x0840602898457aae0d9498a1743dde6b8539707779749d03fa13c98dece14186	\\x68a3d64135cc6c6f2fd8ba00aa9cc238ee812a4d8b0bab5a575a78828915f396	\N	4	\N	\N
17	2	round	75.000000	75.000000	75.000000	\N	\N	75.000000	75.000000	1	{10,25}	{}	\N	f	f	t	f	2	{25}	\\x7d308826a991db43e05ef3b653e81c67e25b3266fe4335ed835792abbcf350da	\N	\N	\N		\N	engine		2026-11-22 12:08:52.636361+00		\\x4dbb3e087be442cbeca5327b2853994e174e849a5d3d5cd0abf28f8786fbaca9	\\x6d0cbe67a8e1ec94a3c631ddb389be9543bdd87290bf668d6467f02ed6cd75cd	\N	6	\N	6
18	3	round	16.800000	34.023320	29.050044	\N	\N	34.023320	29.050044	1	{26}	{}	\N	f	f	t	f	2	{26}	\\x617410e52cbc0c51e1f06673eb7f0ed708671993f07b82547302edc83dca83bb	\N	\N	\N		\N	engine		2026-11-22 12:08:52.848275+00		\\xb97d39e5a2bed551a7d63d1f6856697b9536210495a01016d79c90277f5cf012	\\x5577c31a9fd6113731eaad985bad9307da1f7e0e3e603653cede6b7340cbf924	\N	1	\N	6
19	3	round	14.400000	34.179040	29.551813	\N	\N	34.179040	29.551813	1	{27}	{}	\N	f	f	t	f	2	{27}	\\xf32c763c221d1834ca7b02fecad5f808c71975b1ef2eb21cdee6513082ffe996	\N	\N	\N		\N	engine		2026-11-22 12:08:52.875489+00		\\xb2112f0621204ef227bf3188de9ddd52e05e3eea61687b3d8b7c3d6f66c14f7d	\\x59a2683d443bdf0ee6425adbe791990be2a06b39ca6797f77c5c6b274c9f305e	\N	2	\N	6
20	4	completed	16.800000	29.050044	29.050044	\N	\N	29.050044	29.050044	1	{26}	{}	\N	f	f	t	t	2	{}	\\x617410e52cbc0c51e1f06673eb7f0ed708671993f07b82547302edc83dca83bb	\N	\N	\N		\N	engine		2026-11-22 12:08:52.911241+00		\\x5577c31a9fd6113731eaad985bad9307da1f7e0e3e603653cede6b7340cbf924	\\x62aee2bb4ec0cb3f7028cf72e1c83969edebf4d7bd8651e8b64da8b8a284815e	\N	1	\N	\N
21	4	completed	14.400000	29.551813	29.551813	\N	\N	29.551813	29.551813	1	{27}	{}	\N	f	f	t	t	2	{}	\\xf32c763c221d1834ca7b02fecad5f808c71975b1ef2eb21cdee6513082ffe996	\N	\N	\N		\N	engine		2026-11-22 12:08:52.923841+00		\\x59a2683d443bdf0ee6425adbe791990be2a06b39ca6797f77c5c6b274c9f305e	\\x89fef7eb3f755816d192bbe4fa8f9537d82d110d86667242b3d59e7decc15e7b	\N	2	\N	\N
22	3	completed	75.000000	75.000000	75.000000	\N	\N	75.000000	75.000000	1	{10,25}	{}	\N	f	f	t	t	2	{}	\\x7d308826a991db43e05ef3b653e81c67e25b3266fe4335ed835792abbcf350da	\N	\N	\N		\N	engine		2026-11-22 12:08:52.935048+00		\\x6d0cbe67a8e1ec94a3c631ddb389be9543bdd87290bf668d6467f02ed6cd75cd	\\xe1cbc9a6ac3dd6f35493e29c46adcdc71208a7910e7d5dae692cf73c85f0b23a	\N	6	\N	\N
23	2	completed	75.000000	75.000000	75.000000	\N	\N	75.000000	75.000000	1	{19}	{}	\N	f	f	t	t	1	{}	\\xfbb22dc00355b5e8d686138a2e19569f20eb0dbec670120767211f63a044bd52	\N	\N	\N		\N	engine		2026-11-22 12:08:52.94527+00		\\xc5e5273ad61caad849624a0aa542e85bc589cbf56f5b0aa18d10ddeb9405f44e	\\xb4769fd8938936780b04e34688aeed001f747dfe833400e8b86342c67d75c164	\N	8	\N	\N
24	5	override	14.400000	29.551813	20.000000	\N	\N	29.551813	29.551813	1	{27}	{}	20.000000	f	f	t	t	2	{}	\\xf32c763c221d1834ca7b02fecad5f808c71975b1ef2eb21cdee6513082ffe996	\N	\N	\N		\N	moderator		2026-11-22 12:08:53.282192+00		\\x89fef7eb3f755816d192bbe4fa8f9537d82d110d86667242b3d59e7decc15e7b	\\x1a1684387e28aa306a1037d7d6adbc70c0f6284d1b283ce76d80dab1ca7f7508	1	2	1	\N
25	4	strike	75.000000	75.000000	75.000000	\N	\N	75.000000	75.000000	1	{25}	{}	\N	f	f	t	t	2	{10}	\\xd292c1c4017f2d90b7948b3437912d8d59d33fcebd48ac822d324722274ef27b	\N	\N	\N		\N	moderator		2026-11-22 12:08:53.388086+00		\\xe1cbc9a6ac3dd6f35493e29c46adcdc71208a7910e7d5dae692cf73c85f0b23a	\\xa4b73c822d23a57d541518af0439f43d1ddc9ffcba9c2ee8fc4d4307477975a2	1	6	2	\N
26	3	strike	4.166700	4.166700	4.000000	\N	\N	4.166700	4.000000	1	{9,12}	{}	\N	f	f	t	t	0	{11}	\\x9280a5da463ec226372ceea7b7087bc86505dac73974b4daad820d6bfe491e7b	\N	\N	\N		\N	moderator		2026-11-22 12:08:53.449059+00		\\x0f2f326f00c98f0c872417d433c5efc473847b89e5406b8619f0a819e394ce7f	\\x4ca3ea4be68e06f664f8c98431bc3f13baf6165bfa7c16960d2ed21eab64b3dc	1	5	3	\N
27	4	freeze	4.166700	4.000000	4.000000	\N	\N	4.000000	4.000000	1	{9,12}	{}	\N	f	t	t	t	0	{}	\\x9280a5da463ec226372ceea7b7087bc86505dac73974b4daad820d6bfe491e7b	\N	\N	\N		\N	moderator		2026-11-22 12:08:53.506808+00		\\x4ca3ea4be68e06f664f8c98431bc3f13baf6165bfa7c16960d2ed21eab64b3dc	\\x713e9124c7e8f3f7d176f52c3cd78545675cc00620744802f86da4bb7355a8cf	1	5	4	\N
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

SELECT pg_catalog.setval('public.auth_group_permissions_id_seq', 143, true);


--
-- Name: auth_permission_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.auth_permission_id_seq', 223, true);


--
-- Name: auth_user_groups_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.auth_user_groups_id_seq', 1, false);


--
-- Name: auth_user_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.auth_user_id_seq', 2, true);


--
-- Name: auth_user_user_permissions_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.auth_user_user_permissions_id_seq', 1, false);


--
-- Name: debates_apikey_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.debates_apikey_id_seq', 1, false);


--
-- Name: debates_debate_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.debates_debate_id_seq', 5, true);


--
-- Name: debates_delivery_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.debates_delivery_id_seq', 1, false);


--
-- Name: debates_epoch_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.debates_epoch_id_seq', 1, false);


--
-- Name: debates_event_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.debates_event_id_seq', 87, true);


--
-- Name: debates_idempotencykey_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.debates_idempotencykey_id_seq', 1, false);


--
-- Name: debates_participant_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.debates_participant_id_seq', 18, true);


--
-- Name: debates_round_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.debates_round_id_seq', 6, true);


--
-- Name: debates_subject_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.debates_subject_id_seq', 3, true);


--
-- Name: debates_thread_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.debates_thread_id_seq', 5, true);


--
-- Name: debates_turn_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.debates_turn_id_seq', 18, true);


--
-- Name: debates_webhook_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.debates_webhook_id_seq', 1, false);


--
-- Name: django_admin_log_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.django_admin_log_id_seq', 1, false);


--
-- Name: django_content_type_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.django_content_type_id_seq', 53, true);


--
-- Name: django_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.django_migrations_id_seq', 95, true);


--
-- Name: judging_call_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.judging_call_id_seq', 22, true);


--
-- Name: judging_challenge_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.judging_challenge_id_seq', 1, false);


--
-- Name: judging_consensus_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.judging_consensus_id_seq', 3, true);


--
-- Name: judging_effect_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.judging_effect_id_seq', 4, true);


--
-- Name: judging_judgereport_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.judging_judgereport_id_seq', 9, true);


--
-- Name: judging_participantstate_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.judging_participantstate_id_seq', 8, true);


--
-- Name: judging_responseevaluation_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.judging_responseevaluation_id_seq', 4, true);


--
-- Name: judging_review_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.judging_review_id_seq', 1, true);


--
-- Name: judging_synthesis_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.judging_synthesis_id_seq', 2, true);


--
-- Name: mfa_authenticator_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.mfa_authenticator_id_seq', 1, false);


--
-- Name: procrastinate_events_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.procrastinate_events_id_seq', 12, true);


--
-- Name: procrastinate_jobs_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.procrastinate_jobs_id_seq', 7, true);


--
-- Name: procrastinate_periodic_defers_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.procrastinate_periodic_defers_id_seq', 1, false);


--
-- Name: procrastinate_workers_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.procrastinate_workers_id_seq', 2, true);


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
-- Name: scoring_erasure_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.scoring_erasure_id_seq', 1, false);


--
-- Name: scoring_evaluation_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.scoring_evaluation_id_seq', 8, true);


--
-- Name: scoring_fact_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.scoring_fact_id_seq', 27, true);


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

SELECT pg_catalog.setval('public.scoring_scorechange_id_seq', 27, true);


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
-- Name: scoring_alert alert_once_per_code_and_facts; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_alert
    ADD CONSTRAINT alert_once_per_code_and_facts UNIQUE NULLS NOT DISTINCT (debate_id, evaluation_id, code, facts_digest);


--
-- Name: debates_apikey api_key_prefix_once; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_apikey
    ADD CONSTRAINT api_key_prefix_once UNIQUE (prefix);


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
-- Name: judging_consensus consensus_once_per_round; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_consensus
    ADD CONSTRAINT consensus_once_per_round UNIQUE (round_id);


--
-- Name: scoring_criterion criterion_code_once_per_rubric; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_criterion
    ADD CONSTRAINT criterion_code_once_per_rubric UNIQUE (rubric_id, code);


--
-- Name: debates_apikey debates_apikey_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_apikey
    ADD CONSTRAINT debates_apikey_pkey PRIMARY KEY (id);


--
-- Name: debates_apikey debates_apikey_public_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_apikey
    ADD CONSTRAINT debates_apikey_public_id_key UNIQUE (public_id);


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
-- Name: debates_delivery debates_delivery_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_delivery
    ADD CONSTRAINT debates_delivery_pkey PRIMARY KEY (id);


--
-- Name: debates_delivery debates_delivery_public_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_delivery
    ADD CONSTRAINT debates_delivery_public_id_key UNIQUE (public_id);


--
-- Name: debates_epoch debates_epoch_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_epoch
    ADD CONSTRAINT debates_epoch_pkey PRIMARY KEY (id);


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
-- Name: debates_idempotencykey debates_idempotencykey_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_idempotencykey
    ADD CONSTRAINT debates_idempotencykey_pkey PRIMARY KEY (id);


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
-- Name: debates_webhook debates_webhook_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_webhook
    ADD CONSTRAINT debates_webhook_pkey PRIMARY KEY (id);


--
-- Name: debates_webhook debates_webhook_public_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_webhook
    ADD CONSTRAINT debates_webhook_public_id_key UNIQUE (public_id);


--
-- Name: judging_defence defence_once_per_challenge_and_round; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_defence
    ADD CONSTRAINT defence_once_per_challenge_and_round UNIQUE (challenge_id, round_id);


--
-- Name: debates_delivery delivery_once_per_webhook_and_event; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_delivery
    ADD CONSTRAINT delivery_once_per_webhook_and_event UNIQUE (webhook_id, event_id);


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
-- Name: judging_effect effect_once_per_turn_and_listener; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_effect
    ADD CONSTRAINT effect_once_per_turn_and_listener UNIQUE (turn_id, listener_id);


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
-- Name: debates_idempotencykey idempotency_key_once_per_caller; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_idempotencykey
    ADD CONSTRAINT idempotency_key_once_per_caller UNIQUE NULLS NOT DISTINCT (owner_id, api_key_id, key);


--
-- Name: judging_judgereport judge_reports_once_per_round; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_judgereport
    ADD CONSTRAINT judge_reports_once_per_round UNIQUE (round_id, participant_id);


--
-- Name: judging_judgescore judge_scores_a_criterion_once_per_report; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_judgescore
    ADD CONSTRAINT judge_scores_a_criterion_once_per_report UNIQUE (report_id, key);


--
-- Name: judging_cachedjudgement judging_cachedjudgement_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_cachedjudgement
    ADD CONSTRAINT judging_cachedjudgement_pkey PRIMARY KEY (digest);


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
-- Name: judging_consensus judging_consensus_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_consensus
    ADD CONSTRAINT judging_consensus_pkey PRIMARY KEY (id);


--
-- Name: judging_consensus judging_consensus_public_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_consensus
    ADD CONSTRAINT judging_consensus_public_id_key UNIQUE (public_id);


--
-- Name: judging_defence judging_defence_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_defence
    ADD CONSTRAINT judging_defence_pkey PRIMARY KEY (turn_id);


--
-- Name: judging_effect judging_effect_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_effect
    ADD CONSTRAINT judging_effect_pkey PRIMARY KEY (id);


--
-- Name: judging_judgereport judging_judgereport_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_judgereport
    ADD CONSTRAINT judging_judgereport_pkey PRIMARY KEY (id);


--
-- Name: judging_judgereport judging_judgereport_public_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_judgereport
    ADD CONSTRAINT judging_judgereport_public_id_key UNIQUE (public_id);


--
-- Name: judging_judgereport judging_judgereport_turn_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_judgereport
    ADD CONSTRAINT judging_judgereport_turn_id_key UNIQUE (turn_id);


--
-- Name: judging_judgescore judging_judgescore_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_judgescore
    ADD CONSTRAINT judging_judgescore_pkey PRIMARY KEY (fact_id);


--
-- Name: judging_participantstate judging_participantstate_effect_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_participantstate
    ADD CONSTRAINT judging_participantstate_effect_id_key UNIQUE (effect_id);


--
-- Name: judging_participantstate judging_participantstate_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_participantstate
    ADD CONSTRAINT judging_participantstate_pkey PRIMARY KEY (id);


--
-- Name: judging_responseevaluation judging_responseevaluation_fact_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_responseevaluation
    ADD CONSTRAINT judging_responseevaluation_fact_id_key UNIQUE (fact_id);


--
-- Name: judging_responseevaluation judging_responseevaluation_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_responseevaluation
    ADD CONSTRAINT judging_responseevaluation_pkey PRIMARY KEY (id);


--
-- Name: judging_responseevaluation judging_responseevaluation_public_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_responseevaluation
    ADD CONSTRAINT judging_responseevaluation_public_id_key UNIQUE (public_id);


--
-- Name: judging_responseevaluation judging_responseevaluation_turn_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_responseevaluation
    ADD CONSTRAINT judging_responseevaluation_turn_id_key UNIQUE (turn_id);


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
-- Name: judging_standing judging_standing_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_standing
    ADD CONSTRAINT judging_standing_pkey PRIMARY KEY (fact_id);


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
-- Name: scoring_erasure scoring_erasure_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_erasure
    ADD CONSTRAINT scoring_erasure_pkey PRIMARY KEY (id);


--
-- Name: scoring_erasure scoring_erasure_public_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_erasure
    ADD CONSTRAINT scoring_erasure_public_id_key UNIQUE (public_id);


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
-- Name: judging_standing standing_once_per_round_and_participant; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_standing
    ADD CONSTRAINT standing_once_per_round_and_participant UNIQUE (round_id, participant_id);


--
-- Name: judging_participantstate state_number_once_per_participant; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_participantstate
    ADD CONSTRAINT state_number_once_per_participant UNIQUE (participant_id, number);


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
-- Name: actor_once_per_user_name_and_role; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX actor_once_per_user_name_and_role ON public.scoring_actor USING btree (user_id, name, role) NULLS NOT DISTINCT WHERE (NOT ((name)::text = ''::text));


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

CREATE UNIQUE INDEX call_answers_once_per_round_and_purpose ON public.judging_call USING btree (thread_id, run_number, round_number, purpose, participant_id, about) WHERE (((outcome)::text = 'used'::text) AND (thread_id IS NOT NULL));


--
-- Name: call_by_thread_and_round; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX call_by_thread_and_round ON public.judging_call USING btree (thread_id, run_number, round_number);


--
-- Name: debate_by_status; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX debate_by_status ON public.debates_debate USING btree (status, id DESC);


--
-- Name: debates_apikey_owner_id_7565905a; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX debates_apikey_owner_id_7565905a ON public.debates_apikey USING btree (owner_id);


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
-- Name: debates_delivery_event_id_8af09625; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX debates_delivery_event_id_8af09625 ON public.debates_delivery USING btree (event_id);


--
-- Name: debates_idempotencykey_api_key_id_5e4f6e23; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX debates_idempotencykey_api_key_id_5e4f6e23 ON public.debates_idempotencykey USING btree (api_key_id);


--
-- Name: debates_idempotencykey_owner_id_7f49697e; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX debates_idempotencykey_owner_id_7f49697e ON public.debates_idempotencykey USING btree (owner_id);


--
-- Name: debates_participant_debate_id_489a6d77; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX debates_participant_debate_id_489a6d77 ON public.debates_participant USING btree (debate_id);


--
-- Name: debates_participant_user_id_a3c2303e; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX debates_participant_user_id_a3c2303e ON public.debates_participant USING btree (user_id);


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
-- Name: debates_webhook_debate_id_feba8ccc; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX debates_webhook_debate_id_feba8ccc ON public.debates_webhook USING btree (debate_id);


--
-- Name: debates_webhook_owner_id_4e70b8cc; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX debates_webhook_owner_id_4e70b8cc ON public.debates_webhook USING btree (owner_id);


--
-- Name: delivery_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX delivery_due ON public.debates_delivery USING btree (due_at) WHERE ((state)::text = 'waiting'::text);


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
-- Name: idempotency_key_by_time; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX idempotency_key_by_time ON public.debates_idempotencykey USING btree (at);


--
-- Name: idx_procrastinate_jobs_worker_not_null; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX idx_procrastinate_jobs_worker_not_null ON public.procrastinate_jobs USING btree (worker_id) WHERE ((worker_id IS NOT NULL) AND (status = 'doing'::public.procrastinate_job_status));


--
-- Name: idx_procrastinate_workers_last_heartbeat; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX idx_procrastinate_workers_last_heartbeat ON public.procrastinate_workers USING btree (last_heartbeat);


--
-- Name: judging_cachedjudgement_debate_id_96b089b1; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX judging_cachedjudgement_debate_id_96b089b1 ON public.judging_cachedjudgement USING btree (debate_id);


--
-- Name: judging_cachedjudgement_digest_ec8f3382_like; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX judging_cachedjudgement_digest_ec8f3382_like ON public.judging_cachedjudgement USING btree (digest varchar_pattern_ops);


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
-- Name: judging_consensus_debate_id_ac0f9b63; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX judging_consensus_debate_id_ac0f9b63 ON public.judging_consensus USING btree (debate_id);


--
-- Name: judging_consensus_round_id_276ae0ef; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX judging_consensus_round_id_276ae0ef ON public.judging_consensus USING btree (round_id);


--
-- Name: judging_defence_challenge_id_a36ab868; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX judging_defence_challenge_id_a36ab868 ON public.judging_defence USING btree (challenge_id);


--
-- Name: judging_defence_round_id_867aa5e8; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX judging_defence_round_id_867aa5e8 ON public.judging_defence USING btree (round_id);


--
-- Name: judging_effect_call_id_f64d1ed5; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX judging_effect_call_id_f64d1ed5 ON public.judging_effect USING btree (call_id);


--
-- Name: judging_effect_listener_id_7f35d00e; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX judging_effect_listener_id_7f35d00e ON public.judging_effect USING btree (listener_id);


--
-- Name: judging_effect_speaker_id_57245c4d; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX judging_effect_speaker_id_57245c4d ON public.judging_effect USING btree (speaker_id);


--
-- Name: judging_effect_turn_id_455d1b2c; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX judging_effect_turn_id_455d1b2c ON public.judging_effect USING btree (turn_id);


--
-- Name: judging_judgereport_call_id_9436fa66; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX judging_judgereport_call_id_9436fa66 ON public.judging_judgereport USING btree (call_id);


--
-- Name: judging_judgereport_debate_id_257cb27d; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX judging_judgereport_debate_id_257cb27d ON public.judging_judgereport USING btree (debate_id);


--
-- Name: judging_judgereport_participant_id_adaff5d4; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX judging_judgereport_participant_id_adaff5d4 ON public.judging_judgereport USING btree (participant_id);


--
-- Name: judging_judgereport_round_id_6a4b3680; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX judging_judgereport_round_id_6a4b3680 ON public.judging_judgereport USING btree (round_id);


--
-- Name: judging_judgescore_report_id_487ebb6f; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX judging_judgescore_report_id_487ebb6f ON public.judging_judgescore USING btree (report_id);


--
-- Name: judging_participantstate_participant_id_5212c2dd; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX judging_participantstate_participant_id_5212c2dd ON public.judging_participantstate USING btree (participant_id);


--
-- Name: judging_responseevaluation_call_id_6f9b3475; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX judging_responseevaluation_call_id_6f9b3475 ON public.judging_responseevaluation USING btree (call_id);


--
-- Name: judging_responseevaluation_round_id_5decac50; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX judging_responseevaluation_round_id_5decac50 ON public.judging_responseevaluation USING btree (round_id);


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
-- Name: judging_standing_participant_id_fd9f1e0b; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX judging_standing_participant_id_fd9f1e0b ON public.judging_standing USING btree (participant_id);


--
-- Name: judging_standing_round_id_89774780; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX judging_standing_round_id_89774780 ON public.judging_standing USING btree (round_id);


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
-- Name: scoring_erasure_because_id_904b0cf7; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scoring_erasure_because_id_904b0cf7 ON public.scoring_erasure USING btree (because_id);


--
-- Name: scoring_erasure_by_id_bd69b294; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scoring_erasure_by_id_bd69b294 ON public.scoring_erasure USING btree (by_id);


--
-- Name: scoring_erasure_debate_id_0cea127a; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scoring_erasure_debate_id_0cea127a ON public.scoring_erasure USING btree (debate_id);


--
-- Name: scoring_erasure_participant_id_d7bf5c07; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scoring_erasure_participant_id_d7bf5c07 ON public.scoring_erasure USING btree (participant_id);


--
-- Name: scoring_erasure_user_id_eaf3f087; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX scoring_erasure_user_id_eaf3f087 ON public.scoring_erasure USING btree (user_id);


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
-- Name: debates_apikey apikey_10_fixed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER apikey_10_fixed BEFORE UPDATE ON public.debates_apikey FOR EACH ROW EXECUTE FUNCTION public.moot_fixed('api_key_keeps_its_secret_and_scopes', 'public_id', 'owner_id', 'prefix', 'digest', 'scopes', 'created_at', 'expires_at');

ALTER TABLE public.debates_apikey ENABLE ALWAYS TRIGGER apikey_10_fixed;


--
-- Name: debates_apikey apikey_11_revoked; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER apikey_11_revoked BEFORE UPDATE ON public.debates_apikey FOR EACH ROW WHEN (((old.revoked_at IS NOT NULL) AND (new.revoked_at IS DISTINCT FROM old.revoked_at))) EXECUTE FUNCTION public.moot_refuse('api_key_revoked_stays_so');

ALTER TABLE public.debates_apikey ENABLE ALWAYS TRIGGER apikey_11_revoked;


--
-- Name: debates_apikey apikey_20_kept; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER apikey_20_kept BEFORE DELETE ON public.debates_apikey FOR EACH ROW EXECUTE FUNCTION public.moot_refuse('api_key_is_kept');

ALTER TABLE public.debates_apikey ENABLE ALWAYS TRIGGER apikey_20_kept;


--
-- Name: debates_apikey apikey_30_truncate; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER apikey_30_truncate BEFORE TRUNCATE ON public.debates_apikey FOR EACH STATEMENT EXECUTE FUNCTION public.moot_refuse('api_key_is_kept');

ALTER TABLE public.debates_apikey ENABLE ALWAYS TRIGGER apikey_30_truncate;


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
-- Name: judging_cachedjudgement cached_10_kept; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER cached_10_kept BEFORE UPDATE ON public.judging_cachedjudgement FOR EACH ROW WHEN (((old.answer <> ''::text) AND (((new.answer IS DISTINCT FROM old.answer) OR ((new.model)::text IS DISTINCT FROM (old.model)::text)) OR ((new.digest)::text IS DISTINCT FROM (old.digest)::text)))) EXECUTE FUNCTION public.moot_refuse('cached_judgement_keeps_its_answer');

ALTER TABLE public.judging_cachedjudgement ENABLE ALWAYS TRIGGER cached_10_kept;


--
-- Name: judging_call call_05_why; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER call_05_why BEFORE INSERT ON public.judging_call FOR EACH ROW WHEN ((((new.outcome)::text <> 'used'::text) AND (new.problem = ''::text))) EXECUTE FUNCTION public.moot_refuse('call_that_was_not_used_says_why');

ALTER TABLE public.judging_call ENABLE ALWAYS TRIGGER call_05_why;


--
-- Name: judging_call call_10_immutable; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER call_10_immutable BEFORE UPDATE ON public.judging_call FOR EACH ROW WHEN (((old.about)::text = (new.about)::text)) EXECUTE FUNCTION public.moot_only_blanks('call_is_never_edited', 'raw_answer', 'problem');

ALTER TABLE public.judging_call ENABLE ALWAYS TRIGGER call_10_immutable;


--
-- Name: judging_call call_11_renamed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER call_11_renamed BEFORE UPDATE ON public.judging_call FOR EACH ROW WHEN ((((old.about)::text <> (new.about)::text) AND (NOT public.moot_erasing()))) EXECUTE FUNCTION public.moot_refuse('call_is_never_edited');

ALTER TABLE public.judging_call ENABLE ALWAYS TRIGGER call_11_renamed;


--
-- Name: judging_call call_12_fixed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER call_12_fixed BEFORE UPDATE ON public.judging_call FOR EACH ROW WHEN (((old.about)::text <> (new.about)::text)) EXECUTE FUNCTION public.moot_fixed('call_is_never_edited', 'public_id', 'debate_id', 'thread_id', 'run_number', 'round_number', 'purpose', 'attempt', 'participant_id', 'prompt_name', 'prompt_version', 'prompt_digest', 'provider', 'model', 'parameters', 'raw_answer', 'problem', 'outcome', 'known', 'tokens_in', 'tokens_out', 'cost', 'milliseconds', 'at');

ALTER TABLE public.judging_call ENABLE ALWAYS TRIGGER call_12_fixed;


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
-- Name: judging_consensus consensus_10_immutable; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER consensus_10_immutable BEFORE DELETE OR UPDATE ON public.judging_consensus FOR EACH ROW EXECUTE FUNCTION public.moot_refuse('consensus_is_never_edited');

ALTER TABLE public.judging_consensus ENABLE ALWAYS TRIGGER consensus_10_immutable;


--
-- Name: judging_consensus consensus_30_truncate; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER consensus_30_truncate BEFORE TRUNCATE ON public.judging_consensus FOR EACH STATEMENT EXECUTE FUNCTION public.moot_refuse('consensus_is_never_edited');

ALTER TABLE public.judging_consensus ENABLE ALWAYS TRIGGER consensus_30_truncate;


--
-- Name: debates_debate debate_10_parameters; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER debate_10_parameters BEFORE UPDATE ON public.debates_debate FOR EACH ROW WHEN (((old.status)::text <> 'draft'::text)) EXECUTE FUNCTION public.moot_fixed('debate_parameters_are_fixed_once_started', 'format', 'rounds', 'subject_id', 'conducted_by', 'public_id');

ALTER TABLE public.debates_debate ENABLE ALWAYS TRIGGER debate_10_parameters;


--
-- Name: debates_debate debate_11_started; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER debate_11_started BEFORE UPDATE ON public.debates_debate FOR EACH ROW WHEN ((((old.status)::text <> 'draft'::text) AND ((new.status)::text = 'draft'::text))) EXECUTE FUNCTION public.moot_refuse('debate_never_becomes_a_draft_again');

ALTER TABLE public.debates_debate ENABLE ALWAYS TRIGGER debate_11_started;


--
-- Name: debates_debate debate_12_words; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER debate_12_words BEFORE UPDATE ON public.debates_debate FOR EACH ROW WHEN ((((old.status)::text <> 'draft'::text) AND ((old.motion <> new.motion) OR (old.parameters <> new.parameters)) AND (NOT public.moot_erasing()))) EXECUTE FUNCTION public.moot_refuse('debate_parameters_are_fixed_once_started');

ALTER TABLE public.debates_debate ENABLE ALWAYS TRIGGER debate_12_words;


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
-- Name: debates_delivery delivery_10_fixed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER delivery_10_fixed BEFORE UPDATE ON public.debates_delivery FOR EACH ROW EXECUTE FUNCTION public.moot_fixed('delivery_keeps_what_it_is', 'public_id', 'webhook_id', 'event_id');

ALTER TABLE public.debates_delivery ENABLE ALWAYS TRIGGER delivery_10_fixed;


--
-- Name: judging_effect effect_10_immutable; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER effect_10_immutable BEFORE DELETE OR UPDATE ON public.judging_effect FOR EACH ROW EXECUTE FUNCTION public.moot_refuse('effect_is_never_edited');

ALTER TABLE public.judging_effect ENABLE ALWAYS TRIGGER effect_10_immutable;


--
-- Name: judging_effect effect_30_truncate; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER effect_30_truncate BEFORE TRUNCATE ON public.judging_effect FOR EACH STATEMENT EXECUTE FUNCTION public.moot_refuse('effect_is_never_edited');

ALTER TABLE public.judging_effect ENABLE ALWAYS TRIGGER effect_30_truncate;


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
-- Name: scoring_erasure erasure_10_now; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER erasure_10_now BEFORE INSERT ON public.scoring_erasure FOR EACH ROW WHEN ((new.at <> transaction_timestamp())) EXECUTE FUNCTION public.moot_refuse('erasure_is_of_this_moment');

ALTER TABLE public.scoring_erasure ENABLE ALWAYS TRIGGER erasure_10_now;


--
-- Name: scoring_erasure erasure_20_kept; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER erasure_20_kept BEFORE DELETE OR UPDATE ON public.scoring_erasure FOR EACH ROW EXECUTE FUNCTION public.moot_refuse('erasure_is_kept');

ALTER TABLE public.scoring_erasure ENABLE ALWAYS TRIGGER erasure_20_kept;


--
-- Name: scoring_erasure erasure_30_truncate; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER erasure_30_truncate BEFORE TRUNCATE ON public.scoring_erasure FOR EACH STATEMENT EXECUTE FUNCTION public.moot_refuse('erasure_is_kept');

ALTER TABLE public.scoring_erasure ENABLE ALWAYS TRIGGER erasure_30_truncate;


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

CREATE TRIGGER evaluation_20_guard BEFORE UPDATE ON public.scoring_evaluation FOR EACH ROW WHEN ((NOT ((new.name)::text IS DISTINCT FROM (old.name)::text))) EXECUTE FUNCTION public.moot_evaluation_guard();

ALTER TABLE public.scoring_evaluation ENABLE ALWAYS TRIGGER evaluation_20_guard;


--
-- Name: scoring_evaluation evaluation_21_renamed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER evaluation_21_renamed BEFORE UPDATE ON public.scoring_evaluation FOR EACH ROW WHEN (((new.name)::text IS DISTINCT FROM (old.name)::text)) EXECUTE FUNCTION public.moot_evaluation_renamed();

ALTER TABLE public.scoring_evaluation ENABLE ALWAYS TRIGGER evaluation_21_renamed;


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
-- Name: debates_idempotencykey idempotencykey_10_answered; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER idempotencykey_10_answered BEFORE UPDATE ON public.debates_idempotencykey FOR EACH ROW WHEN ((old.status <> 0)) EXECUTE FUNCTION public.moot_refuse('idempotency_key_answers_once');

ALTER TABLE public.debates_idempotencykey ENABLE ALWAYS TRIGGER idempotencykey_10_answered;


--
-- Name: judging_judgereport judge_report_10_immutable; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER judge_report_10_immutable BEFORE UPDATE ON public.judging_judgereport FOR EACH ROW EXECUTE FUNCTION public.moot_only_blanks('judge_report_is_append_only', 'body');

ALTER TABLE public.judging_judgereport ENABLE ALWAYS TRIGGER judge_report_10_immutable;


--
-- Name: judging_judgereport judge_report_20_kept; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER judge_report_20_kept BEFORE DELETE ON public.judging_judgereport FOR EACH ROW EXECUTE FUNCTION public.moot_refuse('judge_report_is_append_only');

ALTER TABLE public.judging_judgereport ENABLE ALWAYS TRIGGER judge_report_20_kept;


--
-- Name: judging_judgereport judge_report_30_truncate; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER judge_report_30_truncate BEFORE TRUNCATE ON public.judging_judgereport FOR EACH STATEMENT EXECUTE FUNCTION public.moot_refuse('judge_report_is_append_only');

ALTER TABLE public.judging_judgereport ENABLE ALWAYS TRIGGER judge_report_30_truncate;


--
-- Name: judging_judgescore judge_score_10_immutable; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER judge_score_10_immutable BEFORE DELETE OR UPDATE ON public.judging_judgescore FOR EACH ROW EXECUTE FUNCTION public.moot_refuse('judge_score_is_never_edited');

ALTER TABLE public.judging_judgescore ENABLE ALWAYS TRIGGER judge_score_10_immutable;


--
-- Name: judging_judgescore judge_score_30_truncate; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER judge_score_30_truncate BEFORE TRUNCATE ON public.judging_judgescore FOR EACH STATEMENT EXECUTE FUNCTION public.moot_refuse('judge_score_is_never_edited');

ALTER TABLE public.judging_judgescore ENABLE ALWAYS TRIGGER judge_score_30_truncate;


--
-- Name: debates_participant participant_10_seat; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER participant_10_seat BEFORE UPDATE ON public.debates_participant FOR EACH ROW WHEN (((old.user_id IS NOT NULL) AND (new.user_id IS DISTINCT FROM old.user_id))) EXECUTE FUNCTION public.moot_refuse('seat_is_taken_once');

ALTER TABLE public.debates_participant ENABLE ALWAYS TRIGGER participant_10_seat;


--
-- Name: debates_participant participant_11_invitation; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER participant_11_invitation BEFORE UPDATE ON public.debates_participant FOR EACH ROW WHEN ((new.invitation < old.invitation)) EXECUTE FUNCTION public.moot_refuse('invitation_number_only_grows');

ALTER TABLE public.debates_participant ENABLE ALWAYS TRIGGER participant_11_invitation;


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

CREATE TRIGGER rescore_10_fixed BEFORE UPDATE ON public.scoring_rescoreset FOR EACH ROW WHEN ((NOT public.moot_erasing())) EXECUTE FUNCTION public.moot_fixed('rescore_keeps_what_was_previewed', 'public_id', 'action', 'choice', 'lines', 'staged_by_id', 'because_id', 'staged_at');

ALTER TABLE public.scoring_rescoreset ENABLE ALWAYS TRIGGER rescore_10_fixed;


--
-- Name: scoring_rescoreset rescore_11_once; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER rescore_11_once BEFORE UPDATE ON public.scoring_rescoreset FOR EACH ROW WHEN ((((old.state)::text <> 'staged'::text) AND (NOT public.moot_erasing()))) EXECUTE FUNCTION public.moot_refuse('rescore_is_decided_once');

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
-- Name: judging_responseevaluation response_05_total; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER response_05_total BEFORE INSERT ON public.judging_responseevaluation FOR EACH ROW EXECUTE FUNCTION public.moot_response_equals_its_fact();

ALTER TABLE public.judging_responseevaluation ENABLE ALWAYS TRIGGER response_05_total;


--
-- Name: judging_responseevaluation response_10_immutable; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER response_10_immutable BEFORE UPDATE ON public.judging_responseevaluation FOR EACH ROW EXECUTE FUNCTION public.moot_only_blanks('response_evaluation_is_never_edited', 'grounds');

ALTER TABLE public.judging_responseevaluation ENABLE ALWAYS TRIGGER response_10_immutable;


--
-- Name: judging_responseevaluation response_20_kept; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER response_20_kept BEFORE DELETE ON public.judging_responseevaluation FOR EACH ROW EXECUTE FUNCTION public.moot_refuse('response_evaluation_is_never_edited');

ALTER TABLE public.judging_responseevaluation ENABLE ALWAYS TRIGGER response_20_kept;


--
-- Name: judging_responseevaluation response_30_truncate; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER response_30_truncate BEFORE TRUNCATE ON public.judging_responseevaluation FOR EACH STATEMENT EXECUTE FUNCTION public.moot_refuse('response_evaluation_is_never_edited');

ALTER TABLE public.judging_responseevaluation ENABLE ALWAYS TRIGGER response_30_truncate;


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
-- Name: judging_standing standing_05_total; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER standing_05_total BEFORE INSERT ON public.judging_standing FOR EACH ROW EXECUTE FUNCTION public.moot_standing_equals_its_fact();

ALTER TABLE public.judging_standing ENABLE ALWAYS TRIGGER standing_05_total;


--
-- Name: judging_standing standing_10_immutable; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER standing_10_immutable BEFORE DELETE OR UPDATE ON public.judging_standing FOR EACH ROW EXECUTE FUNCTION public.moot_refuse('standing_is_never_edited');

ALTER TABLE public.judging_standing ENABLE ALWAYS TRIGGER standing_10_immutable;


--
-- Name: judging_standing standing_30_truncate; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER standing_30_truncate BEFORE TRUNCATE ON public.judging_standing FOR EACH STATEMENT EXECUTE FUNCTION public.moot_refuse('standing_is_never_edited');

ALTER TABLE public.judging_standing ENABLE ALWAYS TRIGGER standing_30_truncate;


--
-- Name: judging_participantstate state_05_follows; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER state_05_follows BEFORE INSERT ON public.judging_participantstate FOR EACH ROW EXECUTE FUNCTION public.moot_state_follows();

ALTER TABLE public.judging_participantstate ENABLE ALWAYS TRIGGER state_05_follows;


--
-- Name: judging_participantstate state_10_immutable; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER state_10_immutable BEFORE DELETE OR UPDATE ON public.judging_participantstate FOR EACH ROW EXECUTE FUNCTION public.moot_refuse('state_is_never_edited');

ALTER TABLE public.judging_participantstate ENABLE ALWAYS TRIGGER state_10_immutable;


--
-- Name: judging_participantstate state_30_truncate; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER state_30_truncate BEFORE TRUNCATE ON public.judging_participantstate FOR EACH STATEMENT EXECUTE FUNCTION public.moot_refuse('state_is_never_edited');

ALTER TABLE public.judging_participantstate ENABLE ALWAYS TRIGGER state_30_truncate;


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

CREATE TRIGGER synthesis_10_immutable BEFORE UPDATE ON public.judging_synthesis FOR EACH ROW WHEN ((NOT public.moot_erasing())) EXECUTE FUNCTION public.moot_refuse('synthesis_is_never_edited');

ALTER TABLE public.judging_synthesis ENABLE ALWAYS TRIGGER synthesis_10_immutable;


--
-- Name: judging_synthesis synthesis_11_fixed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER synthesis_11_fixed BEFORE UPDATE ON public.judging_synthesis FOR EACH ROW EXECUTE FUNCTION public.moot_fixed('synthesis_is_never_edited', 'debate_id', 'number', 'turn_id', 'at');

ALTER TABLE public.judging_synthesis ENABLE ALWAYS TRIGGER synthesis_11_fixed;


--
-- Name: judging_synthesis synthesis_20_kept; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER synthesis_20_kept BEFORE DELETE ON public.judging_synthesis FOR EACH ROW EXECUTE FUNCTION public.moot_refuse('synthesis_is_never_edited');

ALTER TABLE public.judging_synthesis ENABLE ALWAYS TRIGGER synthesis_20_kept;


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
-- Name: debates_webhook webhook_10_fixed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER webhook_10_fixed BEFORE UPDATE ON public.debates_webhook FOR EACH ROW EXECUTE FUNCTION public.moot_fixed('webhook_keeps_its_owner', 'public_id', 'owner_id', 'debate_id', 'created_at');

ALTER TABLE public.debates_webhook ENABLE ALWAYS TRIGGER webhook_10_fixed;


--
-- Name: debates_webhook webhook_20_kept; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER webhook_20_kept BEFORE DELETE ON public.debates_webhook FOR EACH ROW EXECUTE FUNCTION public.moot_refuse('webhook_is_kept');

ALTER TABLE public.debates_webhook ENABLE ALWAYS TRIGGER webhook_20_kept;


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
-- Name: debates_apikey debates_apikey_owner_id_7565905a_fk_auth_user_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_apikey
    ADD CONSTRAINT debates_apikey_owner_id_7565905a_fk_auth_user_id FOREIGN KEY (owner_id) REFERENCES public.auth_user(id) DEFERRABLE INITIALLY DEFERRED;


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
-- Name: debates_delivery debates_delivery_event_id_8af09625_fk_debates_event_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_delivery
    ADD CONSTRAINT debates_delivery_event_id_8af09625_fk_debates_event_id FOREIGN KEY (event_id) REFERENCES public.debates_event(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: debates_delivery debates_delivery_webhook_id_55e912b0_fk_debates_webhook_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_delivery
    ADD CONSTRAINT debates_delivery_webhook_id_55e912b0_fk_debates_webhook_id FOREIGN KEY (webhook_id) REFERENCES public.debates_webhook(id) DEFERRABLE INITIALLY DEFERRED;


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
-- Name: debates_idempotencykey debates_idempotencykey_api_key_id_5e4f6e23_fk_debates_apikey_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_idempotencykey
    ADD CONSTRAINT debates_idempotencykey_api_key_id_5e4f6e23_fk_debates_apikey_id FOREIGN KEY (api_key_id) REFERENCES public.debates_apikey(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: debates_idempotencykey debates_idempotencykey_owner_id_7f49697e_fk_auth_user_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_idempotencykey
    ADD CONSTRAINT debates_idempotencykey_owner_id_7f49697e_fk_auth_user_id FOREIGN KEY (owner_id) REFERENCES public.auth_user(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: debates_participant debates_participant_debate_id_489a6d77_fk_debates_debate_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_participant
    ADD CONSTRAINT debates_participant_debate_id_489a6d77_fk_debates_debate_id FOREIGN KEY (debate_id) REFERENCES public.debates_debate(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: debates_participant debates_participant_user_id_a3c2303e_fk_auth_user_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_participant
    ADD CONSTRAINT debates_participant_user_id_a3c2303e_fk_auth_user_id FOREIGN KEY (user_id) REFERENCES public.auth_user(id) DEFERRABLE INITIALLY DEFERRED;


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
-- Name: debates_webhook debates_webhook_debate_id_feba8ccc_fk_debates_debate_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_webhook
    ADD CONSTRAINT debates_webhook_debate_id_feba8ccc_fk_debates_debate_id FOREIGN KEY (debate_id) REFERENCES public.debates_debate(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: debates_webhook debates_webhook_owner_id_4e70b8cc_fk_auth_user_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.debates_webhook
    ADD CONSTRAINT debates_webhook_owner_id_4e70b8cc_fk_auth_user_id FOREIGN KEY (owner_id) REFERENCES public.auth_user(id) DEFERRABLE INITIALLY DEFERRED;


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
-- Name: judging_cachedjudgement judging_cachedjudgement_debate_id_96b089b1_fk_debates_debate_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_cachedjudgement
    ADD CONSTRAINT judging_cachedjudgement_debate_id_96b089b1_fk_debates_debate_id FOREIGN KEY (debate_id) REFERENCES public.debates_debate(id) DEFERRABLE INITIALLY DEFERRED;


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
-- Name: judging_consensus judging_consensus_debate_id_ac0f9b63_fk_debates_debate_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_consensus
    ADD CONSTRAINT judging_consensus_debate_id_ac0f9b63_fk_debates_debate_id FOREIGN KEY (debate_id) REFERENCES public.debates_debate(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_consensus judging_consensus_round_id_276ae0ef_fk_debates_round_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_consensus
    ADD CONSTRAINT judging_consensus_round_id_276ae0ef_fk_debates_round_id FOREIGN KEY (round_id) REFERENCES public.debates_round(id) DEFERRABLE INITIALLY DEFERRED;


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
-- Name: judging_effect judging_effect_call_id_f64d1ed5_fk_judging_call_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_effect
    ADD CONSTRAINT judging_effect_call_id_f64d1ed5_fk_judging_call_id FOREIGN KEY (call_id) REFERENCES public.judging_call(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_effect judging_effect_listener_id_7f35d00e_fk_debates_participant_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_effect
    ADD CONSTRAINT judging_effect_listener_id_7f35d00e_fk_debates_participant_id FOREIGN KEY (listener_id) REFERENCES public.debates_participant(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_effect judging_effect_speaker_id_57245c4d_fk_debates_participant_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_effect
    ADD CONSTRAINT judging_effect_speaker_id_57245c4d_fk_debates_participant_id FOREIGN KEY (speaker_id) REFERENCES public.debates_participant(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_effect judging_effect_turn_id_455d1b2c_fk_debates_turn_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_effect
    ADD CONSTRAINT judging_effect_turn_id_455d1b2c_fk_debates_turn_id FOREIGN KEY (turn_id) REFERENCES public.debates_turn(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_judgereport judging_judgereport_call_id_9436fa66_fk_judging_call_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_judgereport
    ADD CONSTRAINT judging_judgereport_call_id_9436fa66_fk_judging_call_id FOREIGN KEY (call_id) REFERENCES public.judging_call(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_judgereport judging_judgereport_debate_id_257cb27d_fk_debates_debate_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_judgereport
    ADD CONSTRAINT judging_judgereport_debate_id_257cb27d_fk_debates_debate_id FOREIGN KEY (debate_id) REFERENCES public.debates_debate(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_judgereport judging_judgereport_participant_id_adaff5d4_fk_debates_p; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_judgereport
    ADD CONSTRAINT judging_judgereport_participant_id_adaff5d4_fk_debates_p FOREIGN KEY (participant_id) REFERENCES public.debates_participant(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_judgereport judging_judgereport_round_id_6a4b3680_fk_debates_round_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_judgereport
    ADD CONSTRAINT judging_judgereport_round_id_6a4b3680_fk_debates_round_id FOREIGN KEY (round_id) REFERENCES public.debates_round(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_judgereport judging_judgereport_turn_id_cdb7aff1_fk_debates_turn_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_judgereport
    ADD CONSTRAINT judging_judgereport_turn_id_cdb7aff1_fk_debates_turn_id FOREIGN KEY (turn_id) REFERENCES public.debates_turn(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_judgescore judging_judgescore_fact_id_8cdfb39e_fk_scoring_fact_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_judgescore
    ADD CONSTRAINT judging_judgescore_fact_id_8cdfb39e_fk_scoring_fact_id FOREIGN KEY (fact_id) REFERENCES public.scoring_fact(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_judgescore judging_judgescore_report_id_487ebb6f_fk_judging_judgereport_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_judgescore
    ADD CONSTRAINT judging_judgescore_report_id_487ebb6f_fk_judging_judgereport_id FOREIGN KEY (report_id) REFERENCES public.judging_judgereport(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_participantstate judging_participants_effect_id_887ab2cc_fk_judging_e; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_participantstate
    ADD CONSTRAINT judging_participants_effect_id_887ab2cc_fk_judging_e FOREIGN KEY (effect_id) REFERENCES public.judging_effect(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_participantstate judging_participants_participant_id_5212c2dd_fk_debates_p; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_participantstate
    ADD CONSTRAINT judging_participants_participant_id_5212c2dd_fk_debates_p FOREIGN KEY (participant_id) REFERENCES public.debates_participant(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_responseevaluation judging_responseeval_round_id_5decac50_fk_debates_r; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_responseevaluation
    ADD CONSTRAINT judging_responseeval_round_id_5decac50_fk_debates_r FOREIGN KEY (round_id) REFERENCES public.debates_round(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_responseevaluation judging_responseevaluation_call_id_6f9b3475_fk_judging_call_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_responseevaluation
    ADD CONSTRAINT judging_responseevaluation_call_id_6f9b3475_fk_judging_call_id FOREIGN KEY (call_id) REFERENCES public.judging_call(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_responseevaluation judging_responseevaluation_fact_id_d3e730f4_fk_scoring_fact_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_responseevaluation
    ADD CONSTRAINT judging_responseevaluation_fact_id_d3e730f4_fk_scoring_fact_id FOREIGN KEY (fact_id) REFERENCES public.scoring_fact(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_responseevaluation judging_responseevaluation_turn_id_53e8cbca_fk_debates_turn_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_responseevaluation
    ADD CONSTRAINT judging_responseevaluation_turn_id_53e8cbca_fk_debates_turn_id FOREIGN KEY (turn_id) REFERENCES public.debates_turn(id) DEFERRABLE INITIALLY DEFERRED;


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
-- Name: judging_standing judging_standing_fact_id_32d40ff2_fk_scoring_fact_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_standing
    ADD CONSTRAINT judging_standing_fact_id_32d40ff2_fk_scoring_fact_id FOREIGN KEY (fact_id) REFERENCES public.scoring_fact(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_standing judging_standing_participant_id_fd9f1e0b_fk_debates_p; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_standing
    ADD CONSTRAINT judging_standing_participant_id_fd9f1e0b_fk_debates_p FOREIGN KEY (participant_id) REFERENCES public.debates_participant(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: judging_standing judging_standing_round_id_89774780_fk_debates_round_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.judging_standing
    ADD CONSTRAINT judging_standing_round_id_89774780_fk_debates_round_id FOREIGN KEY (round_id) REFERENCES public.debates_round(id) DEFERRABLE INITIALLY DEFERRED;


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
-- Name: scoring_erasure scoring_erasure_because_id_904b0cf7_fk_scoring_reason_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_erasure
    ADD CONSTRAINT scoring_erasure_because_id_904b0cf7_fk_scoring_reason_id FOREIGN KEY (because_id) REFERENCES public.scoring_reason(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: scoring_erasure scoring_erasure_by_id_bd69b294_fk_scoring_actor_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_erasure
    ADD CONSTRAINT scoring_erasure_by_id_bd69b294_fk_scoring_actor_id FOREIGN KEY (by_id) REFERENCES public.scoring_actor(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: scoring_erasure scoring_erasure_debate_id_0cea127a_fk_debates_debate_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_erasure
    ADD CONSTRAINT scoring_erasure_debate_id_0cea127a_fk_debates_debate_id FOREIGN KEY (debate_id) REFERENCES public.debates_debate(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: scoring_erasure scoring_erasure_participant_id_d7bf5c07_fk_debates_p; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_erasure
    ADD CONSTRAINT scoring_erasure_participant_id_d7bf5c07_fk_debates_p FOREIGN KEY (participant_id) REFERENCES public.debates_participant(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: scoring_erasure scoring_erasure_user_id_eaf3f087_fk_auth_user_id; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.scoring_erasure
    ADD CONSTRAINT scoring_erasure_user_id_eaf3f087_fk_auth_user_id FOREIGN KEY (user_id) REFERENCES public.auth_user(id) DEFERRABLE INITIALLY DEFERRED;


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


