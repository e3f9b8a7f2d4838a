-- What opens once was gone after its sender had blocked its reader and undone it, by which the reader knew that it was no hiding.
DROP TRIGGER IF EXISTS once_view_of_blocked;
CREATE TRIGGER IF NOT EXISTS once_view_of_blocked AFTER INSERT ON block WHEN new.blocked_by_profile = 1 BEGIN
  UPDATE once_view SET ts_due = 0 WHERE sender_id = new.other_id AND reader_id = new.profile_id AND ts_opened IS NULL;
END;
