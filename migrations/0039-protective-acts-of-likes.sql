-- What else no restore may undo: likes of discreet members, trips and admins that ended.
CREATE TRIGGER IF NOT EXISTS act_of_changed_admin AFTER UPDATE OF admin_brand ON account WHEN new.admin_brand IS NOT old.admin_brand BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('admin', new.id, json_object('brand', new.admin_brand));
END;
-- Only a like of a discreet member shows them, so that no other writes a row.
CREATE TRIGGER IF NOT EXISTS act_of_ended_like AFTER UPDATE OF like_type ON profile_like
WHEN old.like_type = 'LIKE' AND new.like_type <> 'LIKE' AND EXISTS (SELECT 1 FROM profile WHERE id = old.liker_id AND discreet_on <> 0) BEGIN
  INSERT INTO protective_act (kind, member, other) VALUES ('like', old.liker_id, old.liked_id);
END;
CREATE TRIGGER IF NOT EXISTS act_of_removed_like AFTER DELETE ON profile_like
WHEN old.like_type = 'LIKE' AND EXISTS (SELECT 1 FROM profile WHERE id = old.liker_id AND discreet_on <> 0)
  AND EXISTS (SELECT 1 FROM profile WHERE id = old.liked_id) BEGIN
  INSERT INTO protective_act (kind, member, other) VALUES ('like', old.liker_id, old.liked_id);
END;
-- By place and days, because ids of trips are reused. That past trips are erased is no act.
CREATE TRIGGER IF NOT EXISTS act_of_new_trip AFTER INSERT ON trip BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('trip', new.profile_id,
    json_object('cell', new.cell, 'day_from', new.day_from, 'day_to', new.day_to, 'state', iif(new.shown = 1, 'shown', 'unshown')));
END;
CREATE TRIGGER IF NOT EXISTS act_of_changed_trip AFTER UPDATE OF shown ON trip WHEN new.shown IS NOT old.shown BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('trip', new.profile_id,
    json_object('cell', new.cell, 'day_from', new.day_from, 'day_to', new.day_to, 'state', iif(new.shown = 1, 'shown', 'unshown')));
END;
CREATE TRIGGER IF NOT EXISTS act_of_removed_trip AFTER DELETE ON trip
WHEN old.day_to >= unixepoch() / 86400 - 2 AND EXISTS (SELECT 1 FROM profile WHERE id = old.profile_id) BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('trip', old.profile_id,
    json_object('cell', old.cell, 'day_from', old.day_from, 'day_to', old.day_to, 'state', 'removed'));
END;
-- Ids of passkeys and ban marks are reused, so acts name the credential, and the print goes with its mark.
DROP TRIGGER IF EXISTS act_of_removed_passkey;
CREATE TRIGGER IF NOT EXISTS act_of_removed_passkey AFTER DELETE ON passkey WHEN EXISTS (SELECT 1 FROM account WHERE id = old.account_id) BEGIN
  INSERT INTO protective_act (kind, member, other, detail) VALUES ('passkey', old.account_id, old.id, json_object('credential_id', old.credential_id));
END;
DROP TRIGGER IF EXISTS act_of_new_ban_mark;
CREATE TRIGGER IF NOT EXISTS act_of_new_ban_mark AFTER INSERT ON ban_mark BEGIN
  INSERT INTO protective_act (kind, member, other, detail) VALUES ('mark', 0, new.id, json_object('kind', new.kind, 'mark', new.mark,
    'case_ref', new.case_ref, 'brand', new.brand, 'rule', new.rule, 'ts_created', new.ts_created, 'ts_until', new.ts_until,
    'sealed_print', hex(new.sealed_print)));
END;
