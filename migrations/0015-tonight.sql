-- Who is out tonight.
CREATE TABLE IF NOT EXISTS tonight (
  profile_id      INTEGER PRIMARY KEY REFERENCES profile (id) ON DELETE CASCADE,
  wishes          INTEGER NOT NULL CHECK (wishes BETWEEN 1 AND 31),   -- bit set of TONIGHT_WISHES
  ts_until        INTEGER NOT NULL                          -- rounded, so that it does not tell when it was set
) STRICT;
CREATE INDEX IF NOT EXISTS tonight_until ON tonight (ts_until);
