-- Guards of the event tables. A revision is a new file; this one is never edited once deployed.
-- Every function fixes its search_path with pg_temp last, so that no temporary table can stand in for a real one.

-- moot_refuse('name'): the row (or table) may not be changed in the way the trigger fires for.
CREATE FUNCTION moot_refuse() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RAISE restrict_violation USING
    MESSAGE = format('%s of %s is refused: %s', lower(TG_OP), TG_TABLE_NAME, replace(TG_ARGV[0], '_', ' ')),
    CONSTRAINT = TG_ARGV[0];
END $$;

-- moot_only_blanks('name', column, ...): an UPDATE may empty these texts (erasure) and change nothing else.
CREATE FUNCTION moot_only_blanks() RETURNS trigger LANGUAGE plpgsql
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
  IF fresh - erasable IS DISTINCT FROM old_row - erasable THEN
    RAISE restrict_violation USING
      MESSAGE = format('%s is never edited: %s', TG_TABLE_NAME, replace(TG_ARGV[0], '_', ' ')), CONSTRAINT = TG_ARGV[0];
  END IF;
  RETURN NEW;
END $$;

-- moot_fixed('name', column, ...): these columns keep their value for ever.
CREATE FUNCTION moot_fixed() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
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

-- What a score is computed with may change only while the debate is a draft.
CREATE TRIGGER debate_10_parameters BEFORE UPDATE ON debates_debate FOR EACH ROW
  WHEN (OLD.status <> 'draft')
  EXECUTE FUNCTION moot_fixed('debate_parameters_are_fixed_once_started',
    'parameters', 'format', 'rounds', 'subject_id', 'motion', 'conducted_by', 'public_id');
CREATE TRIGGER debate_11_started BEFORE UPDATE ON debates_debate FOR EACH ROW
  WHEN (OLD.status <> 'draft' AND NEW.status = 'draft')
  EXECUTE FUNCTION moot_refuse('debate_never_becomes_a_draft_again');
CREATE TRIGGER debate_20_kept BEFORE DELETE ON debates_debate FOR EACH ROW
  WHEN (OLD.status <> 'draft')
  EXECUTE FUNCTION moot_refuse('debate_with_history_is_kept');
CREATE TRIGGER debate_30_truncate BEFORE TRUNCATE ON debates_debate FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('debate_with_history_is_kept');

CREATE TRIGGER subject_05_filled BEFORE INSERT ON debates_subject FOR EACH ROW
  WHEN (NEW.title !~ '\S' OR NEW.text !~ '\S')
  EXECUTE FUNCTION moot_refuse('subject_has_title_and_text');
CREATE TRIGGER subject_10_fixed BEFORE UPDATE ON debates_subject FOR EACH ROW
  EXECUTE FUNCTION moot_only_blanks('subject_is_never_edited', 'title', 'text');
CREATE TRIGGER subject_30_truncate BEFORE TRUNCATE ON debates_subject FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('subject_is_never_edited');

CREATE TRIGGER thread_10_fixed BEFORE UPDATE ON debates_thread FOR EACH ROW
  EXECUTE FUNCTION moot_fixed('thread_keeps_its_identity', 'debate_id', 'key', 'public_id');
CREATE TRIGGER thread_11_fence BEFORE UPDATE ON debates_thread FOR EACH ROW
  WHEN (NEW.fence < OLD.fence OR NEW.run_number < OLD.run_number)
  EXECUTE FUNCTION moot_refuse('thread_fence_and_run_only_grow');
CREATE TRIGGER thread_20_kept BEFORE DELETE ON debates_thread FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('thread_is_kept');
CREATE TRIGGER thread_30_truncate BEFORE TRUNCATE ON debates_thread FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('thread_is_kept');

CREATE TRIGGER round_10_fixed BEFORE UPDATE ON debates_round FOR EACH ROW
  EXECUTE FUNCTION moot_fixed('round_keeps_its_identity', 'thread_id', 'run_number', 'number', 'opened_at', 'public_id');
CREATE TRIGGER round_11_closed BEFORE UPDATE ON debates_round FOR EACH ROW
  WHEN (OLD.closed_at IS NOT NULL)
  EXECUTE FUNCTION moot_refuse('round_closes_once');
CREATE TRIGGER round_20_kept BEFORE DELETE ON debates_round FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('round_is_kept');
CREATE TRIGGER round_30_truncate BEFORE TRUNCATE ON debates_round FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('round_is_kept');

CREATE TRIGGER turn_10_immutable BEFORE UPDATE ON debates_turn FOR EACH ROW
  EXECUTE FUNCTION moot_only_blanks('turn_is_immutable', 'text');
CREATE TRIGGER turn_20_kept BEFORE DELETE ON debates_turn FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('turn_is_immutable');
CREATE TRIGGER turn_30_truncate BEFORE TRUNCATE ON debates_turn FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('turn_is_immutable');

-- An event needs the one before it, and none can be removed: the stream has no gap.
ALTER TABLE debates_event ADD COLUMN previous_seq bigint GENERATED ALWAYS AS (CASE WHEN seq > 1 THEN seq - 1 END) STORED;
ALTER TABLE debates_event ADD CONSTRAINT event_follows_the_one_before
  FOREIGN KEY (debate_id, previous_seq) REFERENCES debates_event (debate_id, seq);
CREATE TRIGGER event_10_immutable BEFORE UPDATE OR DELETE ON debates_event FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('event_is_immutable');
CREATE TRIGGER event_30_truncate BEFORE TRUNCATE ON debates_event FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('event_is_immutable');
CREATE TRIGGER eventhead_10_fixed BEFORE UPDATE ON debates_eventhead FOR EACH ROW
  WHEN (NEW.seq < OLD.seq OR NEW.debate_id <> OLD.debate_id)
  EXECUTE FUNCTION moot_refuse('event_head_only_grows');
CREATE TRIGGER eventhead_20_kept BEFORE DELETE ON debates_eventhead FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('event_head_only_grows');

-- Guards fire under session_replication_role = replica too.
ALTER TABLE debates_debate ENABLE ALWAYS TRIGGER debate_10_parameters;
ALTER TABLE debates_debate ENABLE ALWAYS TRIGGER debate_11_started;
ALTER TABLE debates_debate ENABLE ALWAYS TRIGGER debate_20_kept;
ALTER TABLE debates_debate ENABLE ALWAYS TRIGGER debate_30_truncate;
ALTER TABLE debates_subject ENABLE ALWAYS TRIGGER subject_05_filled;
ALTER TABLE debates_subject ENABLE ALWAYS TRIGGER subject_10_fixed;
ALTER TABLE debates_subject ENABLE ALWAYS TRIGGER subject_30_truncate;
ALTER TABLE debates_thread ENABLE ALWAYS TRIGGER thread_10_fixed;
ALTER TABLE debates_thread ENABLE ALWAYS TRIGGER thread_11_fence;
ALTER TABLE debates_thread ENABLE ALWAYS TRIGGER thread_20_kept;
ALTER TABLE debates_thread ENABLE ALWAYS TRIGGER thread_30_truncate;
ALTER TABLE debates_round ENABLE ALWAYS TRIGGER round_10_fixed;
ALTER TABLE debates_round ENABLE ALWAYS TRIGGER round_11_closed;
ALTER TABLE debates_round ENABLE ALWAYS TRIGGER round_20_kept;
ALTER TABLE debates_round ENABLE ALWAYS TRIGGER round_30_truncate;
ALTER TABLE debates_turn ENABLE ALWAYS TRIGGER turn_10_immutable;
ALTER TABLE debates_turn ENABLE ALWAYS TRIGGER turn_20_kept;
ALTER TABLE debates_turn ENABLE ALWAYS TRIGGER turn_30_truncate;
ALTER TABLE debates_event ENABLE ALWAYS TRIGGER event_10_immutable;
ALTER TABLE debates_event ENABLE ALWAYS TRIGGER event_30_truncate;
ALTER TABLE debates_eventhead ENABLE ALWAYS TRIGGER eventhead_10_fixed;
ALTER TABLE debates_eventhead ENABLE ALWAYS TRIGGER eventhead_20_kept;
