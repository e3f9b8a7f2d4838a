/** Creates a member whose private columns contain words and numbers that occur nowhere else. */
import { getBrand } from "@lambda/brands";
import type { Cell } from "@lambda/geo/grid";
import { cellAt, cellCenter } from "@lambda/geo/lattice";
import { latticesOf } from "@lambda/worker/lattices";
import { createMember, type TestMember } from "../member.ts";
import type { TestWorker } from "../worker.ts";

export const SUBJECT_NAME = "Vicnamevic";
const SUBJECT_ID = 77_123_456_789;

/** A word that no response, frame or push to another account may contain. */
export const SECRET_WORD = "SECRETWORD";
const BIRTHDATE = "1983-07-19";
const LAST_TEST = "2026-03-17";
const RANDOM_ORDER = 3_141_592_653;
const CREDITS = 7_741_977;
/** A remainder in milliseconds that rounding removes. */
const EXACT_MS = 654_321;
const PRIVATE_PICTURE = 88_123_456_780;

export interface Subject {
  readonly member: TestMember;
  readonly caseRef: string;
  /** As text. */
  readonly secrets: readonly string[];
}

interface Scene {
  readonly run: (sql: string, ...values: unknown[]) => Promise<unknown>;
  readonly id: number;
  readonly friendId: number;
  readonly thirdId: number;
  readonly now: number;
  /** A secret time, in milliseconds. */
  readonly exact: number;
  readonly caseRef: string;
}

/**
 * Creates the subject on Ember near its first city, with a match `friend` and a `third` member, whose relation to the
 * subject is secret.
 */
export async function createSubject(worker: TestWorker, friend: TestMember, third: TestMember): Promise<Subject> {
  const run: Scene["run"] = (sql, ...values) =>
    worker.env.DB.prepare(sql)
      .bind(...values)
      .run();
  await run("update sqlite_sequence set seq = ? where name = 'account'", SUBJECT_ID - 1);
  const member = await createMember(worker, {
    name: SUBJECT_NAME,
    birthdate: BIRTHDATE,
    email: `${SECRET_WORD.toLowerCase()}@example.test`,
  });
  const now = Date.now();
  const exact = now - (now % 900_000) - 900_000 + EXACT_MS;
  const scene: Scene = {
    run,
    id: member.id,
    friendId: friend.id,
    thirdId: third.id,
    now,
    exact,
    caseRef: "abcdef".repeat(4),
  };
  await storeAccountSecrets(scene);
  const positionSecrets = await reportSecretPosition(worker, member);
  await insertPictures(scene);
  await insertRelations(scene);
  await insertHealthAndDevices(scene);
  await insertMessages(scene);
  await insertModerationCase(scene);
  await insertGameAndExposureRecords(scene);
  return {
    member,
    caseRef: scene.caseRef,
    secrets: [
      SECRET_WORD,
      SECRET_WORD.toLowerCase(),
      BIRTHDATE,
      LAST_TEST,
      String(RANDOM_ORDER),
      String(CREDITS),
      String(PRIVATE_PICTURE),
      new Date(exact).toISOString(),
      String(exact),
      ...positionSecrets,
      "undetectable",
      "mpox",
    ],
  };
}

async function storeAccountSecrets({ run, id, exact, now }: Scene): Promise<void> {
  const preferences = JSON.stringify({
    phrases: [SECRET_WORD],
    unwantedWords: [SECRET_WORD],
    firstContact: {},
    notificationsOff: [],
  });
  await run(
    `update account set name = ?1, password_hash = ?1, email_pending = lower(?1), acknowledgements = ?1, preferences = ?2,
       ts_created = ?3 where id = ?4`,
    SECRET_WORD,
    preferences,
    exact,
    id,
  );
  await run(
    "update profile set random_order = ?, credits = ?, ts_updated = ?, description = 'Good company' where id = ?",
    RANDOM_ORDER,
    CREDITS,
    exact,
    id,
  );
  await run(
    "update session set device_label = ?, ts_created = ?, ts_last_used = ? where account_id = ?",
    SECRET_WORD,
    exact,
    now,
    id,
  );
}

/** Reports one position, stores a later one that is not published yet, and returns the secret numbers of both. */
async function reportSecretPosition({ env }: TestWorker, member: TestMember): Promise<string[]> {
  const { lat, lon } = getBrand("ember").firstCity;
  const reported = { lat: lat + 0.00123, lon: lon + 0.00321 };
  const later = { lat: lat + 0.04567, lon: lon + 0.04321 };
  const response = await member.send("PUT", `/api/profile-position/${member.id}`, {
    profileId: member.id,
    session: 1,
    use: "OVERRIDE",
    overrideLat: reported.lat,
    overrideLon: reported.lon,
    hide: false,
  });
  if (!response.ok) throw new Error(await response.text());
  const { own } = latticesOf(env, { id: member.id, email: member.email, lattice_seed: null, lattices: null });
  const pending = cellAt(own, later, "street");
  await env.DB.prepare("update position set pending_cell = ? where profile_id = ?").bind(pending, member.id).run();
  const row = await env.DB.prepare("select cell from position where profile_id = ?")
    .bind(member.id)
    .first<{ cell: Cell }>();
  const centers = [row?.cell ?? pending, pending].map((cell) => cellCenter(own, cell));
  return [
    ...[own, reported, later, ...centers].flatMap((point) => [String(point.lat), String(point.lon)]),
    String(row?.cell),
    String(pending),
  ];
}

async function insertPictures({ run, id, exact }: Scene): Promise<void> {
  for (const [picture, audience] of [
    [PRIVATE_PICTURE - 1, "public"],
    [PRIVATE_PICTURE, "private"],
  ] as const) {
    await run(
      `insert into picture (id, profile_id, audience, width, height, bytes, ts_created, ts_updated)
       values (?, ?, ?, 40, 50, 900, ?, ?)`,
      picture,
      id,
      audience,
      exact,
      exact,
    );
    await run(`update profile set pics_${audience} = ? where id = ?`, JSON.stringify([picture]), id);
  }
}

async function insertRelations({ run, id, friendId, thirdId, exact, now }: Scene): Promise<void> {
  const note = [SECRET_WORD, JSON.stringify([SECRET_WORD])];
  await run("insert into profile_note values (?, ?, ?, ?, ?)", id, friendId, ...note, exact);
  await run("insert into profile_like values (?, ?, 'DISLIKE', ?, 0)", id, thirdId, exact);
  await run("insert into profile_like values (?, ?, 'LIKE', ?, 0)", id, friendId, now);
  await run("insert into profile_like values (?, ?, 'LIKE', ?, 0)", friendId, id, now);
  await run(
    "insert into album_grant (owner_id, member_id, state, ts_expires, ts_created) values (?, ?, 'granted', null, ?)",
    id,
    thirdId,
    exact,
  );
}

async function insertHealthAndDevices({ run, id, exact }: Scene): Promise<void> {
  await run(
    `insert into health_panel (profile_id, hiv_status, prep, vaccines, last_test, audiences)
     values (?, 'undetectable', 'on-demand', '["mpox"]', ?, ?)`,
    id,
    LAST_TEST,
    JSON.stringify({ prep: "matches", lastTest: "members" }),
  );
  await run(
    `insert into push_subscription (profile_id, device_name, endpoint, auth_base64, p256dh_base64, brand, ts_created)
     values (?1, ?2, 'https://push.example/' || ?2, ?2, ?2, 'ember', ?3)`,
    id,
    SECRET_WORD,
    exact,
  );
  await run(
    `insert into notification (profile_id, kind, about_id, body_text, url, brand, ts_created)
     values (?1, 'standing', null, ?2, '/' || ?2, 'ember', ?3)`,
    id,
    SECRET_WORD,
    exact,
  );
}

async function insertMessages({ run, id, friendId, thirdId, exact, now }: Scene): Promise<void> {
  const insert = `insert into message (sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, ts_created)
    values (?1, ?2, min(?1, ?2), max(?1, ?2), ?3, ?4, 'ember', ?5)`;
  await run(insert, id, thirdId, SECRET_WORD, SECRET_WORD, exact);
  await run(insert, id, friendId, `${SECRET_WORD}-2`, "Hello there", now);
  for (const [owner, other] of [
    [id, friendId],
    [friendId, id],
  ]) {
    await run(
      `insert into conversation (profile_id, other_id, last_message_id)
       select ?1, ?2, max(id) from message where low_id = min(?1, ?2) and high_id = max(?1, ?2)`,
      owner,
      other,
    );
  }
  await run(
    `insert into contact_message (kind, profile_id, brand, name, message, ts_created)
     values ('contact', ?1, 'ember', ?2, ?2, 1)`,
    id,
    SECRET_WORD,
  );
}

async function insertModerationCase({ run, id, thirdId, exact, caseRef }: Scene): Promise<void> {
  await run(
    `insert into report (case_ref, brand, subject_id, source, source_id, category, severity, state, outcome, ts_created, ts_decided)
     values (?1, 'ember', ?2, 'profile', ?2, 'spam', 1, 'decided', 'warn', ?3, ?3)`,
    caseRef,
    id,
    exact,
  );
  await run(
    `insert into report_filing (report_id, reporter_id, category, source, text, credibility, ts_created)
     select id, ?, 'spam', 'profile', ?, 1, 1 from report`,
    thirdId,
    SECRET_WORD,
  );
  await run(
    `insert into moderation_action (profile_id, case_ref, brand, kind, rule, reason, by_jury, ts_created)
     values (?, ?, 'ember', 'warn', 'spam', ?, 0, ?)`,
    id,
    caseRef,
    SECRET_WORD,
    exact,
  );
}

async function insertGameAndExposureRecords({ run, id, exact }: Scene): Promise<void> {
  await run(
    "insert into credit_entry (profile_id, amount, reason, ref, ts_created) values (?, 0, 'jury', ?, 1)",
    id,
    SECRET_WORD,
  );
  await run("insert into juror_record (profile_id, summoned) values (?, ?)", id, CREDITS);
  await run(
    "insert into exposure_notice (id, recipient_id, brand, ts_due, ts_expires) values (?, ?, 'ember', ?, ?)",
    SECRET_WORD,
    id,
    exact,
    exact,
  );
  await run("insert into cooties_player (profile_id, brand, ts_joined) values (?, 1, 1)", id);
}
