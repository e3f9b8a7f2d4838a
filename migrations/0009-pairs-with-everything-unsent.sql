-- Whether a member unsent everything that they wrote to another, who then sees them no longer if they are discreet.
-- databases: main, messages
ALTER TABLE message_pair ADD COLUMN unsent_by INTEGER NOT NULL DEFAULT 0 CHECK (unsent_by BETWEEN 0 AND 3);
DROP TRIGGER message_pair_of_sent_message; CREATE TRIGGER IF NOT EXISTS message_pair_of_sent_message AFTER INSERT ON message WHEN new.recipient_id IS NOT NULL BEGIN
  INSERT INTO message_pair (low_id, high_id, low_count, high_count)
  VALUES (new.low_id, new.high_id, new.sender_id = new.low_id, new.sender_id = new.high_id)
  ON CONFLICT (low_id, high_id) DO UPDATE
  SET low_count = min(5, low_count + excluded.low_count), high_count = min(5, high_count + excluded.high_count),
    unsent_by = unsent_by & ~(excluded.low_count + 2 * excluded.high_count)
  WHERE CASE WHEN excluded.low_count THEN low_count ELSE high_count END < 5
    OR unsent_by & (excluded.low_count + 2 * excluded.high_count);
END;
