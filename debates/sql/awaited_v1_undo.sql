DROP TRIGGER thread_12_awaits ON debates_thread;
DROP TRIGGER awaitedturn_05_seat ON debates_awaitedturn;
DROP TRIGGER awaitedturn_30_truncate ON debates_awaitedturn;
DROP TRIGGER awaitedturn_10_kept ON debates_awaitedturn;
DROP FUNCTION moot_thread_awaits();
DROP FUNCTION moot_awaited_seat();
