-- An upload whose answer was lost is repeated, and must not become a second picture.
ALTER TABLE picture ADD COLUMN client_id TEXT;
CREATE UNIQUE INDEX IF NOT EXISTS picture_client ON picture (profile_id, client_id) WHERE client_id IS NOT NULL;
