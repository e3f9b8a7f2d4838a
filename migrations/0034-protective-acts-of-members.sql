-- What no restore may undo, in the main database.
CREATE TRIGGER IF NOT EXISTS act_of_deleted_account AFTER UPDATE OF ts_deleted ON account WHEN new.ts_deleted IS NOT old.ts_deleted BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('deleted', new.id, new.ts_deleted);
END;
CREATE TRIGGER IF NOT EXISTS act_of_purged_account AFTER DELETE ON account BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('purged', old.id, old.ts_deleted);
END;
CREATE TRIGGER IF NOT EXISTS act_of_changed_login AFTER UPDATE OF email, password_hash ON account
WHEN (new.email <> old.email OR new.password_hash IS NOT old.password_hash) AND new.ts_deleted IS NULL BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('login', new.id,
    json_object('email', iif(new.email <> old.email, new.email, NULL), 'mailbox', new.mailbox, 'password', new.password_hash IS NOT old.password_hash));
END;
CREATE TRIGGER IF NOT EXISTS act_of_ended_session AFTER DELETE ON session
WHEN old.ts_expires > unixepoch() * 1000 AND EXISTS (SELECT 1 FROM account WHERE id = old.account_id) BEGIN
  INSERT INTO protective_act (kind, member, other) VALUES ('session', old.account_id, old.id);
END;
CREATE TRIGGER IF NOT EXISTS act_of_removed_passkey AFTER DELETE ON passkey WHEN EXISTS (SELECT 1 FROM account WHERE id = old.account_id) BEGIN
  INSERT INTO protective_act (kind, member, other) VALUES ('passkey', old.account_id, old.id);
END;
CREATE TRIGGER IF NOT EXISTS act_of_new_lockdown AFTER INSERT ON lockdown WHEN new.ts_until > 0 BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('lockdown', new.account_id, new.ts_until);
END;
CREATE TRIGGER IF NOT EXISTS act_of_changed_lockdown AFTER UPDATE OF ts_until ON lockdown WHEN new.ts_until <> old.ts_until BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('lockdown', new.account_id, new.ts_until);
END;

CREATE TRIGGER IF NOT EXISTS act_of_changed_sight AFTER UPDATE OF hidden, own_hidden, shared_on, discreet_on ON profile
WHEN new.hidden <> old.hidden OR new.own_hidden IS NOT old.own_hidden OR new.shared_on <> old.shared_on OR new.discreet_on <> old.discreet_on
BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('sight', new.id, json_object('hides', ifnull(new.own_hidden, new.hidden),
    'restricted', new.own_hidden IS NOT NULL, 'brands', new.shared_on | new.discreet_on, 'discreet', new.discreet_on <> 0));
END;
CREATE TRIGGER IF NOT EXISTS act_of_new_block AFTER INSERT ON block WHEN new.blocked_by_profile = 1 BEGIN
  INSERT INTO protective_act (kind, member, other, detail) VALUES ('block', new.profile_id, new.other_id, 1);
END;
CREATE TRIGGER IF NOT EXISTS act_of_changed_block AFTER UPDATE OF blocked_by_profile ON block
WHEN new.blocked_by_profile <> old.blocked_by_profile BEGIN
  INSERT INTO protective_act (kind, member, other, detail) VALUES ('block', new.profile_id, new.other_id, new.blocked_by_profile);
END;
CREATE TRIGGER IF NOT EXISTS act_of_ended_block AFTER DELETE ON block
WHEN old.blocked_by_profile = 1 AND EXISTS (SELECT 1 FROM profile WHERE id = old.profile_id) BEGIN
  INSERT INTO protective_act (kind, member, other, detail) VALUES ('block', old.profile_id, old.other_id, 0);
END;
CREATE TRIGGER IF NOT EXISTS act_of_opened_album AFTER INSERT ON album_grant WHEN new.state = 'granted' BEGIN
  INSERT INTO protective_act (kind, member, other, detail) VALUES ('album', new.owner_id, new.member_id, ifnull(new.ts_expires, 9007199254740991));
END;
CREATE TRIGGER IF NOT EXISTS act_of_changed_album AFTER UPDATE OF state, ts_expires ON album_grant
WHEN new.state <> old.state OR new.ts_expires IS NOT old.ts_expires BEGIN
  INSERT INTO protective_act (kind, member, other, detail)
  VALUES ('album', new.owner_id, new.member_id, iif(new.state = 'granted', ifnull(new.ts_expires, 9007199254740991), 0));
END;
CREATE TRIGGER IF NOT EXISTS act_of_closed_album AFTER DELETE ON album_grant
WHEN old.state = 'granted' AND EXISTS (SELECT 1 FROM profile WHERE id = old.owner_id) BEGIN
  INSERT INTO protective_act (kind, member, other, detail) VALUES ('album', old.owner_id, old.member_id, 0);
END;
CREATE TRIGGER IF NOT EXISTS act_of_changed_picture AFTER UPDATE OF audience, hidden_by_staff ON picture
WHEN new.audience <> old.audience OR new.hidden_by_staff <> old.hidden_by_staff BEGIN
  INSERT INTO protective_act (kind, member, other, detail)
  VALUES ('picture', new.profile_id, new.id, json_object('private', new.audience = 'private', 'hidden', iif(new.hidden_by_staff = 3, 0, new.hidden_by_staff)));
END;
CREATE TRIGGER IF NOT EXISTS act_of_removed_picture AFTER DELETE ON picture WHEN EXISTS (SELECT 1 FROM profile WHERE id = old.profile_id) BEGIN
  INSERT INTO protective_act (kind, member, other) VALUES ('picture', old.profile_id, old.id);
END;
CREATE TRIGGER IF NOT EXISTS act_of_new_action AFTER INSERT ON moderation_action BEGIN
  INSERT INTO protective_act (kind, member, other, detail) VALUES ('action', new.profile_id, new.id, json_object('case_ref', new.case_ref,
    'brand', new.brand, 'kind', new.kind, 'picture_id', new.picture_id, 'rule', new.rule, 'reason', new.reason, 'by_jury', new.by_jury,
    'ts_created', new.ts_created, 'ts_until', new.ts_until));
END;
CREATE TRIGGER IF NOT EXISTS act_of_lifted_action AFTER UPDATE OF ts_lifted ON moderation_action WHEN new.ts_lifted IS NOT NULL BEGIN
  INSERT INTO protective_act (kind, member, other) VALUES ('action', new.profile_id, new.id);
END;
CREATE TRIGGER IF NOT EXISTS act_of_new_ban_mark AFTER INSERT ON ban_mark BEGIN
  INSERT INTO protective_act (kind, member, other, detail) VALUES ('mark', 0, new.id, json_object('kind', new.kind, 'mark', new.mark,
    'case_ref', new.case_ref, 'brand', new.brand, 'rule', new.rule, 'ts_created', new.ts_created, 'ts_until', new.ts_until));
END;
CREATE TRIGGER IF NOT EXISTS act_of_ended_ban_mark AFTER DELETE ON ban_mark BEGIN
  INSERT INTO protective_act (kind, member, other) VALUES ('mark', 0, old.id);
END;

