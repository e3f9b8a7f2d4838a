-- Ids of cases are random from now on, so their order is that of time.
DROP INDEX IF EXISTS report_queue;
CREATE INDEX IF NOT EXISTS report_queue ON report (brand, state, priority DESC, ts_created);
DROP INDEX IF EXISTS report_network_queue;
CREATE INDEX IF NOT EXISTS report_network_queue ON report (state, priority DESC, ts_created);
DROP INDEX IF EXISTS report_subject;
CREATE INDEX IF NOT EXISTS report_subject ON report (subject_id, ts_created);
DROP INDEX IF EXISTS report_filing_reporter;
CREATE INDEX IF NOT EXISTS report_filing_reporter ON report_filing (reporter_id) WHERE reporter_id IS NOT NULL;
