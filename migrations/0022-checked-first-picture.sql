-- The badge of "Is it him?" ends when the first picture is one that nobody compared, as a picture marked NSFW could be.
DROP TRIGGER IF EXISTS person_check_of_shorter_album;
DROP TRIGGER IF EXISTS person_check_of_changed_picture;
CREATE TRIGGER IF NOT EXISTS person_check_of_changed_picture
AFTER UPDATE OF audience, version, nsfw_owner, nsfw_community, hidden_by_staff ON picture
WHEN new.audience = 'public' AND new.hidden_by_staff = 0
  AND (NOT (new.nsfw_owner OR new.nsfw_community) OR new.version <> old.version)
BEGIN
  UPDATE person_check SET ts_checked = NULL WHERE profile_id = new.profile_id AND ts_checked IS NOT NULL
    AND instr(compared, '"' || new.id || ':' || new.version || '"') = 0
    AND (NOT (new.nsfw_owner OR new.nsfw_community) OR instr(compared, '"' || new.id || ':'));
END;
CREATE TRIGGER IF NOT EXISTS person_check_of_first_picture AFTER UPDATE OF pics_public ON profile
WHEN new.pics_public <> old.pics_public
BEGIN
  UPDATE person_check SET ts_checked = NULL WHERE profile_id = new.id AND ts_checked IS NOT NULL
    AND ifnull(instr(compared, '"' || (new.pics_public ->> 0) || ':'), 0) = 0;
END;
UPDATE person_check SET ts_checked = NULL WHERE ts_checked IS NOT NULL
  AND ifnull((SELECT instr(compared, '"' || (p.pics_public ->> 0) || ':') FROM profile p WHERE p.id = profile_id), 0) = 0;
