-- Who reported which evidence, so that a case with more than its readers get shows something of each reporter's.
CREATE TABLE IF NOT EXISTS evidence_filer (
  evidence_id     INTEGER NOT NULL REFERENCES evidence (id) ON DELETE CASCADE,
  reporter_id     INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  PRIMARY KEY (evidence_id, reporter_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS evidence_filer_reporter ON evidence_filer (reporter_id);
