-- Lists of addresses to keep away told whoever wrote one who joins. Blocks that they made stay, made by neither member, because ending
-- them would show the two to each other. The block table is rebuilt without its column for the address; triggers copy changes meanwhile.
CREATE TABLE IF NOT EXISTS block_rebuilt (
  profile_id      INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  other_id        INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
  blocked_by_profile INTEGER NOT NULL CHECK (blocked_by_profile IN (0, 1)),
  blocked_by_other INTEGER NOT NULL CHECK (blocked_by_other IN (0, 1)),
  ts_created      INTEGER NOT NULL,
  PRIMARY KEY (profile_id, other_id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS block_rebuilt_of_new AFTER INSERT ON block BEGIN
  INSERT OR REPLACE INTO block_rebuilt
  VALUES (new.profile_id, new.other_id, new.blocked_by_profile, new.blocked_by_other, new.ts_created);
END;
CREATE TRIGGER IF NOT EXISTS block_rebuilt_of_changed AFTER UPDATE ON block BEGIN
  INSERT OR REPLACE INTO block_rebuilt
  VALUES (new.profile_id, new.other_id, new.blocked_by_profile, new.blocked_by_other, new.ts_created);
END;
CREATE TRIGGER IF NOT EXISTS block_rebuilt_of_gone AFTER DELETE ON block BEGIN
  DELETE FROM block_rebuilt WHERE profile_id = old.profile_id AND other_id = old.other_id;
END;
-- chunks of profile.id
INSERT OR IGNORE INTO block_rebuilt SELECT profile_id, other_id, blocked_by_profile, blocked_by_other, ts_created
  FROM block WHERE profile_id > :from AND profile_id <= :to;
-- A request between the next two statements fails instead of ignoring a block.
DROP TABLE block;
ALTER TABLE block_rebuilt RENAME TO block;
CREATE INDEX IF NOT EXISTS block_other ON block (other_id);
-- Each block inserts a row for both members, so one direction is enough.
CREATE TRIGGER IF NOT EXISTS once_view_of_blocked AFTER INSERT ON block BEGIN
  UPDATE once_view SET ts_due = 0 WHERE sender_id = new.profile_id AND reader_id = new.other_id;
END;
DROP TABLE kept_away_address;
