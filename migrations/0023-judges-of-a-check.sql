-- Many judges are drawn for a check at once, and the first of them to answer decide. Staff decide the checks that are judged now.
DROP TABLE IF EXISTS person_check_seat;
CREATE TABLE person_check_seat (
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  judge_id        INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  answer          TEXT    CHECK (answer IN ('him', 'not_him', 'unclear')),
  ts_shown        INTEGER,
  PRIMARY KEY (profile_id, judge_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX person_check_seat_judge ON person_check_seat (judge_id);
ALTER TABLE person_check DROP COLUMN renewed;
ALTER TABLE person_check ADD COLUMN answers_needed INTEGER NOT NULL DEFAULT 0;
UPDATE person_check SET ts_due = 0 WHERE state = 'judging';
