-- A notice reaches by address only what any member can see; a picture that is not public needs a copy of it.
ALTER TABLE notice_picture ADD COLUMN was_public INTEGER NOT NULL DEFAULT 1 CHECK (was_public IN (0, 1));
ALTER TABLE notice_picture ADD COLUMN ts_viewed INTEGER;
ALTER TABLE notice_picture ADD COLUMN ts_view_told INTEGER;
ALTER TABLE notice ADD COLUMN ts_disowned INTEGER;
CREATE INDEX notice_picture_viewed ON notice_picture (ts_viewed) WHERE ts_viewed IS NOT NULL AND ts_view_told IS NULL;
-- Pictures that are not public, and were attached by their numbers alone, leave the notices that are still open unless they are hidden.
UPDATE notice_picture SET was_public = 0 WHERE picture_id IN (SELECT id FROM picture WHERE audience <> 'public');
DELETE FROM notice_picture WHERE was_public = 0 AND state = 'named'
  AND notice_id IN (SELECT id FROM notice WHERE upload_hash IS NULL AND ts_decided IS NULL);
-- Only the mailbox of a false notice's sender is remembered for longer than the rest.
UPDATE notice SET sender_network = NULL WHERE ts_erased IS NOT NULL;
