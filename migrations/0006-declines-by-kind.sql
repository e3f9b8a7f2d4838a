-- Earlier rows do not say which kind of picture was declined, and limited senders for thirty days at most, so they are dropped.
DROP TABLE IF EXISTS picture_decline;
CREATE TABLE IF NOT EXISTS picture_decline (
  sender_id       INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  decliner_id     INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  broadcast       INTEGER NOT NULL CHECK (broadcast IN (0, 1)),
  ts_sent         INTEGER NOT NULL,
  PRIMARY KEY (sender_id, broadcast, decliner_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS picture_decline_old ON picture_decline (ts_sent);
CREATE INDEX IF NOT EXISTS picture_decline_decliner ON picture_decline (decliner_id, sender_id);
