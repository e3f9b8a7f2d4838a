/** Creates one member, others who are out of reach for every possible reason, and rows that belong to any of them. */
import { createMember, type TestMember } from "../member.ts";
import { startWorker, type TestWorker } from "../worker.ts";

/** Why a member is out of reach. Nobody has the id of `absent`, and all others must look the same as it. */
export const OUT_OF_REACH = [
  "absent",
  "blocked",
  "blocker",
  "hidden",
  "discreet",
  "suspended",
  "banned",
  "deleted",
  "unnamed",
  "elsewhere",
] as const;
export type OutOfReach = (typeof OUT_OF_REACH)[number];

export interface World {
  readonly worker: TestWorker;
  readonly me: TestMember;
  /** Visible to me and in a conversation with me. */
  readonly other: TestMember;
  /** Visible to me, without any contact. */
  readonly stranger: TestMember;
  /** An admin of Ember, the brand of all members but `elsewhere`. */
  readonly admin: TestMember;
  readonly unreachable: Record<OutOfReach, number>;
  /** Runs a statement and returns the first column of its first row. */
  sql(statement: string, ...values: unknown[]): Promise<number>;
}

export const ABSENT_ID = 4_000_000;

export async function createWorld(): Promise<World> {
  const worker = await startWorker();
  const sql = async (statement: string, ...values: unknown[]) => {
    const row = await worker.env.DB.prepare(statement)
      .bind(...values)
      .first<Record<string, number>>();
    return Object.values(row ?? {})[0] ?? 0;
  };
  const me = await createMember(worker, { name: "Me" });
  const other = await createMember(worker, { name: "Other" });
  const stranger = await createMember(worker, { name: "Stranger" });
  const admin = await createMember(worker, { name: "Admin", adminBrand: "ember", hidden: true });
  const members = {
    blocked: await createMember(worker),
    blocker: await createMember(worker),
    hidden: await createMember(worker, { hidden: true }),
    discreet: await createMember(worker, { discreet: true }),
    suspended: await createMember(worker, { status: "suspended" }),
    banned: await createMember(worker, { status: "banned" }),
    deleted: await createMember(worker, { status: "deleted" }),
    unnamed: await createMember(worker, { name: "" }),
    elsewhere: await createMember(worker, { brand: "harbor" }),
  };
  for (const [blocker, blocked] of [
    [me, members.blocked],
    [members.blocker, me],
  ] as const) {
    await sql(
      "insert into block (profile_id, other_id, blocked_by_profile, blocked_by_other, ts_created) values (?, ?, 1, 0, 1)",
      blocker.id,
      blocked.id,
    );
    await sql(
      "insert into block (profile_id, other_id, blocked_by_profile, blocked_by_other, ts_created) values (?, ?, 0, 1, 1)",
      blocked.id,
      blocker.id,
    );
  }
  const ids = Object.fromEntries(Object.entries(members).map(([name, { id }]) => [name, id]));
  const unreachable = { absent: ABSENT_ID, ...ids } as World["unreachable"];
  const world: World = { worker, me, other, stranger, admin, unreachable, sql };
  // The caller had a conversation with the blocked member, which must not be visible either.
  await fixtures.message(world, members.blocked.id, me.id);
  return world;
}

let rowCount = 0;

/** Inserts of rows that belong to a member; each call inserts a new row and returns its id. */
export const fixtures = {
  session: ({ sql }: World, owner: number) =>
    sql(
      `insert into session (token_hash, account_id, brand, ts_created, ts_last_used, ts_expires)
       values (randomblob(32), ?, 'ember', 1, 1, 9e15) returning id`,
      owner,
    ),
  lockdownSignal: ({ sql }: World, owner: number) =>
    sql(
      "insert into lockdown_signal (account_id, token_hash, hours) values (?, randomblob(32), 1) returning id",
      owner,
    ),
  passkey: ({ sql }: World, owner: number) =>
    sql(
      `insert into passkey (account_id, credential_id, public_key, counter, backed_up, brand, rp_id, name, ts_created)
       values (?, hex(randomblob(32)), randomblob(77), 0, 1, 'ember', 'ember.localhost', 'Phone', 1) returning id`,
      owner,
    ),
  trip: ({ sql }: World, owner: number) =>
    sql(
      `insert into trip (profile_id, name, cell, key, day_from, day_to) values (?, 'Berlin', 1, 1, 1, 2) returning id`,
      owner,
    ),
  notification: ({ sql }: World, owner: number) =>
    sql(
      `insert into notification (profile_id, kind, body_text, brand, ts_created)
       values (?, 'standing', 'News', 'ember', 1) returning id`,
      owner,
    ),
  push: ({ sql }: World, owner: number) =>
    sql(
      `insert into push_subscription (profile_id, device_name, endpoint, auth_base64, p256dh_base64, brand, ts_created)
       values (?, 'Phone', 'https://push.example/' || hex(randomblob(8)), 'a', 'b', 'ember', 1) returning id`,
      owner,
    ),
  introduction: ({ sql }: World, owner: number, audience: "public" | "private" = "public") =>
    sql(
      `insert into profile_voice (profile_id, id, audience, r2_key, mime, bytes, duration_ms, peaks, ts_created)
       values (?, abs(random() % 1000000000) + 1, ?, hex(randomblob(8)), 'audio/webm', 900, 3000, '[1]', 1)
       on conflict (profile_id) do update set audience = excluded.audience returning id`,
      owner,
      audience,
    ),
  picture: async ({ sql }: World, owner: number, audience = "public") => {
    const id = await sql(
      `insert into picture (profile_id, audience, width, height, bytes, ts_created, ts_updated)
       values (?, ?, 40, 50, 900, 1, 1) returning id`,
      owner,
      audience,
    );
    const column = audience === "private" ? "pics_private" : "pics_public";
    await sql(
      `update profile set ${column} = json_insert(${column}, '$[#]', cast(? as integer)) where id = ?`,
      id,
      owner,
    );
    return id;
  },
  message: async ({ sql }: World, from: number, to: number) => {
    rowCount += 1;
    const [low, high] = [Math.min(from, to), Math.max(from, to)];
    const id = await sql(
      `insert into message (sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, ts_created)
       values (?, ?, ?, ?, ?, 'Hello', 'ember', 1) returning id`,
      from,
      to,
      low,
      high,
      `client-${rowCount}`,
    );
    for (const [owner, other] of [
      [from, to],
      [to, from],
    ]) {
      await sql(
        `insert into conversation (profile_id, other_id, last_message_id, unread) values (?, ?, ?, 0)
         on conflict do update set last_message_id = excluded.last_message_id`,
        owner,
        other,
        id,
      );
    }
    return id;
  },
  pictureMessage: async (world: World, from: number, to: number) => {
    const id = await fixtures.message(world, from, to);
    const picture = await fixtures.picture(world, from);
    await world.sql("update message set picture_ids = json_array(cast(? as integer)) where id = ?", picture, id);
    return id;
  },
  /** A message with a picture that opens once, which its reader has open. */
  openedOnce: async (world: World, from: number, to: number) => {
    const id = await fixtures.message(world, from, to);
    const picture = await fixtures.picture(world, from);
    await world.sql(
      `insert into once_view (picture_id, message_id, sender_id, reader_id, ts_due, ts_opened)
       values (?, ?, ?, ?, 9e15, 1)`,
      picture,
      id,
      from,
      to,
    );
    return id;
  },
  /** A case against the subject, in any state. */
  report: async ({ sql }: World, subject: number, brand = "ember", state = "staff", outcome: string | null = null) => {
    rowCount += 1;
    // A member can have one open case.
    await sql(
      "update report set state = 'decided', outcome = 'none' where subject_id = ? and state <> 'decided'",
      subject,
    );
    return sql(
      `insert into report (case_ref, brand, subject_id, source, source_id, category, severity, state, outcome, ts_created, ts_decided)
       values (?, ?, ?, 'profile', ?, 'threat', 5, ?, ?, 1, ?) returning id`,
      rowCount.toString(16).padStart(24, "0"),
      brand,
      subject,
      rowCount,
      state,
      outcome,
      state === "decided" ? Date.now() : null,
    );
  },
  jury: async (world: World, juror: number) => {
    const report = await fixtures.report(world, world.unreachable.banned, "ember", "jury");
    const id = await world.sql(
      "insert into jury (report_id, round, state, ts_opened) values (?, 1, 'open', 1) returning id",
      report,
    );
    await world.sql(
      "insert into juror (jury_id, profile_id, state, ts_summoned) values (?, ?, 'summoned', ?)",
      id,
      juror,
      Date.now(),
    );
    return id;
  },
  action: ({ sql }: World, subject: number, brand = "ember") =>
    sql(
      `insert into moderation_action (profile_id, case_ref, brand, kind, rule, reason, by_jury, ts_created)
       values (?, hex(randomblob(12)), ?, 'warn', 'spam', 'Spam.', 0, 1) returning id`,
      subject,
      brand,
    ),
  contact: ({ sql }: World, brand: string) =>
    sql(
      "insert into contact_message (kind, brand, name, message, ts_created) values ('contact', ?, 'A', 'B', 1) returning id",
      brand,
    ),
  /** An undecided notice about a picture of the owner. */
  notice: async (world: World, owner: number, brand = "ember") => {
    const picture = await fixtures.picture(world, owner);
    const id = await world.sql(
      `insert into notice (ref, case_ref, brand, kind, category, locale, name, email, ts_created)
       values (hex(randomblob(5)), hex(randomblob(12)), ?, 'intimate', 'intimate', 'en', 'Ann', 'ann@example.test', 1) returning id`,
      brand,
    );
    await world.sql(
      "insert into notice_picture (notice_id, picture_id, profile_id, version, state, ts_created) values (?, ?, ?, 1, 'hidden', 1)",
      id,
      picture,
      owner,
    );
    return id;
  },
  /** A decided notice with the owner's objection. */
  counter: async (world: World, owner: number, brand = "ember") => {
    const id = await fixtures.notice(world, owner, brand);
    await world.sql("update notice set state = 'removed', ts_decided = 1 where id = ?", id);
    await world.sql("update notice_picture set state = 'removed' where notice_id = ?", id);
    await world.sql(
      "insert into notice_counter (notice_id, profile_id, text, ts_created) values (?, ?, 'It is mine.', 1)",
      id,
      owner,
    );
    return id;
  },
  /** An item in the player's pack, which nobody else may vote on. */
  gameItem: async (world: World, player: number, game: "rating" | "buster" | "check") => {
    rowCount += 1;
    const picture = game === "buster" ? 0 : await fixtures.picture(world, world.stranger.id);
    const content = {
      rating: { picture },
      buster: { body: `Text ${rowCount}` },
      check: { known: "him", pairs: [[picture, picture]], reads: { 0: 1 } },
    }[game];
    await world.sql(
      `insert into game_pack (profile_id, game, day, items) values (?, ?, ?, json_object(?, json(?)))
       on conflict do update set items = json_patch(items, excluded.items)`,
      player,
      game,
      Math.floor(Date.now() / 86_400_000),
      String(rowCount),
      JSON.stringify({ ...content, version: 1, ts_drawn: Date.now() - 60_000 }),
    );
    return rowCount;
  },
  /** A check that waits for staff. */
  personCheck: async (world: World, member: number) => {
    await world.sql(
      `insert or replace into person_check (profile_id, state, pose, ts_started)
       values (?, 'staff', '{"fingers":2,"hand":"left","turn":"up","number":"0042"}', 1)`,
      member,
    );
    return member;
  },
  cropSuggestion: async (world: World, owner: number, author: number) => {
    const picture = await fixtures.picture(world, owner);
    return world.sql(
      `insert into crop_suggestion (picture_id, version, owner_id, author_id, x, y, width, height, ts_created)
       values (?, 1, ?, ?, 0, 0, 0.5, 0.5, 1) returning id`,
      picture,
      owner,
      author,
    );
  },
} as const;

/** Returns every row of every table, to show that a refused call changed nothing. */
export async function dumpDatabase({ worker }: World): Promise<Record<string, unknown[]>> {
  const [tables = []] = await worker.run({
    query: `select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '_cf_%' order by name`,
  });
  const rows = await worker.run(...tables.map(({ name }) => ({ query: `select * from "${name}"` })));
  return Object.fromEntries(tables.map(({ name }, index) => [name, rows[index] ?? []]));
}
