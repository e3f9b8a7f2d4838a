-- What can lock an account names its device and its time, and a change of address ends with the session that asked for it.
ALTER TABLE lockdown ADD COLUMN ts_words INTEGER;
ALTER TABLE lockdown_signal ADD COLUMN device_hash BLOB;
ALTER TABLE lockdown_signal ADD COLUMN session_id INTEGER;
ALTER TABLE lockdown_signal ADD COLUMN device_label TEXT NOT NULL DEFAULT '';
ALTER TABLE lockdown_signal ADD COLUMN ts_created INTEGER NOT NULL DEFAULT 0;
ALTER TABLE login_code ADD COLUMN session_id INTEGER REFERENCES session (id) ON DELETE CASCADE;
CREATE INDEX login_code_session ON login_code (session_id) WHERE session_id IS NOT NULL;
