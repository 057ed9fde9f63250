-- Guards of turns that are awaited. moot_refuse is that of debates/sql/guards_v1.sql.
CREATE TRIGGER awaitedturn_10_kept BEFORE UPDATE OR DELETE ON debates_awaitedturn FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('awaited_turn_is_never_edited');
CREATE TRIGGER awaitedturn_30_truncate BEFORE TRUNCATE ON debates_awaitedturn FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('awaited_turn_is_never_edited');

-- Nobody waits for an engine, nor for somebody of another debate.
CREATE FUNCTION moot_awaited_seat() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM debates_participant seat
    JOIN debates_round played ON played.id = NEW.round_id
    JOIN debates_thread thread ON thread.id = played.thread_id
    WHERE seat.id = NEW.participant_id AND seat.kind <> 'engine' AND seat.debate_id = thread.debate_id
  ) THEN
    RAISE check_violation USING
      MESSAGE = format('participant %s is no seat of this debate', NEW.participant_id),
      CONSTRAINT = 'awaited_turn_is_of_a_seat';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER awaitedturn_05_seat BEFORE INSERT ON debates_awaitedturn FOR EACH ROW
  EXECUTE FUNCTION moot_awaited_seat();

-- A thread waits only while there is a turn that is awaited in it and that nobody has taken or forfeited.
CREATE FUNCTION moot_thread_awaits() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM debates_awaitedturn awaited
    JOIN debates_round played ON played.id = awaited.round_id
    WHERE played.thread_id = NEW.id AND played.run_number = NEW.run_number AND NOT EXISTS (
      SELECT FROM debates_turn turn
      WHERE turn.round_id = awaited.round_id AND turn.participant_id = awaited.participant_id
        AND turn.kind = awaited.kind)
  ) THEN
    RAISE check_violation USING
      MESSAGE = format('in thread %s no turn is awaited', NEW.id), CONSTRAINT = 'thread_awaits_a_turn';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER thread_12_awaits BEFORE INSERT OR UPDATE ON debates_thread FOR EACH ROW
  WHEN (NEW.status = 'awaiting_turn')
  EXECUTE FUNCTION moot_thread_awaits();

-- Guards fire under session_replication_role = replica too.
ALTER TABLE debates_awaitedturn ENABLE ALWAYS TRIGGER awaitedturn_05_seat;
ALTER TABLE debates_awaitedturn ENABLE ALWAYS TRIGGER awaitedturn_10_kept;
ALTER TABLE debates_awaitedturn ENABLE ALWAYS TRIGGER awaitedturn_30_truncate;
ALTER TABLE debates_thread ENABLE ALWAYS TRIGGER thread_12_awaits;
