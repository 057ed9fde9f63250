-- Guards of the event tables, by table. The file can be run again: it makes every guard what it says here, and removes none.
-- Every function fixes its search_path with pg_temp last, so that no temporary table can stand in for a real one.

-- moot_refuse('name'): the row (or table) may not be changed in the way the trigger fires for.
CREATE OR REPLACE FUNCTION moot_refuse() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE restrict_violation USING
    MESSAGE = format('%s of %s is refused: %s', lower(TG_OP), TG_TABLE_NAME, replace(TG_ARGV[0], '_', ' ')),
    CONSTRAINT = TG_ARGV[0];
END $$;

-- Documents are compared as they are written, for 2 and 2.0 are equal as jsonb, and other bytes in a hash.

-- moot_only_blanks('name', column, ...): an UPDATE may empty these texts, where an erasure takes the words of the row (see
-- scoring/sql/guards.sql), and change nothing else.
CREATE OR REPLACE FUNCTION moot_only_blanks() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
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
  IF (fresh - erasable)::text <> (old_row - erasable)::text THEN
    RAISE restrict_violation USING
      MESSAGE = format('%s is never edited: %s', TG_TABLE_NAME, replace(TG_ARGV[0], '_', ' ')), CONSTRAINT = TG_ARGV[0];
  END IF;
  IF fresh::text <> old_row::text AND NOT moot_erases_row(TG_TABLE_NAME, old_row) THEN
    RAISE restrict_violation USING
      MESSAGE = format('a row of %s loses its words by an erasure of them alone', TG_TABLE_NAME), CONSTRAINT = TG_ARGV[0];
  END IF;
  RETURN NEW;
END $$;

-- moot_fixed('name', column, ...): these columns keep their value for ever, and so does the key: what names a row by it
-- would be another's.
CREATE OR REPLACE FUNCTION moot_fixed() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  fixed text[] := array_prepend('id', TG_ARGV[1:]);
  fresh jsonb := to_jsonb(NEW);
  old_row jsonb := to_jsonb(OLD);
  col text;
BEGIN
  FOREACH col IN ARRAY fixed LOOP
    IF (fresh -> col)::text IS DISTINCT FROM (old_row -> col)::text THEN
      RAISE restrict_violation USING
        MESSAGE = format('%s.%s is fixed: %s', TG_TABLE_NAME, col, replace(TG_ARGV[0], '_', ' ')), CONSTRAINT = TG_ARGV[0];
    END IF;
  END LOOP;
  RETURN NEW;
END $$;

-- Guards decide by rows that others write meanwhile: to a snapshot of when the transaction began, what was committed since
-- would not be there. Whoever only reads may have one.
CREATE OR REPLACE FUNCTION moot_sees_what_is_committed() RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF current_setting('transaction_isolation') IN ('repeatable read', 'serializable') THEN
    RAISE check_violation USING
      MESSAGE = format('under %s the guards do not see what others commit', current_setting('transaction_isolation')),
      HINT = 'Write under READ COMMITTED.', CONSTRAINT = 'guards_see_what_is_committed';
  END IF;
END $$;

-- Whether somebody's account is open, and stays so until this transaction ends: an erasure of them waits for it, and it for one
-- that is under way (judging/engine/erasure.py). No row is locked, for others write to them meanwhile.
CREATE OR REPLACE FUNCTION moot_account_is_open(person bigint) RETURNS boolean LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtext('moot.account'), person::int);
  RETURN EXISTS (SELECT FROM auth_user u WHERE u.id = person AND u.is_active);
END $$;

-- A foreign key is asked about when the transaction ends, and under session_replication_role = replica never. A row that is
-- not there objects to nothing: what a guard decides by is written first.
CREATE OR REPLACE FUNCTION moot_is_missing(called text, key bigint) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE foreign_key_violation USING MESSAGE = format('%s %s is not there', called, key),
    CONSTRAINT = 'row_is_written_after_what_it_names';
END $$;

-- moot_debate_lasts('name'): a debate that is over has all the rows of this table that it will have.
CREATE OR REPLACE FUNCTION moot_debate_lasts() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM debates_debate d WHERE d.id = NEW.debate_id AND d.status IN ('concluded', 'failed', 'cancelled')) THEN
    RAISE check_violation USING MESSAGE = format('debate %s is over', NEW.debate_id), CONSTRAINT = TG_ARGV[0];
  END IF;
  RETURN NEW;
END $$;

-- moot_round_is_of_debate('name'): the round that a row names is of the debate that it names.
CREATE OR REPLACE FUNCTION moot_round_is_of_debate() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM debates_round played JOIN debates_thread thread ON thread.id = played.thread_id
    WHERE played.id = NEW.round_id AND thread.debate_id = NEW.debate_id
  ) THEN
    RAISE check_violation USING MESSAGE = format('round %s is not of debate %s', NEW.round_id, NEW.debate_id),
      CONSTRAINT = TG_ARGV[0];
  END IF;
  RETURN NEW;
END $$;

-- debate
-- What a debate was made with never changes: a draft is withdrawn for a new one, and its row is sealed from the first
-- moment. Motion and parameters hold words that an erasure takes: they are guarded where erasures are, in
-- scoring/sql/guards.sql.
-- Who created a debate organises it for good, so that nobody leaves what follows from it; one that the operator of the
-- machine made may be given to somebody once.
CREATE OR REPLACE TRIGGER debate_09_creator BEFORE UPDATE ON debates_debate FOR EACH ROW
  WHEN (OLD.created_by_id IS NOT NULL)
  EXECUTE FUNCTION moot_fixed('debate_keeps_who_created_it', 'created_by_id');
CREATE OR REPLACE TRIGGER debate_10_parameters BEFORE UPDATE ON debates_debate FOR EACH ROW
  EXECUTE FUNCTION moot_fixed('debate_parameters_are_fixed',
    'format', 'rounds', 'subject_id', 'conducted_by', 'public_id', 'repeat_of_id', 'limit_money', 'limit_tokens',
    'limit_calls');
CREATE OR REPLACE TRIGGER debate_11_started BEFORE UPDATE ON debates_debate FOR EACH ROW
  WHEN (OLD.status <> 'draft' AND NEW.status = 'draft')
  EXECUTE FUNCTION moot_refuse('debate_never_becomes_a_draft_again');
-- Until when a result is appealed against counts from when it came: that stays until there is no result any more.
CREATE OR REPLACE TRIGGER debate_13_concluded BEFORE UPDATE ON debates_debate FOR EACH ROW
  WHEN (NEW.concluded_at IS DISTINCT FROM OLD.concluded_at AND CASE WHEN NEW.concluded_at IS NULL
    THEN NEW.status = 'concluded' ELSE NEW.status <> 'concluded' OR OLD.concluded_at IS NOT NULL
      OR NEW.concluded_at > transaction_timestamp() + interval '1 day' END)
  EXECUTE FUNCTION moot_refuse('debate_keeps_when_it_was_concluded');
-- No entry is dated before its debate: one of the future would date all of them.
CREATE OR REPLACE TRIGGER debate_14_created BEFORE UPDATE ON debates_debate FOR EACH ROW
  EXECUTE FUNCTION moot_fixed('debate_keeps_when_it_was_created', 'created_at');
CREATE OR REPLACE TRIGGER debate_16_created BEFORE INSERT ON debates_debate FOR EACH ROW
  WHEN (NEW.created_at > clock_timestamp() + interval '1 hour')
  EXECUTE FUNCTION moot_refuse('debate_keeps_when_it_was_created');
CREATE OR REPLACE TRIGGER debate_20_kept BEFORE DELETE ON debates_debate FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('debate_with_history_is_kept');
CREATE OR REPLACE TRIGGER debate_30_truncate BEFORE TRUNCATE ON debates_debate FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('debate_with_history_is_kept');

-- subject
CREATE OR REPLACE TRIGGER subject_05_filled BEFORE INSERT ON debates_subject FOR EACH ROW
  WHEN (NEW.title !~ '\S' OR NEW.text !~ '\S')
  EXECUTE FUNCTION moot_refuse('subject_has_title_and_text');
CREATE OR REPLACE TRIGGER subject_10_fixed BEFORE UPDATE ON debates_subject FOR EACH ROW
  EXECUTE FUNCTION moot_only_blanks('subject_is_never_edited', 'title', 'text');
CREATE OR REPLACE TRIGGER subject_20_kept BEFORE DELETE ON debates_subject FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('subject_is_never_edited');
CREATE OR REPLACE TRIGGER subject_30_truncate BEFORE TRUNCATE ON debates_subject FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('subject_is_never_edited');

-- participant
-- Whoever sits, sits. A name goes by an erasure alone, which is guarded in scoring/sql/guards.sql.
CREATE OR REPLACE TRIGGER participant_05_fixed BEFORE UPDATE ON debates_participant FOR EACH ROW
  EXECUTE FUNCTION moot_fixed('participant_keeps_its_identity', 'public_id', 'debate_id', 'role', 'kind', 'position',
    'provider', 'model');
CREATE OR REPLACE TRIGGER participant_10_seat BEFORE UPDATE ON debates_participant FOR EACH ROW
  WHEN (OLD.user_id IS NOT NULL AND NEW.user_id IS DISTINCT FROM OLD.user_id)
  EXECUTE FUNCTION moot_refuse('seat_is_taken_once');
CREATE OR REPLACE TRIGGER participant_20_kept BEFORE DELETE ON debates_participant FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('participant_keeps_its_identity');

-- thread
-- It waits only while there is a turn that is awaited in it and that nobody has taken or forfeited, nor given a ballot for; and
-- is complete only when there is none. One that is stopped, fails or is cancelled leaves turns that nobody took.
CREATE OR REPLACE FUNCTION moot_is_awaited(round_sought bigint) RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT EXISTS (
    SELECT FROM debates_awaitedturn awaited WHERE awaited.round_id = round_sought AND NOT EXISTS (
      SELECT FROM debates_turn turn
      WHERE turn.round_id = awaited.round_id AND turn.participant_id = awaited.participant_id
        AND turn.kind = awaited.kind AND (awaited.about_id IS NULL OR turn.answers_id = awaited.about_id)
    ) AND NOT EXISTS (
      SELECT FROM debates_ballot ballot
      WHERE ballot.round_id = awaited.round_id AND ballot.participant_id = awaited.participant_id
        AND (awaited.about_id IS NULL OR ballot.about_id = awaited.about_id)))
$$;

CREATE OR REPLACE FUNCTION moot_thread_awaits() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  waits boolean := EXISTS (SELECT FROM debates_round played
    WHERE played.thread_id = NEW.id AND played.run_number = NEW.run_number AND moot_is_awaited(played.id));
BEGIN
  IF waits AND NEW.status = 'complete' THEN
    RAISE check_violation USING
      MESSAGE = format('in thread %s a turn is awaited', NEW.id), CONSTRAINT = 'thread_is_complete_once_nothing_is_awaited';
  END IF;
  IF NOT waits AND NEW.status = 'awaiting_turn' THEN
    RAISE check_violation USING
      MESSAGE = format('in thread %s no turn is awaited', NEW.id), CONSTRAINT = 'thread_awaits_a_turn';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER thread_10_fixed BEFORE UPDATE ON debates_thread FOR EACH ROW
  EXECUTE FUNCTION moot_fixed('thread_keeps_its_identity', 'debate_id', 'key', 'position', 'public_id');
CREATE OR REPLACE TRIGGER thread_11_fence BEFORE UPDATE ON debates_thread FOR EACH ROW
  WHEN (NEW.fence < OLD.fence OR NEW.run_number < OLD.run_number)
  EXECUTE FUNCTION moot_refuse('thread_fence_and_run_only_grow');
CREATE OR REPLACE TRIGGER thread_12_awaits BEFORE INSERT OR UPDATE ON debates_thread FOR EACH ROW
  WHEN (NEW.status IN ('awaiting_turn', 'complete'))
  EXECUTE FUNCTION moot_thread_awaits();
-- A claim, a stop, an end and a run each take the next number; one that leaps would soon leave none to take.
CREATE OR REPLACE TRIGGER thread_13_step BEFORE UPDATE ON debates_thread FOR EACH ROW
  WHEN (NEW.fence > OLD.fence + 8)
  EXECUTE FUNCTION moot_refuse('thread_fence_grows_by_steps');
CREATE OR REPLACE TRIGGER thread_14_run BEFORE UPDATE ON debates_thread FOR EACH ROW
  WHEN (NEW.run_number > OLD.run_number + 1)
  EXECUTE FUNCTION moot_refuse('thread_run_grows_by_one');
CREATE OR REPLACE TRIGGER thread_20_kept BEFORE DELETE ON debates_thread FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('thread_is_kept');
CREATE OR REPLACE TRIGGER thread_30_truncate BEFORE TRUNCATE ON debates_thread FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('thread_is_kept');

-- round
-- A debate that is over has all the rounds it will have: its result would take in another.
CREATE OR REPLACE FUNCTION moot_round_opens() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (
    SELECT FROM debates_thread thread JOIN debates_debate debate ON debate.id = thread.debate_id
    WHERE thread.id = NEW.thread_id AND debate.status IN ('concluded', 'failed', 'cancelled')
  ) THEN
    RAISE check_violation USING
      MESSAGE = format('the debate of thread %s is over', NEW.thread_id),
      CONSTRAINT = 'round_is_opened_while_its_debate_lasts';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER round_05_opens BEFORE INSERT ON debates_round FOR EACH ROW EXECUTE FUNCTION moot_round_opens();
CREATE OR REPLACE TRIGGER round_10_fixed BEFORE UPDATE ON debates_round FOR EACH ROW
  EXECUTE FUNCTION moot_fixed('round_keeps_its_identity', 'thread_id', 'run_number', 'number', 'opened_at', 'public_id');
CREATE OR REPLACE TRIGGER round_11_closed BEFORE UPDATE ON debates_round FOR EACH ROW
  WHEN (OLD.closed_at IS NOT NULL)
  EXECUTE FUNCTION moot_refuse('round_closes_once');
-- It closes once nobody is awaited in it any more: all have spoken, given a ballot, or forfeited.
CREATE OR REPLACE FUNCTION moot_round_closes() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF moot_is_awaited(NEW.id) THEN
    RAISE check_violation USING
      MESSAGE = format('in round %s a turn is awaited', NEW.id), CONSTRAINT = 'round_closes_once_nothing_is_awaited';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER round_12_closes BEFORE UPDATE ON debates_round FOR EACH ROW
  WHEN (OLD.closed_at IS NULL AND NEW.closed_at IS NOT NULL)
  EXECUTE FUNCTION moot_round_closes();
CREATE OR REPLACE TRIGGER round_20_kept BEFORE DELETE ON debates_round FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('round_is_kept');
CREATE OR REPLACE TRIGGER round_30_truncate BEFORE TRUNCATE ON debates_round FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('round_is_kept');

-- turn
-- Who speaks, and where, are of one debate; and in a round one speaks until it closes.
CREATE OR REPLACE FUNCTION moot_turn_fits() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  played debates_round;
BEGIN
  IF NEW.round_id IS NOT NULL THEN
    SELECT * INTO played FROM debates_round WHERE id = NEW.round_id FOR SHARE;
    IF NOT FOUND THEN
      PERFORM moot_is_missing('round', NEW.round_id);
    END IF;
  END IF;
  IF NEW.thread_id <> played.thread_id
     OR NOT EXISTS (SELECT FROM debates_participant seat WHERE seat.id = NEW.participant_id AND seat.debate_id = NEW.debate_id)
     OR coalesce(NEW.thread_id, played.thread_id) IS NOT NULL AND NOT EXISTS (
       SELECT FROM debates_thread thread
       WHERE thread.id = coalesce(NEW.thread_id, played.thread_id) AND thread.debate_id = NEW.debate_id) THEN
    RAISE check_violation USING
      MESSAGE = format('participant %s, thread %s and round %s are not all of debate %s', NEW.participant_id, NEW.thread_id,
        NEW.round_id, NEW.debate_id), CONSTRAINT = 'turn_is_of_its_debate';
  END IF;
  IF played.closed_at IS NOT NULL THEN
    RAISE check_violation USING
      MESSAGE = format('round %s is closed', NEW.round_id), CONSTRAINT = 'turn_is_taken_before_its_round_closes';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER turn_05_fits BEFORE INSERT ON debates_turn FOR EACH ROW EXECUTE FUNCTION moot_turn_fits();
CREATE OR REPLACE TRIGGER turn_10_immutable BEFORE UPDATE ON debates_turn FOR EACH ROW
  EXECUTE FUNCTION moot_only_blanks('turn_is_immutable', 'text');
CREATE OR REPLACE TRIGGER turn_20_kept BEFORE DELETE ON debates_turn FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('turn_is_immutable');
CREATE OR REPLACE TRIGGER turn_30_truncate BEFORE TRUNCATE ON debates_turn FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('turn_is_immutable');

-- awaitedturn
-- Nobody waits for an engine, nor for somebody of another debate, nor in a round that has closed, nor in a thread that has
-- ended or is played again: it could not go on, nor end, over what nobody takes. Its time is given anew by the next number,
-- so that one is left.
CREATE OR REPLACE FUNCTION moot_awaited_seat() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  place record;
BEGIN
  SELECT thread.debate_id, thread.status, played.run_number = thread.run_number AS is_newest, played.closed_at INTO place
    FROM debates_round played JOIN debates_thread thread ON thread.id = played.thread_id
    WHERE played.id = NEW.round_id FOR SHARE OF thread, played;
  IF NOT EXISTS (
    SELECT FROM debates_participant seat
    WHERE seat.id = NEW.participant_id AND seat.kind <> 'engine' AND seat.debate_id = place.debate_id
  ) THEN
    RAISE check_violation USING
      MESSAGE = format('participant %s is no seat of this debate', NEW.participant_id),
      CONSTRAINT = 'awaited_turn_is_of_a_seat';
  END IF;
  IF NEW.about_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM debates_turn turn WHERE turn.id = NEW.about_id AND turn.round_id = NEW.round_id
      AND turn.participant_id <> NEW.participant_id
  ) THEN
    RAISE check_violation USING
      MESSAGE = format('turn %s is nothing that another has said in round %s', NEW.about_id, NEW.round_id),
      CONSTRAINT = 'what_is_judged_was_said_in_its_round';
  END IF;
  IF NOT place.is_newest OR place.status IN ('complete', 'partial', 'failed', 'cancelled') THEN
    RAISE check_violation USING
      MESSAGE = format('the thread of round %s has ended, or is played again', NEW.round_id),
      CONSTRAINT = 'turn_is_awaited_while_its_thread_is_played';
  END IF;
  IF place.closed_at IS NOT NULL THEN
    RAISE check_violation USING
      MESSAGE = format('round %s is closed', NEW.round_id), CONSTRAINT = 'turn_is_awaited_while_its_round_is_open';
  END IF;
  IF NEW.number < 1 OR NEW.number > 1 AND NOT EXISTS (
    SELECT FROM debates_awaitedturn before WHERE before.round_id = NEW.round_id
      AND before.participant_id = NEW.participant_id AND before.about_id IS NOT DISTINCT FROM NEW.about_id
      AND before.number = NEW.number - 1
  ) THEN
    RAISE check_violation USING
      MESSAGE = 'times for one turn follow each other without a gap', CONSTRAINT = 'awaited_turn_follows_the_one_before';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER awaitedturn_05_seat BEFORE INSERT ON debates_awaitedturn FOR EACH ROW
  EXECUTE FUNCTION moot_awaited_seat();
CREATE OR REPLACE TRIGGER awaitedturn_10_kept BEFORE UPDATE OR DELETE ON debates_awaitedturn FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('awaited_turn_is_never_edited');
CREATE OR REPLACE TRIGGER awaitedturn_30_truncate BEFORE TRUNCATE ON debates_awaitedturn FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('awaited_turn_is_never_edited');

-- ballot
-- It is of a seat in which a judge sits that is no engine, answers what was awaited, and is given while its round is open
-- in a run that is not played again: what others said cannot be known before.
CREATE OR REPLACE FUNCTION moot_ballot_fits() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM debates_participant seat
    JOIN debates_round played ON played.id = NEW.round_id
    JOIN debates_thread thread ON thread.id = played.thread_id
    WHERE seat.id = NEW.participant_id AND seat.kind <> 'engine' AND seat.role = 'judge'
      AND seat.debate_id = thread.debate_id
  ) THEN
    RAISE check_violation USING
      MESSAGE = format('participant %s is no judge of this debate who gives ballots', NEW.participant_id),
      CONSTRAINT = 'ballot_is_of_a_seat';
  END IF;
  IF NEW.about_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM debates_awaitedturn awaited WHERE awaited.round_id = NEW.round_id
      AND awaited.participant_id = NEW.participant_id AND awaited.about_id = NEW.about_id
  ) THEN
    RAISE check_violation USING
      MESSAGE = format('of participant %s no judgement of turn %s was awaited', NEW.participant_id, NEW.about_id),
      CONSTRAINT = 'ballot_is_about_what_is_to_be_judged';
  END IF;
  PERFORM FROM debates_round played JOIN debates_thread thread ON thread.id = played.thread_id
    WHERE played.id = NEW.round_id AND played.closed_at IS NULL AND played.run_number = thread.run_number
    FOR SHARE OF played;
  IF NOT FOUND THEN
    RAISE check_violation USING
      MESSAGE = format('round %s is closed, or was broken off and is played again', NEW.round_id),
      CONSTRAINT = 'ballot_is_given_before_its_round_closes';
  END IF;
  IF NEW.number < 1 OR NEW.number > 1 AND NOT EXISTS (
    SELECT FROM debates_ballot given WHERE given.round_id = NEW.round_id AND given.participant_id = NEW.participant_id
      AND given.number = NEW.number - 1
  ) THEN
    RAISE check_violation USING
      MESSAGE = 'versions of a ballot follow each other without a gap', CONSTRAINT = 'ballot_follows_the_one_before';
  END IF;
  IF NEW.number > 1 AND NOT EXISTS (
    SELECT FROM debates_participant seat JOIN debates_debate debate ON debate.id = seat.debate_id
    WHERE seat.id = NEW.participant_id AND debate.parameters #> '{panel,policy,amend}' = 'true'
  ) THEN
    RAISE check_violation USING
      MESSAGE = format('the policy lets participant %s amend no ballot', NEW.participant_id),
      CONSTRAINT = 'ballot_is_amended_where_the_policy_lets';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER ballot_05_fits BEFORE INSERT ON debates_ballot FOR EACH ROW EXECUTE FUNCTION moot_ballot_fits();
CREATE OR REPLACE TRIGGER ballot_10_immutable BEFORE UPDATE ON debates_ballot FOR EACH ROW
  EXECUTE FUNCTION moot_only_blanks('ballot_is_append_only', 'answer');
CREATE OR REPLACE TRIGGER ballot_20_kept BEFORE DELETE ON debates_ballot FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('ballot_is_append_only');
CREATE OR REPLACE TRIGGER ballot_30_truncate BEFORE TRUNCATE ON debates_ballot FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('ballot_is_append_only');

-- event
-- An event needs the one before it, and none can be removed: the stream has no gap.
ALTER TABLE debates_event ADD COLUMN IF NOT EXISTS previous_seq bigint
  GENERATED ALWAYS AS (CASE WHEN seq > 1 THEN seq - 1 END) STORED;
ALTER TABLE debates_event DROP CONSTRAINT IF EXISTS event_follows_the_one_before;
ALTER TABLE debates_event ADD CONSTRAINT event_follows_the_one_before
  FOREIGN KEY (debate_id, previous_seq) REFERENCES debates_event (debate_id, seq);
-- What is streamed stands in frames that are put together, so that neither breaks them.
ALTER TABLE debates_event DROP CONSTRAINT IF EXISTS event_says_what_it_is;
ALTER TABLE debates_event ADD CONSTRAINT event_says_what_it_is
  CHECK (type ~ '^[a-z_-]+:[a-z_-]+$' AND jsonb_typeof(data) = 'object');
-- Before ids are drawn, a lock says behind which they will be: the feed of all debates waits for it (debates/selectors.py,
-- settled_event). All statements of a transaction take the same, or a change of many debates would fill the table of locks:
-- so it stands in a setting, which is taken back as the lock is.
CREATE OR REPLACE FUNCTION moot_event_ids_are_behind() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared((28015::bigint << 48) | set_config('moot.ids_behind', coalesce(
    nullif(current_setting('moot.ids_behind', true), ''),
    (SELECT s.last_value - 1 + s.is_called::int FROM debates_event_id_seq s)::text), true)::bigint);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER event_05_behind BEFORE INSERT ON debates_event FOR EACH STATEMENT
  EXECUTE FUNCTION moot_event_ids_are_behind();
CREATE OR REPLACE TRIGGER event_10_immutable BEFORE UPDATE OR DELETE ON debates_event FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('event_is_immutable');
CREATE OR REPLACE TRIGGER event_30_truncate BEFORE TRUNCATE ON debates_event FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('event_is_immutable');

-- eventhead
-- Every erasure counts itself here: one that finds no number left would be refused.
CREATE OR REPLACE TRIGGER eventhead_10_fixed BEFORE UPDATE ON debates_eventhead FOR EACH ROW
  WHEN (NEW.seq < OLD.seq OR NEW.debate_id <> OLD.debate_id OR NEW.erasures - OLD.erasures NOT IN (0, 1))
  EXECUTE FUNCTION moot_refuse('event_head_only_grows');
CREATE OR REPLACE TRIGGER eventhead_20_kept BEFORE DELETE ON debates_eventhead FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('event_head_only_grows');

-- The head is where the log ends, whoever raises it, and of when: ahead of its events nothing could be appended any more,
-- and neither could it to events ahead of their head; dated otherwise it would date all that comes.
CREATE OR REPLACE FUNCTION moot_head_is_last() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF (NEW.seq <> 0 OR NEW.at IS NOT NULL) AND NOT EXISTS (
    SELECT FROM debates_event e WHERE (e.debate_id, e.seq, e.at) = (NEW.debate_id, NEW.seq, NEW.at)
  ) THEN
    RAISE check_violation USING
      MESSAGE = format('the log of debate %s has no event %s of %s', NEW.debate_id, NEW.seq, NEW.at),
      CONSTRAINT = 'event_head_is_the_last_event';
  END IF;
  RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS eventhead_30_last ON debates_eventhead;
CREATE CONSTRAINT TRIGGER eventhead_30_last AFTER INSERT OR UPDATE ON debates_eventhead DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION moot_head_is_last();

CREATE OR REPLACE FUNCTION moot_event_is_reached() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM added a
      WHERE a.seq > coalesce((SELECT h.seq FROM debates_eventhead h WHERE h.debate_id = a.debate_id), 0)) THEN
    RAISE check_violation USING MESSAGE = 'an event is written together with the head of its log',
      CONSTRAINT = 'event_is_not_ahead_of_its_head';
  END IF;
  IF EXISTS (SELECT FROM added a WHERE a.at > transaction_timestamp() + interval '1 day' AND NOT EXISTS (
      SELECT FROM debates_event e WHERE e.debate_id = a.debate_id AND e.at >= a.at
        AND e.seq < (SELECT min(m.seq) FROM added m WHERE m.debate_id = a.debate_id))) THEN
    RAISE check_violation USING MESSAGE = 'an event of the future would date all that comes',
      CONSTRAINT = 'event_is_not_of_the_future';
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER event_20_reached AFTER INSERT ON debates_event REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION moot_event_is_reached();

-- epoch
INSERT INTO debates_epoch (id, value) VALUES (1, gen_random_uuid()) ON CONFLICT DO NOTHING;

-- apikey
CREATE OR REPLACE TRIGGER apikey_10_fixed BEFORE UPDATE ON debates_apikey FOR EACH ROW
  EXECUTE FUNCTION moot_fixed('api_key_keeps_its_secret_and_scopes', 'public_id', 'owner_id', 'prefix', 'digest',
    'scopes', 'created_at', 'expires_at');
CREATE OR REPLACE TRIGGER apikey_11_revoked BEFORE UPDATE ON debates_apikey FOR EACH ROW
  WHEN (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at)
  EXECUTE FUNCTION moot_refuse('api_key_revoked_stays_so');
CREATE OR REPLACE TRIGGER apikey_20_kept BEFORE DELETE ON debates_apikey FOR EACH ROW EXECUTE FUNCTION moot_refuse('api_key_is_kept');
CREATE OR REPLACE TRIGGER apikey_30_truncate BEFORE TRUNCATE ON debates_apikey FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('api_key_is_kept');

-- invitation
-- What it is to is fixed, but for a group of the site that is gone, and an address that an erasure takes. Whose address it
-- is now stays on record: who changes theirs later was invited all the same.
CREATE OR REPLACE FUNCTION moot_invitation_seat() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM debates_participant p
      WHERE p.id = NEW.seat_id AND p.debate_id = NEW.debate_id AND p.kind <> 'engine') THEN
    RAISE check_violation USING
      MESSAGE = format('participant %s is no seat of debate %s', NEW.seat_id, NEW.debate_id),
      CONSTRAINT = 'invitation_is_to_a_seat_of_its_debate';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER invitation_05_seat BEFORE INSERT ON debates_invitation FOR EACH ROW
  WHEN (NEW.seat_id IS NOT NULL)
  EXECUTE FUNCTION moot_invitation_seat();
CREATE OR REPLACE FUNCTION moot_invitation_addressee() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  NEW.addressee_id := (SELECT u.id FROM auth_user u WHERE NEW.email <> '' AND lower(u.email) = lower(NEW.email)
    ORDER BY u.is_active DESC, EXISTS (SELECT FROM account_emailaddress m
      WHERE m.user_id = u.id AND m.verified AND lower(m.email) = lower(NEW.email)) DESC, u.id LIMIT 1);
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER invitation_06_addressee BEFORE INSERT ON debates_invitation FOR EACH ROW
  EXECUTE FUNCTION moot_invitation_addressee();
CREATE OR REPLACE TRIGGER invitation_10_fixed BEFORE UPDATE ON debates_invitation FOR EACH ROW
  EXECUTE FUNCTION moot_fixed('invitation_keeps_what_it_is', 'public_id', 'debate_id', 'role', 'seat_id', 'digest', 'places',
    'addressee_id', 'created_by_id', 'created_at', 'expires_at');
CREATE OR REPLACE TRIGGER invitation_11_group BEFORE UPDATE ON debates_invitation FOR EACH ROW
  WHEN (NEW.group_id IS NOT NULL AND NEW.group_id IS DISTINCT FROM OLD.group_id)
  EXECUTE FUNCTION moot_refuse('invitation_keeps_what_it_is');
CREATE OR REPLACE TRIGGER invitation_12_email BEFORE UPDATE ON debates_invitation FOR EACH ROW
  WHEN (NEW.email <> OLD.email)
  EXECUTE FUNCTION moot_only_blanks('invitation_keeps_what_it_is', 'email');
CREATE OR REPLACE TRIGGER invitation_13_revoked BEFORE UPDATE ON debates_invitation FOR EACH ROW
  WHEN (OLD.revoked_at IS NOT NULL
    AND (NEW.revoked_at, NEW.revoked_by_id) IS DISTINCT FROM (OLD.revoked_at, OLD.revoked_by_id))
  EXECUTE FUNCTION moot_refuse('invitation_revoked_stays_so');
CREATE OR REPLACE TRIGGER invitation_30_kept BEFORE DELETE ON debates_invitation FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('invitation_is_kept');
CREATE OR REPLACE TRIGGER invitation_40_truncate BEFORE TRUNCATE ON debates_invitation FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('invitation_is_kept');

-- acceptance
-- The invitation is locked, so that of two who come for its last place one is refused. When they came says the database.
CREATE OR REPLACE FUNCTION moot_invitation_is_good() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  invitation debates_invitation;
BEGIN
  PERFORM moot_sees_what_is_committed();
  SELECT * INTO invitation FROM debates_invitation i WHERE i.id = NEW.invitation_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    PERFORM moot_is_missing('invitation', NEW.invitation_id);
  END IF;
  NEW.at := clock_timestamp();
  IF invitation.revoked_at IS NOT NULL OR NEW.at >= invitation.expires_at THEN
    RAISE check_violation USING MESSAGE = format('invitation %s is over', NEW.invitation_id),
      CONSTRAINT = 'invitation_is_accepted_while_it_is_good';
  END IF;
  IF (SELECT count(*) FROM debates_acceptance a WHERE a.invitation_id = NEW.invitation_id) >= invitation.places THEN
    RAISE check_violation USING MESSAGE = format('invitation %s has no place left', NEW.invitation_id),
      CONSTRAINT = 'invitation_has_a_place_for_each';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER acceptance_05_good BEFORE INSERT ON debates_acceptance FOR EACH ROW
  EXECUTE FUNCTION moot_invitation_is_good();
CREATE OR REPLACE TRIGGER acceptance_10_kept BEFORE UPDATE OR DELETE ON debates_acceptance FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('acceptance_is_kept');
CREATE OR REPLACE TRIGGER acceptance_20_truncate BEFORE TRUNCATE ON debates_acceptance FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('acceptance_is_kept');

-- membership
CREATE OR REPLACE TRIGGER membership_10_fixed BEFORE UPDATE ON debates_membership FOR EACH ROW
  EXECUTE FUNCTION moot_fixed('membership_keeps_what_it_is', 'public_id', 'debate_id', 'user_id', 'role', 'created_by_id',
    'created_at');
CREATE OR REPLACE TRIGGER membership_11_revoked BEFORE UPDATE ON debates_membership FOR EACH ROW
  WHEN (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at)
  EXECUTE FUNCTION moot_refuse('membership_revoked_stays_so');
CREATE OR REPLACE TRIGGER membership_30_kept BEFORE DELETE ON debates_membership FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('membership_is_kept');
CREATE OR REPLACE TRIGGER membership_40_truncate BEFORE TRUNCATE ON debates_membership FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('membership_is_kept');

-- idempotencykey
CREATE OR REPLACE TRIGGER idempotencykey_10_answered BEFORE UPDATE ON debates_idempotencykey FOR EACH ROW WHEN (OLD.status <> 0)
  EXECUTE FUNCTION moot_refuse('idempotency_key_answers_once');

-- webhook
CREATE OR REPLACE TRIGGER webhook_10_fixed BEFORE UPDATE ON debates_webhook FOR EACH ROW
  EXECUTE FUNCTION moot_fixed('webhook_keeps_its_owner', 'public_id', 'owner_id', 'debate_id', 'created_at');

-- delivery
CREATE OR REPLACE TRIGGER delivery_10_fixed BEFORE UPDATE ON debates_delivery FOR EACH ROW
  EXECUTE FUNCTION moot_fixed('delivery_keeps_what_it_is', 'public_id', 'webhook_id', 'event_id', 'tested_at');

-- Seals: whatever is written to a table that an account rests on leaves the digest of its row, in the same statement.
-- moot_seal(where, key, column, ...): where the row says which debate it is of, its primary key, and columns left out.
-- A seal says which columns an UPDATE changed, and which triggers of the table were switched off meanwhile: so a change
-- behind a guard does not look like one that the guard let through.
-- Of each row the newest seal alone keeps its salt: what the row said before can be tried no more.
-- SECURITY DEFINER: nobody else writes seals. Time zone and form of bytes are fixed because jsonb prints them so.
CREATE OR REPLACE FUNCTION moot_seal() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET timezone = 'UTC' SET bytea_output = 'hex' AS $$
DECLARE
  place text := TG_TABLE_NAME;  -- as a name it would have another collation than the index of seals by row
  idle "char" := CASE current_setting('session_replication_role') WHEN 'replica' THEN 'O' ELSE 'R' END;
  row_now jsonb;
  old_row jsonb;
  sealed bigint;
  debate bigint;
  grain uuid;
  altered text[];
  newest bigint;
BEGIN
  PERFORM moot_sees_what_is_committed();
  IF TG_TABLE_SCHEMA <> 'public' THEN
    RAISE restrict_violation USING MESSAGE = format('%I.%I is no table of ours', TG_TABLE_SCHEMA, TG_TABLE_NAME),
      CONSTRAINT = 'seal_is_of_a_table_of_ours';
  END IF;
  IF TG_OP = 'DELETE' THEN
    row_now := to_jsonb(OLD);
  ELSE
    row_now := to_jsonb(NEW) - TG_ARGV[2:];
    grain := gen_random_uuid();
    IF TG_OP = 'UPDATE' THEN
      old_row := to_jsonb(OLD) - TG_ARGV[2:];
      IF row_now::text = old_row::text THEN
        RETURN NULL;
      END IF;
      SELECT array_agg(f.key ORDER BY f.key) INTO altered FROM jsonb_each(row_now) f
        WHERE f.value::text IS DISTINCT FROM (old_row -> f.key)::text;
    END IF;
  END IF;
  sealed := (row_now ->> TG_ARGV[1])::bigint;
  IF TG_ARGV[0] = 'debate' THEN
    debate := (row_now ->> 'debate_id')::bigint;
  ELSIF TG_ARGV[0] = 'self' THEN
    debate := sealed;
  ELSIF TG_ARGV[0] = 'thread' THEN
    SELECT t.debate_id INTO debate FROM debates_thread t WHERE t.id = (row_now ->> 'thread_id')::bigint;
  ELSIF TG_ARGV[0] = 'round' THEN
    SELECT t.debate_id INTO debate FROM debates_round r JOIN debates_thread t ON t.id = r.thread_id
      WHERE r.id = (row_now ->> 'round_id')::bigint;
  ELSIF TG_ARGV[0] = 'turn' THEN
    SELECT t.debate_id INTO debate FROM debates_turn t WHERE t.id = (row_now ->> 'turn_id')::bigint;
  ELSIF TG_ARGV[0] = 'participant' THEN
    SELECT p.debate_id INTO debate FROM debates_participant p WHERE p.id = (row_now ->> 'participant_id')::bigint;
  ELSIF TG_ARGV[0] = 'evaluation' THEN
    SELECT e.debate_id INTO debate FROM scoring_evaluation e WHERE e.id = (row_now ->> 'evaluation_id')::bigint;
  ELSIF TG_ARGV[0] = 'report' THEN
    SELECT r.debate_id INTO debate FROM judging_judgereport r WHERE r.id = (row_now ->> 'report_id')::bigint;
  END IF;
  IF TG_OP = 'INSERT' AND debate IS NULL AND TG_ARGV[0] <> 'site' THEN
    PERFORM moot_is_missing(TG_ARGV[0], (row_now ->> (TG_ARGV[0] || '_id'))::bigint);
  END IF;
  INSERT INTO debates_seal (chain, batch, relation, key, act, salt, digest, altered, guards_off)
  VALUES (
    coalesce(debate, 0), pg_current_xact_id()::text::bigint, place, sealed, TG_OP, grain,
    CASE WHEN TG_OP = 'DELETE' THEN '' ELSE sha256(convert_to(grain || row_now::text, 'UTF8')) END, altered,
    (SELECT array_agg(t.tgname::text ORDER BY t.tgname) FROM pg_trigger t
      WHERE t.tgrelid = TG_RELID AND t.tgenabled IN ('D', idle))
  ) RETURNING id INTO newest;
  IF TG_OP <> 'INSERT' THEN
    UPDATE debates_seal s SET salt = NULL
      WHERE s.relation = place AND s.key = sealed AND s.id < newest AND s.salt IS NOT NULL;
  END IF;
  RETURN NULL;
END $$;

-- Blocks: at the end of a transaction, what it has written of each debate is chained to what was written before. The
-- debate's head is locked for it, which whoever appends events holds already; debates by ascending id, the first block of
-- the site last.
CREATE OR REPLACE FUNCTION moot_block() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET timezone = 'UTC' AS $$
DECLARE
  mine bigint := pg_current_xact_id()::text::bigint;
  part record;
  last record;
  told record;
BEGIN
  IF TG_TABLE_SCHEMA <> 'public' THEN
    RAISE restrict_violation USING MESSAGE = format('%I.%I is no table of ours', TG_TABLE_SCHEMA, TG_TABLE_NAME),
      CONSTRAINT = 'seal_is_of_a_table_of_ours';
  END IF;
  IF TG_TABLE_NAME = 'debates_seal' THEN
    IF (SELECT b.batch = mine AND b.last_seal >= NEW.id FROM debates_block b WHERE b.chain = NEW.chain
        ORDER BY b.number DESC LIMIT 1) THEN
      RETURN NULL;  -- a block was made of it together with the first
    END IF;
  ELSIF (SELECT b.seq FROM debates_block b WHERE b.chain = NEW.debate_id ORDER BY b.number DESC LIMIT 1) >= NEW.seq THEN
    RETURN NULL;  -- the block of a seal tells of its events
  END IF;
  FOR part IN
    SELECT w.chain, coalesce(min(w.id), 0) AS first, coalesce(max(w.id), 0) AS last,
      coalesce(string_agg(w.line, E'\n' ORDER BY w.id), '') AS seals
    FROM (
      SELECT s.chain, s.id, concat_ws('|', s.id, s.relation, s.key, s.act, encode(s.digest, 'hex'),
          coalesce(array_to_string(s.altered, ','), '~'), coalesce(array_to_string(s.guards_off, ','), '~')) AS line
        FROM debates_seal s  -- whenever blocks are made, they are made of all there is
        WHERE s.batch = mine AND s.id > (SELECT coalesce(max(b.last_seal), 0) FROM debates_block b WHERE b.batch = mine)
      UNION ALL
      SELECT (to_jsonb(NEW) ->> 'debate_id')::bigint, NULL, NULL WHERE TG_TABLE_NAME = 'debates_eventhead'
    ) w
    GROUP BY w.chain ORDER BY w.chain = 0, w.chain
  LOOP
    IF part.chain = 0 THEN
      -- A block is locked by the owner alone, whose rights this has. Until there is one, whoever connects could hold it up.
      PERFORM FROM debates_block b WHERE b.chain = 0 AND b.number = 1 FOR NO KEY UPDATE;
      IF NOT FOUND THEN
        PERFORM pg_advisory_xact_lock(hashtextextended('debates_block', 0));
        PERFORM FROM debates_block b WHERE b.chain = 0 AND b.number = 1 FOR NO KEY UPDATE;
      END IF;
    ELSE
      PERFORM FROM debates_eventhead h WHERE h.debate_id = part.chain FOR NO KEY UPDATE;
    END IF;
    SELECT b.number, b.seq, b.hash INTO last FROM debates_block b WHERE b.chain = part.chain ORDER BY b.number DESC LIMIT 1;
    SELECT coalesce(array_agg(e.digest ORDER BY e.seq), '{}') AS events, coalesce(max(e.seq), last.seq, 0) AS reach,
        coalesce(string_agg(encode(e.digest, 'hex'), ',' ORDER BY e.seq), '') AS digests, bool_and(e.in_order) AS in_order
      INTO told
      FROM (
        SELECT e.seq, e.at >= coalesce(lag(e.at) OVER (ORDER BY e.seq), e.at) AS in_order,
          sha256(convert_to(concat_ws('|', e.id, e.seq, e.type, e.audience,
            (extract(epoch FROM e.at) * 1000000)::bigint, encode(sha256(convert_to(e.data::text, 'UTF8')), 'hex')),
            'UTF8')) AS digest
        FROM debates_event e WHERE e.debate_id = part.chain AND e.seq >= coalesce(last.seq, 0)
      ) e WHERE e.seq > coalesce(last.seq, 0);
    IF TG_TABLE_NAME = 'debates_eventhead' AND part.chain = (to_jsonb(NEW) ->> 'debate_id')::bigint
       AND told.reach < (to_jsonb(NEW) ->> 'seq')::bigint THEN
      -- asked before its events are written, no block would be made of them
      RAISE check_violation USING MESSAGE = format('the log of debate %s has no such event yet', part.chain),
        CONSTRAINT = 'event_head_is_the_last_event';
    END IF;
    IF NOT told.in_order THEN
      RAISE check_violation USING MESSAGE = format('an event of debate %s is dated before the one before it', part.chain),
        CONSTRAINT = 'event_is_dated_after_the_one_before';
    END IF;
    INSERT INTO debates_block (chain, number, batch, first_seal, last_seal, seq, events, at, hash)
    VALUES (
      part.chain, coalesce(last.number, 0) + 1, mine, part.first, part.last, told.reach, told.events,
      transaction_timestamp(),
      sha256(coalesce(last.hash, '') || convert_to(concat_ws('|', 'v1', part.chain, coalesce(last.number, 0) + 1, mine,
        part.first, part.last, told.reach, (extract(epoch FROM transaction_timestamp()) * 1000000)::bigint,
        encode(sha256(convert_to(part.seals, 'UTF8')), 'hex'), told.digests), 'UTF8'))
    );
  END LOOP;
  RETURN NULL;
END $$;

DROP TRIGGER IF EXISTS seal_10_block ON debates_seal;
CREATE CONSTRAINT TRIGGER seal_10_block AFTER INSERT ON debates_seal DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION moot_block();
DROP TRIGGER IF EXISTS eventhead_40_block ON debates_eventhead;
CREATE CONSTRAINT TRIGGER eventhead_40_block AFTER UPDATE ON debates_eventhead DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.seq <> OLD.seq) EXECUTE FUNCTION moot_block();
DROP TRIGGER IF EXISTS eventhead_41_block ON debates_eventhead;
CREATE CONSTRAINT TRIGGER eventhead_41_block AFTER INSERT ON debates_eventhead DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.seq <> 0) EXECUTE FUNCTION moot_block();

CREATE OR REPLACE TRIGGER seal_20_kept BEFORE UPDATE ON debates_seal FOR EACH ROW
  WHEN (NEW.salt IS NOT NULL OR (NEW.id, NEW.chain, NEW.batch, NEW.relation, NEW.key, NEW.act, NEW.digest, NEW.altered,
          NEW.guards_off) IS DISTINCT FROM (OLD.id, OLD.chain, OLD.batch, OLD.relation, OLD.key, OLD.act, OLD.digest,
          OLD.altered, OLD.guards_off))
  EXECUTE FUNCTION moot_refuse('seal_is_append_only');
CREATE OR REPLACE TRIGGER seal_30_kept BEFORE DELETE ON debates_seal FOR EACH ROW EXECUTE FUNCTION moot_refuse('seal_is_append_only');
CREATE OR REPLACE TRIGGER seal_40_truncate BEFORE TRUNCATE ON debates_seal FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('seal_is_append_only');
CREATE OR REPLACE TRIGGER block_10_kept BEFORE UPDATE OR DELETE ON debates_block FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('block_is_append_only');
CREATE OR REPLACE TRIGGER block_40_truncate BEFORE TRUNCATE ON debates_block FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('block_is_append_only');

-- What accounts rest on is sealed; what may change later, and what is left out, says scoring/sealed.py.
CREATE OR REPLACE TRIGGER debate_90_sealed AFTER INSERT OR UPDATE OR DELETE ON debates_debate FOR EACH ROW
  EXECUTE FUNCTION moot_seal('self', 'id');
CREATE OR REPLACE TRIGGER subject_90_sealed AFTER INSERT OR UPDATE OR DELETE ON debates_subject FOR EACH ROW
  EXECUTE FUNCTION moot_seal('site', 'id');
CREATE OR REPLACE TRIGGER participant_90_sealed AFTER INSERT OR UPDATE OR DELETE ON debates_participant FOR EACH ROW
  EXECUTE FUNCTION moot_seal('debate', 'id');
CREATE OR REPLACE TRIGGER thread_90_sealed AFTER INSERT OR UPDATE OR DELETE ON debates_thread FOR EACH ROW
  EXECUTE FUNCTION moot_seal('debate', 'id', 'fence');
CREATE OR REPLACE TRIGGER round_90_sealed AFTER INSERT OR UPDATE OR DELETE ON debates_round FOR EACH ROW
  EXECUTE FUNCTION moot_seal('thread', 'id');
CREATE OR REPLACE TRIGGER turn_90_sealed AFTER INSERT OR UPDATE OR DELETE ON debates_turn FOR EACH ROW
  EXECUTE FUNCTION moot_seal('debate', 'id');
CREATE OR REPLACE TRIGGER ballot_90_sealed AFTER INSERT OR UPDATE OR DELETE ON debates_ballot FOR EACH ROW
  EXECUTE FUNCTION moot_seal('round', 'id');
CREATE OR REPLACE TRIGGER awaitedturn_90_sealed AFTER INSERT OR UPDATE OR DELETE ON debates_awaitedturn FOR EACH ROW
  EXECUTE FUNCTION moot_seal('round', 'id');

-- mail
-- What it is about and to whom it goes is fixed; what has been sent was sent, unless it comes back. An address may only go.
CREATE OR REPLACE TRIGGER mail_10_fixed BEFORE UPDATE ON debates_mail FOR EACH ROW
  EXECUTE FUNCTION moot_fixed('mail_keeps_what_it_is', 'public_id', 'kind', 'about', 'person_id', 'debate_id', 'created_at');
CREATE OR REPLACE TRIGGER mail_11_sent BEFORE UPDATE ON debates_mail FOR EACH ROW
  WHEN (OLD.state = 'sent' AND NEW.state NOT IN ('sent', 'bounced')
    OR NEW.state = 'sent' AND OLD.state NOT IN ('sent', 'sending', 'uncertain'))
  EXECUTE FUNCTION moot_refuse('mail_is_sent_once');

-- accounts
-- At sign-in two names that differ in the case of their letters alone are one. Forms ask in the same words, upper(...).
CREATE UNIQUE INDEX IF NOT EXISTS account_name_once_in_any_case ON auth_user (upper(username));

-- numbers
-- PostgreSQL takes NaN for a number, greater than every other.
CREATE OR REPLACE TRIGGER debate_00_numbers BEFORE INSERT OR UPDATE ON debates_debate FOR EACH ROW
  WHEN ('NaN' IN (NEW.limit_money))
  EXECUTE FUNCTION moot_refuse('number_is_not_nan');

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
