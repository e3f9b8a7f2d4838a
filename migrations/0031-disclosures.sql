-- What an unlocked phone in other hands may have opened.
CREATE TABLE IF NOT EXISTS disclosure (
  id              INTEGER PRIMARY KEY,
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  kind            TEXT    NOT NULL CHECK (kind IN ('unblocked', 'album', 'shown', 'open', 'shared', 'unhidden')),
  other_id        INTEGER REFERENCES profile (id) ON DELETE CASCADE,          -- null: everybody
  bit             INTEGER NOT NULL DEFAULT 0,                                 -- of the brand on which the member is shown since
  ts_created      INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS disclosure_once ON disclosure (profile_id, kind, ifnull(other_id, 0), bit);
CREATE INDEX IF NOT EXISTS disclosure_other ON disclosure (other_id) WHERE other_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS disclosure_created ON disclosure (ts_created);
