-- A restore locks again what was locked, and protects again who has come to a country that punishes.
CREATE TRIGGER IF NOT EXISTS act_of_changed_lock AFTER UPDATE OF lock_hash ON session WHEN new.lock_hash IS NOT old.lock_hash BEGIN
  INSERT INTO protective_act (kind, member, other, detail) VALUES ('lock', new.account_id, new.id, json_object('hash', new.lock_hash));
END;
CREATE TRIGGER IF NOT EXISTS act_of_new_stay AFTER INSERT ON travel_stay BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('stay', new.profile_id, json_object('country', new.country, 'shown', new.shown,
    'hid', new.hid_member, 'withdrawn', new.pictures_withdrawn, 'muted', new.muted, 'seen', new.ts_seen, 'left', new.ts_left));
END;
CREATE TRIGGER IF NOT EXISTS act_of_changed_stay AFTER UPDATE OF country, shown, hid_member, pictures_withdrawn, muted, ts_left ON travel_stay
WHEN (new.country, new.shown, new.hid_member, new.pictures_withdrawn, new.muted) <> (old.country, old.shown, old.hid_member, old.pictures_withdrawn, old.muted)
  OR new.ts_left IS NOT old.ts_left
BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('stay', new.profile_id, json_object('country', new.country, 'shown', new.shown,
    'hid', new.hid_member, 'withdrawn', new.pictures_withdrawn, 'muted', new.muted, 'seen', new.ts_seen, 'left', new.ts_left));
END;
