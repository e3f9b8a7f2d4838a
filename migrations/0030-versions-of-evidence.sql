-- A second report of something that was replaced keeps the new version too: the version joins the key, so the table is rebuilt. A report
-- between the copy and the deployment fails and has to be sent again.
CREATE TABLE IF NOT EXISTS evidence_rebuilt (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  report_id       INTEGER NOT NULL REFERENCES report (id) ON DELETE CASCADE,
  author_id       INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  kind            TEXT    NOT NULL CHECK (kind IN ('profile', 'message', 'picture', 'voice')),
  source_id       INTEGER NOT NULL,
  version         TEXT    NOT NULL DEFAULT '',
  body            TEXT    NOT NULL CHECK (json_valid(body)),
  r2_key          TEXT,
  staff_only      INTEGER NOT NULL DEFAULT 0 CHECK (staff_only IN (0, 1)),
  ts_source       INTEGER NOT NULL,
  withdrawn       INTEGER NOT NULL DEFAULT 0 CHECK (withdrawn IN (0, 1)),
  UNIQUE (report_id, kind, source_id, version)
) STRICT;
INSERT OR IGNORE INTO evidence_rebuilt (id, report_id, author_id, kind, source_id, body, r2_key, staff_only, ts_source, withdrawn)
  SELECT id, report_id, author_id, kind, source_id, body, r2_key, staff_only, ts_source, withdrawn FROM evidence;
DROP TABLE evidence;
ALTER TABLE evidence_rebuilt RENAME TO evidence;
CREATE INDEX IF NOT EXISTS evidence_message ON evidence (source_id) WHERE kind = 'message';
CREATE INDEX IF NOT EXISTS evidence_object ON evidence (r2_key) WHERE r2_key IS NOT NULL;
CREATE INDEX IF NOT EXISTS evidence_author ON evidence (author_id);
