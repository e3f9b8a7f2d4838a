-- The map chat keeps the newest 50 posts of each member on a brand.
CREATE INDEX IF NOT EXISTS message_post ON message (sender_id, brand, id) WHERE sector IS NOT NULL AND ts_unsent IS NULL;
UPDATE message SET ts_unsent = ts_created, body_text = '', picture_ids = '[]', attachment = NULL
WHERE id IN (SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY sender_id, brand ORDER BY id DESC) AS place
  FROM message WHERE sector IS NOT NULL AND ts_unsent IS NULL) WHERE place > 50);
-- The map chat keeps the newest 50 posts of each member on a brand; older ones end as if unsent. A page passes over all posts of members out
-- of its reader's sight, so this bounds what they cost the reader without a page's end telling of them.
CREATE TRIGGER IF NOT EXISTS message_of_older_post AFTER INSERT ON message WHEN new.sector IS NOT NULL BEGIN
  UPDATE message SET ts_unsent = new.ts_created, body_text = '', picture_ids = '[]', attachment = NULL
  WHERE id = (SELECT m.id FROM message m WHERE m.sender_id = new.sender_id AND m.brand = new.brand AND m.sector IS NOT NULL
    AND m.ts_unsent IS NULL ORDER BY m.id DESC LIMIT 1 OFFSET 50);
END;
