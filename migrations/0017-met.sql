-- Who privately said of whom that the pictures are real. Its author alone reads it; it counts once both said it of each other.
CREATE TABLE IF NOT EXISTS met (
  author_id        INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  about_id        INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  pictures        TEXT    NOT NULL CHECK (json_valid(pictures)),   -- the public pictures it was said of, each as "id.version"
  ts_said         INTEGER NOT NULL,                         -- rounded down to the day
  PRIMARY KEY (about_id, author_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS met_author ON met (author_id, about_id);
-- By how many members a member was met, as last counted. The row in which both ids are the member's is for everybody; somebody who is
-- counted has another row if the number would be another one without that word, so that nobody sees what saying it changes.
CREATE TABLE IF NOT EXISTS met_shown (
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  viewer_id       INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  shown           INTEGER NOT NULL DEFAULT 0 CHECK (shown IN (0, 3, 5, 10)),
  picture         TEXT,                                     -- the first public picture then; with another one nothing is shown
  ts_next         INTEGER,                                  -- the next count, on a random day of the member's; null for a single viewer
  PRIMARY KEY (profile_id, viewer_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS met_shown_viewer ON met_shown (viewer_id);
CREATE INDEX IF NOT EXISTS met_shown_due ON met_shown (ts_next) WHERE ts_next IS NOT NULL;
