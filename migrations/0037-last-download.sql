-- When the last download of an account's data began, which its owner sees.
ALTER TABLE account ADD COLUMN ts_exported INTEGER;
