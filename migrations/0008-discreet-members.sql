-- Discreet: a member may be seen only by those whom they like, wrote to or opened the album to.
ALTER TABLE profile ADD COLUMN discreet_on INTEGER NOT NULL DEFAULT 0 CHECK (discreet_on = 0 OR shared_on = 0);
ALTER TABLE profile ADD COLUMN few_on INTEGER NOT NULL GENERATED ALWAYS AS
  (CASE WHEN status = 'active' AND hidden = 0 AND profile_name <> '' AND birthdate IS NOT NULL
  THEN discreet_on ELSE 0 END) VIRTUAL;
CREATE TABLE IF NOT EXISTS shown_to (
  id              INTEGER PRIMARY KEY,
  viewer_id       INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  UNIQUE (profile_id, viewer_id)
) STRICT;
CREATE INDEX IF NOT EXISTS shown_to_viewer ON shown_to (viewer_id, id, profile_id);
