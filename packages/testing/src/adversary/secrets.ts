/** For tests: a member all of whose private columns hold words and numbers that occur nowhere else. */
import { getBrand } from "@lambda/brands";
import type { Cell } from "@lambda/geo/grid";
import { cellAt, cellCenter } from "@lambda/geo/lattice";
import { latticesOf } from "@lambda/worker/publish";
import { as, type TestMember } from "../member.ts";
import type { TestWorker } from "../worker.ts";

export const SUBJECT_NAME = "Vicnamevic";
const SUBJECT_ID = 77_123_456_789;

/** Words that no other account's answer, header, frame or push may hold. */
export const WORD = "SECRETWORD";
const BIRTHDATE = "1983-07-19";
const LAST_TEST = "2026-03-17";
const RANDOM_ORDER = 3_141_592_653;
const CREDITS = 7_741_977;
/** Milliseconds that no rounding leaves. */
const EXACT_MS = 654_321;
const PRIVATE_PICTURE = 88_123_456_780;

export interface Subject {
  readonly member: TestMember;
  readonly caseRef: string;
  /** As they would stand in any text. */
  readonly secrets: readonly string[];
}

/** Makes the subject on Ember, near its first city, in contact with `friend` and with a `third` member whom nobody else knows. */
export async function makeSubject(worker: TestWorker, friend: TestMember, third: TestMember): Promise<Subject> {
  const { DB } = worker.env;
  const run = (sql: string, ...values: unknown[]) =>
    DB.prepare(sql)
      .bind(...values)
      .run();
  await run("update sqlite_sequence set seq = ? where name = 'account'", SUBJECT_ID - 1);
  const member = await as(worker, {
    name: SUBJECT_NAME,
    birthdate: BIRTHDATE,
    email: `${WORD.toLowerCase()}@example.test`,
  });
  const { id } = member;
  const now = Date.now();
  const exact = now - (now % 900_000) - 900_000 + EXACT_MS;
  const preferences = JSON.stringify({
    phrases: [WORD],
    unwantedWords: [WORD],
    firstContact: {},
    notificationsOff: [],
  });
  await run(
    "update account set name = ?1, password_hash = ?1, email_pending = lower(?1), acknowledgements = ?1, preferences = ?2, ts_created = ?3 where id = ?4",
    ...[WORD, preferences, exact, id],
  );
  await run(
    "update profile set random_order = ?, credits = ?, ts_updated = ?, description = 'Good company' where id = ?",
    ...[RANDOM_ORDER, CREDITS, exact, id],
  );
  await run(
    "update session set device_label = ?, ts_created = ?, ts_last_used = ? where account_id = ?",
    WORD,
    exact,
    now,
    id,
  );

  const { lat, lon } = getBrand("ember").firstCity;
  const report = {
    profileId: id,
    session: 1,
    use: "OVERRIDE",
    overrideLat: lat + 0.00123,
    overrideLon: lon + 0.00321,
    hide: false,
  };
  const reported = await member.send("PUT", `/api/profile-position/${id}`, report);
  if (!reported.ok) throw new Error(await reported.text());
  // Where the subject went since, not yet published.
  const { own } = await latticesOf(worker.env.POSITION_KEY, { email: member.email, lattice_seed: null });
  const pending = cellAt(own, { lat: lat + 0.04567, lon: lon + 0.04321 }, "street");
  await run("update position set pending_cell = ? where profile_id = ?", pending, id);
  const row = await DB.prepare("select cell from position where profile_id = ?").bind(id).first<{ cell: Cell }>();
  const centres = [row?.cell ?? pending, pending].map((cell) => cellCenter(own, cell));

  for (const [picture, audience] of [
    [PRIVATE_PICTURE - 1, "public"],
    [PRIVATE_PICTURE, "private"],
  ] as const) {
    await run(
      `insert into picture (id, profile_id, audience, width, height, bytes, ts_created, ts_updated) values (?, ?, ?, 40, 50, 900, ?, ?)`,
      ...[picture, id, audience, exact, exact],
    );
    await run(`update profile set pics_${audience} = ? where id = ?`, JSON.stringify([picture]), id);
  }

  await run("insert into profile_note values (?, ?, ?, ?, ?)", id, friend.id, WORD, JSON.stringify([WORD]), exact);
  await run("insert into profile_like values (?, ?, 'DISLIKE', ?, 0)", id, third.id, exact);
  await run("insert into profile_like values (?, ?, 'LIKE', ?, 0)", id, friend.id, now);
  await run("insert into profile_like values (?, ?, 'LIKE', ?, 0)", friend.id, id, now);
  await run(
    "insert into health_panel (profile_id, hiv_status, prep, vaccines, last_test, audiences) values (?, 'undetectable', 'on-demand', '[\"mpox\"]', ?, ?)",
    ...[id, LAST_TEST, JSON.stringify({ prep: "matches", lastTest: "members" })],
  );
  await run(
    `insert into push_subscription (profile_id, device_name, endpoint, auth_base64, p256dh_base64, brand, ts_created)
     values (?1, ?2, 'https://push.example/' || ?2, ?2, ?2, 'ember', ?3)`,
    ...[id, WORD, exact],
  );
  await run(
    "insert into notification (profile_id, kind, about_id, body_text, url, brand, ts_created) values (?, 'standing', null, ?2, '/' || ?2, 'ember', ?3)".replace(
      "?,",
      "?1,",
    ),
    ...[id, WORD, exact],
  );
  await run(
    `insert into message (sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, ts_created)
     values (?1, ?2, min(?1, ?2), max(?1, ?2), ?3, ?3, 'ember', ?4)`,
    ...[id, third.id, WORD, exact],
  );
  await run(
    `insert into message (sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, ts_created)
     values (?1, ?2, min(?1, ?2), max(?1, ?2), ?3, 'Hello there', 'ember', ?4)`,
    ...[id, friend.id, `${WORD}-2`, now],
  );
  for (const [owner, partner] of [
    [id, friend.id],
    [friend.id, id],
  ]) {
    await run(
      "insert into conversation (profile_id, other_id, last_message_id) select ?1, ?2, max(id) from message where low_id = min(?1, ?2) and high_id = max(?1, ?2)",
      ...[owner, partner],
    );
  }
  await run(
    "insert into contact_message (kind, profile_id, brand, name, message, ts_created) values ('contact', ?, 'ember', ?2, ?2, 1)".replace(
      "?,",
      "?1,",
    ),
    id,
    WORD,
  );
  const caseRef = "abcdef".repeat(4);
  await run(
    `insert into report (case_ref, brand, subject_id, source, source_id, category, severity, state, outcome, ts_created, ts_decided)
     values (?1, 'ember', ?2, 'profile', ?2, 'spam', 1, 'decided', 'warn', ?3, ?3)`,
    ...[caseRef, id, exact],
  );
  await run(
    "insert into report_filing (report_id, reporter_id, category, source, text, credibility, ts_created) select id, ?, 'spam', 'profile', ?, 1, 1 from report",
    third.id,
    WORD,
  );
  await run(
    `insert into moderation_action (profile_id, case_ref, brand, kind, rule, reason, by_jury, ts_created) values (?, ?, 'ember', 'warn', 'spam', ?, 0, ?)`,
    ...[id, caseRef, WORD, exact],
  );
  await run(
    "insert into album_grant (owner_id, member_id, state, ts_expires, ts_created) values (?, ?, 'granted', null, ?)",
    id,
    third.id,
    exact,
  );
  await run(
    "insert into credit_entry (profile_id, amount, reason, ref, ts_created) values (?, 0, 'jury', ?, 1)",
    id,
    WORD,
  );
  await run("insert into juror_record (profile_id, summoned) values (?, ?)", id, CREDITS);
  await run(
    "insert into exposure_notice (id, recipient_id, brand, ts_due, ts_expires) values (?, ?, 'ember', ?, ?)",
    WORD,
    id,
    exact,
    exact,
  );
  await run(
    "insert into cooties_player (profile_id, brand, joined) values (?, 1, 1)".replace("joined", "ts_joined"),
    id,
  );

  return {
    member,
    caseRef,
    secrets: [
      ...[
        WORD,
        WORD.toLowerCase(),
        BIRTHDATE,
        LAST_TEST,
        String(RANDOM_ORDER),
        String(CREDITS),
        String(PRIVATE_PICTURE),
      ],
      ...[String(own.lat), String(own.lon)],
      ...[new Date(exact).toISOString(), String(exact), String(row?.cell), String(pending)],
      ...[String(lat + 0.00123), String(lon + 0.00321), String(lat + 0.04567), String(lon + 0.04321)],
      ...centres.flatMap((point) => [String(point.lat), String(point.lon)]),
      ...["undetectable", "mpox"],
    ],
  };
}
