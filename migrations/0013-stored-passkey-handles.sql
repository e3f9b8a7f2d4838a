-- The handle by which devices know a passkey's owner is random and stored. The hourly job stores those that existing passkeys have.
ALTER TABLE account ADD COLUMN passkey_handle TEXT;
CREATE INDEX IF NOT EXISTS account_without_handle ON account (id) WHERE passkey_handle IS NULL;
