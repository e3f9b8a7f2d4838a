-- A notification is read in the language of the screen, not of the account when it was written.
ALTER TABLE notification ADD COLUMN body_es TEXT;
