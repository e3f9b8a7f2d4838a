-- An app lock also locks its device's session: calls then need a second secret.
ALTER TABLE session ADD COLUMN lock_hash TEXT;
