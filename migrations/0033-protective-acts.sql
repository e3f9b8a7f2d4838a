-- What no restore may undo: blocks, deletions and all else that was closed or ended, by id.
-- databases: main, messages
CREATE TABLE IF NOT EXISTS protective_act (
  id              INTEGER PRIMARY KEY,
  kind            TEXT    NOT NULL,                         -- of PROTECTIVE_ACTS in packages/contract/src/backup.ts
  member          INTEGER NOT NULL,                         -- id of an account; 0: of nobody
  other           INTEGER NOT NULL DEFAULT 0,               -- id of what it is about
  detail          TEXT    CHECK (detail IS NULL OR json_valid(detail)),   -- the state since then
  ts              INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER))
) STRICT;
CREATE TRIGGER IF NOT EXISTS act_of_unsent_message AFTER UPDATE OF ts_unsent, unsend_due ON message
WHEN (new.ts_unsent IS NOT NULL OR new.unsend_due = 1) AND old.ts_unsent IS NULL AND old.unsend_due = 0 BEGIN
  INSERT INTO protective_act (kind, member, other, detail) VALUES ('unsent', new.sender_id, new.id, new.unsend_due);
END;

