-- A restore takes likes back again that members took back before they were discreet.
DROP TRIGGER IF EXISTS act_of_ended_like;
-- Of every member, because one who is not discreet may be when a restore brings the like back.
CREATE TRIGGER IF NOT EXISTS act_of_ended_like AFTER UPDATE OF like_type ON profile_like
WHEN old.like_type = 'LIKE' AND new.like_type <> 'LIKE' BEGIN
  INSERT INTO protective_act (kind, member, other) VALUES ('like', old.liker_id, old.liked_id);
END;
