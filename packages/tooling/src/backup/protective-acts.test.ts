import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { PROTECTIVE_ACTS, type ProtectiveAct } from "@lambda/contract/backup";
import { ACCOUNT_DELETION_GRACE_MS } from "@lambda/contract/limits";
import { memberInserter } from "@lambda/testing/members";
import { ROOT } from "@lambda/testing/site";
import { expect, it } from "vitest";
import { deleteStatements } from "../member-requests.ts";
import type { RunStatement } from "../migration.ts";
import { dumpStatements } from "./database-dump.ts";
import { doAgain, parseActs } from "./protective-acts.ts";

const NOW = Date.now();
const SCHEMA = readFileSync(join(ROOT, "schema.sql"), "utf8");

/**
 * Members 1 to 30 as of the backup: all are shown on two brands, and each wrote to the next, opened the album to that one and has a picture.
 * Of 31 to 36 one is deleted, one is discreet, and some are admins or travel.
 */
function createSite(): DatabaseSync {
  const db = new DatabaseSync(":memory:");
  db.exec(SCHEMA);
  const insert = memberInserter(db);
  for (let id = 1; id <= 36; id += 1) {
    insert({ id, email: `m${id}@mail.test` });
    db.exec(`UPDATE profile SET shared_on = 3, pics_public = '[${id}]' WHERE id = ${id};
      UPDATE account SET password_hash = 'old' WHERE id = ${id};
      INSERT INTO session (id, token_hash, account_id, brand, ts_created, ts_last_used, ts_expires) VALUES (${id}, x'${String(id).padStart(4, "0")}', ${id}, 'ember', 1, 1, 9e15);
      INSERT INTO picture (id, profile_id, audience, width, height, bytes, ts_created, ts_updated) VALUES (${id}, ${id}, 'public', 1, 1, 1, 1, 1)`);
  }
  for (let id = 1; id < 30; id += 1)
    db.exec(`INSERT INTO message (id, sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, ts_created) VALUES (${id}, ${id}, ${id + 1}, ${id}, ${id + 1}, 'a', 'secret', 'ember', 1);
      INSERT INTO album_grant (owner_id, member_id, state, ts_created) VALUES (${id}, ${id + 1}, 'granted', 1)`);
  db.exec(`INSERT INTO passkey (id, account_id, credential_id, public_key, counter, backed_up, brand, rp_id, name, ts_created)
    VALUES (8, 8, 'removed', x'00', 0, 0, 'ember', 'ember.test', 'Old phone', 1), (9, 8, 'kept', x'00', 0, 0, 'ember', 'ember.test', 'New phone', 1)`);
  db.exec(`UPDATE account SET admin_brand = '*' WHERE id IN (33, 34); UPDATE account SET admin_brand = 'ember' WHERE id = 35;
    INSERT INTO trip (id, profile_id, name, cell, key, day_from, day_to, shown) VALUES
      (1, 33, 'Lima', 1, 1, 90000, 90001, 1), (2, 33, 'Quito', 2, 2, 90000, 90001, 1), (3, 33, 'Cusco', 3, 3, 90000, 90001, 1), (4, 34, 'Lima', 1, 1, 90000, 90001, NULL),
      (5, 34, 'Tunis', 5, 5, 90000, 90001, 1);
    UPDATE profile SET discreet_on = 3, shared_on = 0 WHERE id = 32;
    INSERT INTO profile_like (liker_id, liked_id, like_type, ts_created) VALUES
      (32, 31, 'LIKE', 1), (32, 33, 'LIKE', 1), (32, 34, 'LIKE', 1), (32, 35, 'LIKE', 1), (33, 34, 'LIKE', 1);
    INSERT INTO album_grant (owner_id, member_id, state, ts_created) VALUES (32, 35, 'granted', 1);
    INSERT INTO shown_to (viewer_id, profile_id) VALUES (31, 32), (33, 32), (34, 32), (35, 32);
    INSERT INTO ban_mark (id, kind, mark, case_ref, brand, rule, ts_created, ts_until) VALUES (1, 'address', 'earlier', 'case 0', 'ember', 'spam', 1, 9e15)`);
  // Members 28 to 30 are banned, suspended, and banned twice.
  db.exec(`INSERT INTO moderation_action (id, profile_id, case_ref, brand, kind, rule, reason, by_jury, ts_created, ts_until) VALUES
      (528, 28, 'case 28', 'ember', 'ban', 'spam', 'r', 0, 1, NULL), (529, 29, 'case 29', 'ember', 'suspend', 'spam', 'r', 0, 1, 9e15),
      (530, 30, 'case 30', 'ember', 'ban', 'spam', 'r', 0, 1, NULL), (531, 30, 'case 31', 'ember', 'ban', 'spam', 'r', 0, 1, NULL);
    UPDATE profile SET status = iif(id = 29, 'suspended', 'banned') WHERE id IN (28, 29, 30);
    INSERT INTO ban_mark (id, kind, mark, case_ref, brand, rule, ts_created, ts_until) VALUES (2, 'address', 'lifted', 'case 28', 'ember', 'spam', 1, 9e15)`);
  db.exec(`UPDATE session SET lock_hash = 'old' WHERE id = 20; UPDATE picture SET nsfw_owner = 1 WHERE id = 13;
    INSERT INTO travel_stay (profile_id, country, shown, hid_member, pictures_withdrawn, muted, ts_seen) VALUES
      (16, 'EG', 'usual', 0, 0, 0, 1), (17, 'EG', 'hidden', 0, 1, 1, 1), (18, 'EG', 'usual', 0, 0, 0, 1)`);
  const voice = (member: number, audience: string) =>
    `INSERT INTO profile_voice (profile_id, id, audience, r2_key, mime, bytes, duration_ms, peaks, ts_created)
      VALUES (${member}, ${member}, '${audience}', 'voices/${member}', 'audio/mp4', 1, 1, '[]', 1)`;
  for (const member of [20, 21, 22, 23]) db.exec(voice(member, "public"));
  db.exec(`${voice(24, "private")};
    INSERT INTO health_panel (profile_id, hiv_status, prep, last_test, audiences) VALUES
      (20, 'negative', 'daily', '2026-01-01', '{"hivStatus":"members","prep":"members","lastTest":"matches"}');
    INSERT INTO known_picture (hash, source, rule, ts_created) VALUES ('${"0".repeat(64)}', 'notice:1', 'intimate', 1);
    INSERT INTO lockdown (account_id, ts_until, words_hash, ts_words) VALUES (24, 0, 'used', 1), (25, 0, 'old', 1), (27, ${NOW + 1e9}, 'used', 1);
    INSERT INTO lockdown_signal (account_id, token_hash, hours) VALUES (26, x'0a', 1), (26, x'0b', 1);
    INSERT INTO met VALUES (25, 26, '[]', 1), (26, 25, '[]', 1);
    INSERT INTO tonight VALUES (27, 3, 9000000000000000), (28, 3, 9000000000000000), (29, 3, 9000000000000000), (30, 3, 9000000000000000)`);
  for (const sql of deleteStatements(31, NOW - ACCOUNT_DELETION_GRACE_MS - 9)) db.exec(sql);
  db.exec("DELETE FROM protective_act");
  // Shortly before the backup, whose acts a restore does again too: a passkey that has the id of one that was removed, and a like given again.
  const passkey = (credential: string) =>
    `INSERT INTO passkey (account_id, credential_id, public_key, counter, backed_up, brand, rp_id, name, ts_created)
      VALUES (8, '${credential}', x'00', 0, 0, 'ember', 'ember.test', 'Phone', 1)`;
  db.exec(`${passkey("lost")}; DELETE FROM passkey WHERE credential_id = 'lost'; ${passkey("found")};
    UPDATE profile_like SET like_type = 'UNDETERMINED', ts_created = ${NOW} WHERE liker_id = 32 AND liked_id = 34;
    UPDATE profile_like SET like_type = 'LIKE', ts_created = ${NOW + 1e6} WHERE liker_id = 32 AND liked_id = 34`);
  return db;
}

it("nothing that was closed, ended or deleted since a backup is open again after its restore, and nothing is opened", async () => {
  const site = createSite();
  const dump = [...dumpStatements(site)].join("\n");
  const block = (one: number, other: number) =>
    `INSERT INTO block VALUES (${one}, ${other}, 1, 0, ${NOW}), (${other}, ${one}, 0, 1, ${NOW})`;
  const action = (id: number, kind: string, until = "NULL", picture = "NULL") =>
    `INSERT INTO moderation_action (profile_id, case_ref, brand, kind, picture_id, rule, reason, by_jury, ts_created, ts_until)
      VALUES (${id}, 'case ${id}', 'ember', '${kind}', ${picture}, 'spam', 'it''s spam', 0, ${NOW}, ${until})`;
  for (const act of [
    // Changed the address before the deletion; came back; was erased.
    "UPDATE account SET email = 'other@mail.test', mailbox = 'other@mail.test' WHERE id = 1",
    ...deleteStatements(1, NOW - 5000),
    ...deleteStatements(2, NOW - 5000),
    "UPDATE account SET ts_deleted = NULL WHERE id = 2; UPDATE profile SET status = 'active' WHERE id = 2",
    ...deleteStatements(3, NOW - ACCOUNT_DELETION_GRACE_MS - 9),
    "DELETE FROM account WHERE id = 3",
    "DELETE FROM account WHERE id = 4",
    block(5, 6),
    block(7, 8),
    "DELETE FROM block WHERE profile_id IN (7, 8)",
    "UPDATE profile SET hidden = 1 WHERE id = 9",
    "UPDATE profile SET discreet_on = 3, shared_on = 0 WHERE id = 10",
    "UPDATE profile SET shared_on = 1 WHERE id = 11",
    "UPDATE profile SET own_hidden = hidden, hidden = 1 WHERE id = 12",
    "UPDATE profile SET hidden = 1 WHERE id = 13",
    "UPDATE profile SET hidden = 0 WHERE id = 13",
    action(14, "ban"),
    "UPDATE profile SET status = 'banned' WHERE id = 14",
    // The new mark has the id of the one that was lifted.
    "DELETE FROM ban_mark",
    "INSERT INTO ban_mark (kind, mark, case_ref, brand, rule, ts_created, ts_until, sealed_print) VALUES ('picture', 'keyed', 'case 14', 'ember', 'spam', 1, 9e15, x'00ff')",
    action(15, "suspend", String(NOW + 1e9)),
    `UPDATE profile SET status = 'suspended', ts_status_until = ${NOW + 1e9} WHERE id = 15`,
    action(16, "ban"),
    `UPDATE moderation_action SET ts_lifted = ${NOW}, lifted_by = 'appeal' WHERE profile_id = 16`,
    "UPDATE message SET ts_unsent = 5, body_text = '' WHERE id = 17",
    `UPDATE health_panel SET audiences = '{"hivStatus":"matches","lastTest":"members"}', prep = NULL WHERE profile_id = 20`,
    "UPDATE profile_voice SET audience = 'private' WHERE profile_id = 20",
    "DELETE FROM profile_voice WHERE profile_id = 21",
    "UPDATE profile_voice SET id = 99, r2_key = 'voices/99' WHERE profile_id = 22",
    "UPDATE profile_voice SET removed = 1 WHERE profile_id = 23",
    "UPDATE profile_voice SET audience = 'public' WHERE profile_id = 24",
    ...["a notice:2", "b list:x", "c staff:3"].map((known) => {
      const [digit = "", source] = known.split(" ");
      return `INSERT INTO known_picture (hash, source, rule, ts_created, sealed_print) VALUES ('${digit.repeat(64)}', '${source}', 'intimate', 2, x'0${digit}')`;
    }),
    "DELETE FROM known_picture WHERE source = 'staff:3'",
    "DELETE FROM lockdown WHERE account_id IN (24, 27)",
    "UPDATE lockdown SET words_hash = 'new' WHERE account_id = 25",
    "DELETE FROM lockdown_signal WHERE token_hash = x'0a'",
    "DELETE FROM met WHERE author_id = 25",
    "DELETE FROM tonight WHERE profile_id IN (27, 30)",
    "UPDATE tonight SET wishes = 5, ts_until = 8000000000000000 WHERE profile_id = 28",
    "INSERT INTO tonight VALUES (30, 3, 9000000000000000)",
    "DELETE FROM album_grant WHERE owner_id = 18",
    "DELETE FROM album_grant WHERE owner_id = 19",
    "INSERT INTO album_grant (owner_id, member_id, state, ts_created) VALUES (19, 20, 'granted', 1)",
    "DELETE FROM session WHERE id = 21",
    "DELETE FROM passkey WHERE id = 8",
    "UPDATE session SET lock_hash = 'new' WHERE id = 19",
    "UPDATE session SET lock_hash = NULL WHERE id = 20",
    "INSERT INTO travel_stay (profile_id, country, shown, hid_member, ts_seen) VALUES (13, 'EG', 'city', 0, 5)",
    "UPDATE travel_stay SET shown = 'city', muted = 1 WHERE profile_id = 16",
    "UPDATE travel_stay SET shown = 'usual', pictures_withdrawn = 0 WHERE profile_id = 17",
    "UPDATE travel_stay SET ts_left = 5 WHERE profile_id = 18",
    "UPDATE account SET password_hash = 'new' WHERE id = 22",
    "UPDATE account SET email = 'new@mail.test', mailbox = 'new@mail.test' WHERE id = 22",
    `INSERT INTO lockdown (account_id, ts_until) VALUES (23, ${NOW + 1e9})`,
    "DELETE FROM picture WHERE id = 24",
    "UPDATE picture SET audience = 'private' WHERE id = 25",
    action(26, "hide_picture", "NULL", "26"),
    "UPDATE picture SET hidden_by_staff = 1 WHERE id = 26",
    "UPDATE account SET ts_deleted = NULL WHERE id = 31; UPDATE profile SET status = 'active' WHERE id = 31",
    "UPDATE profile_like SET like_type = 'UNDETERMINED', ts_created = 2 WHERE liker_id IN (32, 33) AND liked_id IN (33, 34, 35) AND ts_created = 1",
    "DELETE FROM profile_like WHERE liker_id = 32 AND liked_id = 31",
    // Takes a like back while everybody sees who likes them, and is discreet later.
    "UPDATE profile SET discreet_on = 3, shared_on = 0 WHERE id = 33",
    "UPDATE moderation_action SET ts_lifted = 5, lifted_by = 'appeal' WHERE id IN (528, 529, 530)",
    "DELETE FROM ban_mark WHERE case_ref = 'case 28'",
    "UPDATE account SET admin_brand = NULL WHERE id = 33",
    "UPDATE account SET admin_brand = 'ember' WHERE id = 34",
    "UPDATE account SET admin_brand = 'tide' WHERE id = 35",
    "UPDATE account SET admin_brand = '*' WHERE id = 36",
    "DELETE FROM trip WHERE id = 1",
    "UPDATE trip SET shown = 0 WHERE id = 2",
    "UPDATE trip SET shown = 1 WHERE id = 4",
    // Planned anew, and not shown.
    "DELETE FROM trip WHERE id = 5",
    "INSERT INTO trip (profile_id, name, cell, key, day_from, day_to, shown) VALUES (34, 'Tunis', 5, 5, 90000, 90001, 0)",
    // Of a member who joined since: the restored database does not know that account.
    "INSERT INTO account (id, email, home_brand, ts_created) VALUES (99, 'new99@mail.test', 'ember', 1)",
    "INSERT INTO profile (id, shared_on, random_order, ts_seen, ts_updated) VALUES (99, 1, 1, 1, 1)",
    block(27, 99),
    block(99, 28),
    action(99, "ban"),
  ])
    site.exec(act);
  const acts = site.prepare("SELECT * FROM protective_act ORDER BY id").all() as unknown as ProtectiveAct[];
  const kinds = new Set(acts.map(({ kind }) => kind));
  expect(PROTECTIVE_ACTS.filter((kind) => !kinds.has(kind))).toEqual([]);
  expect(parseActs(JSON.stringify(acts)).faults).toEqual([]);

  expect(acts.filter(({ kind }) => kind === "like").map(({ member, other }) => [member, other])).toEqual([
    [32, 34],
    [32, 33],
    [32, 35],
    [33, 34],
    [32, 31],
  ]);

  const restored = new DatabaseSync(":memory:");
  restored.exec(dump);
  const run: RunStatement = async (sql) => {
    if (/^SELECT/.test(sql)) return restored.prepare(sql).all();
    restored.exec(`BEGIN; ${sql}; COMMIT`);
    return [];
  };
  const ids = (sql: string) =>
    restored
      .prepare(sql)
      .all()
      .map((row) => Object.values(row)[0]!)
      .toSorted((one, other) => (one < other ? -1 : 1));
  for (let twice = 0; twice < 2; twice += 1) {
    await doAgain(acts, run, NOW);
    expect(ids("SELECT id FROM account WHERE ts_deleted IS NOT NULL")).toEqual([1, 3, 4, 31]);
    // Who took the deletion back has the whole time again to log in.
    expect(ids("SELECT ts_deleted FROM account WHERE id = 31")).toEqual([NOW]);
    expect(ids("SELECT id FROM profile WHERE status <> 'active'")).toEqual([1, 3, 4, 14, 15, 30, 31]);
    expect(ids("SELECT id FROM moderation_action WHERE ts_lifted IS NOT NULL")).toEqual([528, 529, 530]);
    expect(ids("SELECT liker_id || ' ' || liked_id FROM profile_like WHERE like_type = 'LIKE'")).toEqual(["32 34"]);
    expect(ids("SELECT viewer_id FROM shown_to")).toEqual([34, 35]);
    expect(ids("SELECT id || ' ' || admin_brand FROM account WHERE admin_brand IS NOT NULL")).toEqual(["34 ember"]);
    expect(ids("SELECT name FROM trip WHERE shown = 1")).toEqual(["Cusco"]);
    expect(ids("SELECT id FROM trip")).toEqual([2, 3, 4, 5]);
    expect(ids("SELECT profile_id || ' ' || other_id || ' ' || blocked_by_profile FROM block")).toEqual([
      "5 6 1",
      "6 5 0",
    ]);
    expect(ids("SELECT id FROM profile WHERE hidden = 1")).toEqual([9, 12]);
    expect(ids("SELECT id FROM profile WHERE own_hidden = 0")).toEqual([12]);
    expect(ids("SELECT id FROM profile WHERE listed_on <> 3")).toEqual([
      1, 3, 4, 9, 10, 11, 12, 14, 15, 30, 31, 32, 33,
    ]);
    expect(ids("SELECT few_on FROM profile WHERE id = 10")).toEqual([3]);
    expect(ids("SELECT profile_id || ' ' || kind FROM moderation_action WHERE id NOT BETWEEN 528 AND 531")).toEqual([
      "14 ban",
      "15 suspend",
      "26 hide_picture",
    ]);
    expect(ids("SELECT mark || ' ' || ifnull(hex(sealed_print), '') FROM ban_mark")).toEqual([
      "earlier ",
      "keyed 00FF",
    ]);
    expect(ids("SELECT id FROM message WHERE body_text = ''")).toEqual([17]);
    expect(ids("SELECT unsent_by FROM message_pair WHERE low_id = 17")).toEqual([1]);
    expect(ids("SELECT owner_id FROM album_grant WHERE owner_id IN (5, 18, 19)")).toEqual([19]);
    expect(
      ids("SELECT n.value FROM json_each('[1,3,4,21,22]') n WHERE n.value NOT IN (SELECT id FROM session)"),
    ).toEqual([1, 3, 4, 21]);
    expect(ids("SELECT id || ' ' || ifnull(lock_hash, '') FROM session WHERE id IN (18, 19, 20)")).toEqual([
      "18 ",
      "19 new",
    ]);
    expect(
      ids(
        "SELECT profile_id || ' ' || concat_ws(' ', shown, pictures_withdrawn, muted) FROM travel_stay WHERE ts_left IS NULL",
      ),
    ).toEqual(["13 city 1 1", "16 city 0 1", "17 hidden 1 1", "18 usual 0 0"]);
    expect(ids("SELECT concat_ws(' ', audiences, hiv_status, prep, last_test) FROM health_panel")).toEqual([
      '{"hivStatus":"matches","lastTest":"matches"} negative 2026-01-01',
    ]);
    expect(ids("SELECT concat_ws(' ', id, audience, removed) FROM profile_voice")).toEqual([
      "20 private 0",
      "23 public 1",
      "24 private 0",
    ]);
    expect(ids("SELECT concat_ws(' ', substr(hash, 1, 1), source, hex(sealed_print)) FROM known_picture")).toEqual([
      "0 notice:1 ",
      "a notice:2 0A",
    ]);
    expect(ids("SELECT concat_ws(' ', account_id, words_hash) FROM lockdown WHERE account_id <> 23")).toEqual([
      "24",
      "25 new",
      "27",
    ]);
    expect(ids("SELECT hex(token_hash) FROM lockdown_signal")).toEqual(["0B"]);
    expect(ids("SELECT author_id FROM met")).toEqual([26]);
    expect(ids("SELECT concat_ws(' ', profile_id, wishes, ts_until / 1000000000000000) FROM tonight")).toEqual([
      "28 1 8",
      "29 3 9",
      "30 3 9",
    ]);
    expect(ids("SELECT credential_id FROM passkey")).toEqual(["found", "kept"]);
    expect(ids("SELECT id FROM account WHERE password_hash IS NULL")).toEqual([22]);
    expect(ids("SELECT email FROM account WHERE id IN (1, 22)")).toEqual(["new@mail.test", "other@mail.test"]);
    expect(ids("SELECT account_id FROM lockdown WHERE ts_until > 0")).toEqual([23]);
    expect(ids("SELECT pics_public FROM profile WHERE id IN (24, 25, 26)")).toEqual(["[]", "[]", "[]"]);
    expect(ids("SELECT id FROM picture WHERE audience = 'private' OR hidden_by_staff")).toEqual([13, 25, 26]);
    expect(ids("SELECT id FROM profile WHERE id = 24 AND EXISTS (SELECT 1 FROM picture WHERE id = 24)")).toEqual([]);
    expect(ids("SELECT count(*) FROM account")).toEqual([36]);
  }
});
