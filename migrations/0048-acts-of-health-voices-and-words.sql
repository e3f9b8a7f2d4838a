-- A restore keeps closed what members closed about health, voices, recovery words and nights out, and known pictures known.
-- Without values, which an act must not carry: who may read each field, and which are filled in.
CREATE TRIGGER IF NOT EXISTS act_of_changed_health AFTER UPDATE OF hiv_status, prep, doxy_pep, vaccines, last_test, audiences ON health_panel
WHEN new.audiences <> old.audiences OR new.vaccines <> old.vaccines OR (new.hiv_status IS NULL, new.prep IS NULL, new.doxy_pep IS NULL, new.last_test IS NULL)
  <> (old.hiv_status IS NULL, old.prep IS NULL, old.doxy_pep IS NULL, old.last_test IS NULL)
BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('health', new.profile_id, json_object('audiences', json(new.audiences), 'filled',
    json_object('hivStatus', new.hiv_status IS NOT NULL, 'prep', new.prep IS NOT NULL, 'doxyPep', new.doxy_pep IS NOT NULL,
      'vaccines', new.vaccines <> '[]', 'lastTest', new.last_test IS NOT NULL)));
END;
CREATE TRIGGER IF NOT EXISTS act_of_changed_voice AFTER UPDATE OF id, audience, removed ON profile_voice
WHEN new.id = old.id AND (new.audience <> old.audience OR new.removed <> old.removed) BEGIN
  INSERT INTO protective_act (kind, member, other, detail)
  VALUES ('voice', new.profile_id, new.id, json_object('private', new.audience = 'private', 'removed', new.removed <> 0));
END;
CREATE TRIGGER IF NOT EXISTS act_of_replaced_voice AFTER UPDATE OF id ON profile_voice WHEN new.id <> old.id BEGIN
  INSERT INTO protective_act (kind, member, other) VALUES ('voice', old.profile_id, old.id);
END;
CREATE TRIGGER IF NOT EXISTS act_of_deleted_voice AFTER DELETE ON profile_voice WHEN EXISTS (SELECT 1 FROM profile WHERE id = old.profile_id) BEGIN
  INSERT INTO protective_act (kind, member, other) VALUES ('voice', old.profile_id, old.id);
END;
-- Lists are files that the operator has.
CREATE TRIGGER IF NOT EXISTS act_of_new_known_picture AFTER INSERT ON known_picture WHEN new.source NOT GLOB 'list:*' BEGIN
  INSERT INTO protective_act (kind, member, other, detail) VALUES ('known', 0, new.id, json_object('hash', new.hash, 'source', new.source,
    'rule', new.rule, 'ts_created', new.ts_created, 'sealed_print', hex(new.sealed_print)));
END;
CREATE TRIGGER IF NOT EXISTS act_of_ended_known_picture AFTER DELETE ON known_picture WHEN old.source NOT GLOB 'list:*' BEGIN
  INSERT INTO protective_act (kind, member, other) VALUES ('known', 0, old.id);
END;
CREATE TRIGGER IF NOT EXISTS act_of_new_words AFTER INSERT ON lockdown WHEN new.words_hash IS NOT NULL BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('words', new.account_id, json_object('hash', new.words_hash));
END;
CREATE TRIGGER IF NOT EXISTS act_of_changed_words AFTER UPDATE OF words_hash ON lockdown WHEN new.words_hash IS NOT old.words_hash BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('words', new.account_id, json_object('hash', new.words_hash));
END;
-- Words that were used end a lock-down.
CREATE TRIGGER IF NOT EXISTS act_of_ended_lockdown AFTER DELETE ON lockdown WHEN EXISTS (SELECT 1 FROM account WHERE id = old.account_id) BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('words', old.account_id, json_object('hash', NULL)), ('lockdown', old.account_id, 0);
END;
CREATE TRIGGER IF NOT EXISTS act_of_ended_signal AFTER DELETE ON lockdown_signal WHEN EXISTS (SELECT 1 FROM account WHERE id = old.account_id) BEGIN
  INSERT INTO protective_act (kind, member, other, detail) VALUES ('signal', old.account_id, old.id, json_object('token', hex(old.token_hash)));
END;
CREATE TRIGGER IF NOT EXISTS act_of_met_taken_back AFTER DELETE ON met
WHEN EXISTS (SELECT 1 FROM profile WHERE id = old.author_id) AND EXISTS (SELECT 1 FROM profile WHERE id = old.about_id) BEGIN
  INSERT INTO protective_act (kind, member, other) VALUES ('met', old.author_id, old.about_id);
END;
CREATE TRIGGER IF NOT EXISTS act_of_new_night AFTER INSERT ON tonight BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('tonight', new.profile_id, json_object('until', new.ts_until, 'wishes', new.wishes));
END;
CREATE TRIGGER IF NOT EXISTS act_of_changed_night AFTER UPDATE ON tonight BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('tonight', new.profile_id, json_object('until', new.ts_until, 'wishes', new.wishes));
END;
CREATE TRIGGER IF NOT EXISTS act_of_ended_night AFTER DELETE ON tonight
WHEN old.ts_until > unixepoch() * 1000 AND EXISTS (SELECT 1 FROM profile WHERE id = old.profile_id) BEGIN
  INSERT INTO protective_act (kind, member, detail) VALUES ('tonight', old.profile_id, json_object('until', 0, 'wishes', 0));
END;
