-- An equal hash is a candidate only: a second measure decides, and what staff found to be no copy is exempt.
ALTER TABLE picture_hash ADD COLUMN sealed_print BLOB;
ALTER TABLE known_picture ADD COLUMN sealed_print BLOB;
ALTER TABLE ban_mark ADD COLUMN sealed_print BLOB;
ALTER TABLE notice ADD COLUMN upload_print BLOB;
ALTER TABLE notice_picture ADD COLUMN alike INTEGER NOT NULL DEFAULT 0 CHECK (alike IN (0, 1));
ALTER TABLE notice_picture ADD COLUMN sealed_print BLOB;
ALTER TABLE known_picture_match ADD COLUMN effect TEXT NOT NULL DEFAULT 'held' CHECK (effect IN ('refused', 'held', 'none'));
ALTER TABLE known_picture_match ADD COLUMN digest TEXT NOT NULL DEFAULT '';
CREATE INDEX IF NOT EXISTS known_picture_match_picture ON known_picture_match (picture_id);
CREATE TABLE IF NOT EXISTS picture_exemption (
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  digest          TEXT    NOT NULL,
  ts_created      INTEGER NOT NULL,
  PRIMARY KEY (profile_id, digest)
) STRICT, WITHOUT ROWID;
