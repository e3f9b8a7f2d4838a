-- A reader who blocks a sender that blocked them first changes a row instead of adding one: what opens once closes then too.
CREATE TRIGGER IF NOT EXISTS once_view_of_second_block AFTER UPDATE OF blocked_by_profile ON block
WHEN new.blocked_by_profile = 1 AND old.blocked_by_profile = 0 BEGIN
  UPDATE once_view SET ts_due = 0 WHERE sender_id = new.other_id AND reader_id = new.profile_id AND ts_opened IS NULL;
END;
