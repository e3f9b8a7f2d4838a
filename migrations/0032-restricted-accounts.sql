-- A restriction by staff and hiding by the member shared one column, so that ending the one ended the other.
ALTER TABLE profile ADD COLUMN own_hidden INTEGER CHECK (own_hidden IS NULL OR (own_hidden IN (0, 1) AND hidden = 1));
CREATE TRIGGER IF NOT EXISTS profile_restricted BEFORE UPDATE OF hidden ON profile
WHEN new.hidden = 0 AND old.own_hidden IS NOT NULL AND new.own_hidden IS NOT NULL BEGIN
  UPDATE profile SET own_hidden = 0 WHERE id = old.id;
  SELECT RAISE(IGNORE);
END;
