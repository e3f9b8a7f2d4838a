-- Several judges are drawn for a seat, and the first to answer takes it.
DROP INDEX IF EXISTS person_check_seat_taken;
CREATE UNIQUE INDEX IF NOT EXISTS person_check_seat_answered ON person_check_seat (profile_id, seat) WHERE answer IS NOT NULL;
