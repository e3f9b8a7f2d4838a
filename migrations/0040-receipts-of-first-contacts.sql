-- Receipts from before senders of first contacts were told of none: those of members who never answered go back to the reader alone, and
-- what a word hid counts as read by the first answer, like the messages around it.
-- databases: main, messages

-- chunks of message.id
UPDATE message SET ts_delivered = -abs(ts_delivered), ts_recipient_read = -abs(ts_recipient_read)
WHERE id > :from AND id <= :to AND recipient_id IS NOT NULL AND (ts_delivered > 0 OR ts_recipient_read > 0)
  AND EXISTS (SELECT 1 FROM message_pair t WHERE t.low_id = message.low_id AND t.high_id = message.high_id
    AND iif(t.low_id = message.recipient_id, t.low_count, t.high_count) = 0);

-- chunks of message.id
UPDATE message SET (ts_delivered, ts_recipient_read) = (
  SELECT ifnull(min(a.ts_created), message.ts_created), ifnull(min(a.ts_created), message.ts_created) FROM message a
  WHERE a.low_id = message.low_id AND a.high_id = message.high_id AND a.id > message.id AND a.sender_id = message.recipient_id)
WHERE id > :from AND id <= :to AND filtered = 1 AND ifnull(ts_recipient_read, 0) <= 0
  AND EXISTS (SELECT 1 FROM message_pair t WHERE t.low_id = message.low_id AND t.high_id = message.high_id
    AND iif(t.low_id = message.recipient_id, t.low_count, t.high_count) > 0);
