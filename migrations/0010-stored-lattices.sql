-- Lattices are stored, encrypted, instead of derived from the address. The hourly job fills both columns for existing accounts.
ALTER TABLE account ADD COLUMN mailbox TEXT;
ALTER TABLE account ADD COLUMN lattices BLOB;
CREATE INDEX IF NOT EXISTS account_mailbox ON account (mailbox) WHERE mailbox IS NOT NULL;
CREATE INDEX IF NOT EXISTS account_without_lattices ON account (id) WHERE lattices IS NULL;
