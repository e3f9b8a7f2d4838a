-- What was loosened without a proof goes back to its former value: the table whose CHECK lists the kinds is rebuilt. A disclosure between the
-- copy and the rename is not remembered.
CREATE TABLE IF NOT EXISTS disclosure_rebuilt (
  id              INTEGER PRIMARY KEY,
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  kind            TEXT    NOT NULL CHECK (kind IN ('unblocked', 'album', 'shown', 'open', 'shared', 'unhidden', 'stay', 'picture', 'voice', 'limits', 'health')),
  other_id        INTEGER REFERENCES profile (id) ON DELETE CASCADE,
  bit             INTEGER NOT NULL DEFAULT 0,
  item_id         INTEGER NOT NULL DEFAULT 0,
  former          TEXT    NOT NULL DEFAULT '{}' CHECK (json_valid(former)),
  ts_created      INTEGER NOT NULL
) STRICT;
INSERT OR IGNORE INTO disclosure_rebuilt (id, profile_id, kind, other_id, bit, ts_created)
  SELECT id, profile_id, kind, other_id, bit, ts_created FROM disclosure;
DROP TABLE disclosure;
ALTER TABLE disclosure_rebuilt RENAME TO disclosure;
CREATE UNIQUE INDEX IF NOT EXISTS disclosure_once ON disclosure (profile_id, kind, ifnull(other_id, 0), bit, item_id);
CREATE INDEX IF NOT EXISTS disclosure_other ON disclosure (other_id) WHERE other_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS disclosure_created ON disclosure (ts_created);
