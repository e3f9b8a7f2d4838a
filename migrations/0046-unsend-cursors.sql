-- How far the schedule has looked through the pairs of each database whose unsent messages wait until their recipients see the sender. No row: it
-- begins anew.
CREATE TABLE IF NOT EXISTS unsend_cursor (
  number          INTEGER PRIMARY KEY,
  sender_id       INTEGER NOT NULL,
  recipient_id    INTEGER NOT NULL
) STRICT;
