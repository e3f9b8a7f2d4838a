/** Who said of whom that the pictures are real, and what is shown of it. A member's count changes on one day of 28 alone. */
import { DAY_MS, MET_COUNT_MS, MET_KEPT_MS, MET_MESSAGES_EACH_MIN } from "@lambda/contract/limits";
import { type RawBuilder, sql } from "kysely";
import { knowEachOther } from "../../messaging/messages/mutual-messages.ts";
import { pairDatabase } from "../../messaging/wrote-to.ts";
import { ownFirstPicture } from "../../pictures/album-order.ts";
import { batch, type Database, insertFrom, openDatabase, type Query } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import { notFound } from "../../platform/errors.ts";
import { forEachDue } from "../../platform/for-each.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { firstPictureOf, inSightAnywhere, visibleTo } from "../../visibility/visibility.ts";
import { listCounted, type Sayer, shownLevel } from "./rules.ts";

/** A bound on what one count reads; the oldest accounts come first. */
const SAYERS_MAX = 50;
const COUNTED_PER_RUN_MAX = 50;
const CONVERSATIONS_READ_MAX = 100;

/** A picture that stands for a member, as it is now: a replaced one is another. */
const asItIs = (id: RawBuilder<number | null>) =>
  sql<string | null>`(select pic.id || '.' || pic.version from picture pic where pic.id = ${id})`;
const shownPicture = asItIs(firstPictureOf("p"));
/** Another in the member's own view while a picture is held, which its owner must not notice. */
const ownPicture = asItIs(ownFirstPicture("p"));

const publicPictures = sql<string>`(select json_group_array(pic.id || '.' || pic.version)
  from json_each(p.pics_public) shown join picture pic on pic.id = shown.value)`;

/**
 * By how many members `profile p` was met, as the viewer sees it: nothing once another picture stands first, and nothing in a country that
 * punishes, where it would be evidence.
 */
export function metBy(viewerId: number, picture = shownPicture): RawBuilder<number> {
  return sql<number>`ifnull((select s.shown from met_shown s
    where s.profile_id = p.id and s.viewer_id in (p.id, ${viewerId}) and s.picture = ${picture}
      and not exists (select 1 from travel_stay y where y.profile_id = p.id and y.ts_left is null)
    order by s.viewer_id = p.id limit 1), 0)`;
}

/** Throws NOT_FOUND for a member whom the viewer cannot see. */
export async function getMetState(ctx: MemberContext, otherId: number): Promise<{ said: boolean; canSay: boolean }> {
  const me = ctx.viewer.profileId;
  const row = await ctx.db
    .selectFrom("profile as p")
    .leftJoin("met as m", (join) => join.onRef("m.about_id", "=", "p.id").on("m.author_id", "=", me))
    .select(["m.ts_said", "p.pics_public", pairDatabase(me, otherId).as("database")])
    .where("p.id", "=", otherId)
    .where(visibleTo(ctx))
    .executeTakeFirstOrThrow(notFound);
  const hasPicture = row.pics_public !== "[]";
  return {
    said: row.ts_said !== null,
    canSay: hasPicture && (await knowEachOther(ctx, otherId, row.database)),
  };
}

/** Stores it of the pictures that are public now, and gives a member who is not counted yet a day of their own. */
export async function sayMet(ctx: MemberContext, aboutId: number): Promise<void> {
  const { db, now } = ctx;
  const day = { ts_said: now - (now % DAY_MS) };
  const about = db
    .selectFrom("profile as p")
    .select(["p.id as about_id", publicPictures.as("pictures")])
    .where("p.id", "=", aboutId);
  const said = insertFrom(db, "met", about, { author_id: ctx.viewer.profileId, ...day }).onConflict((conflict) =>
    conflict
      .columns(["about_id", "author_id"])
      .doUpdateSet((eb) => ({ pictures: eb.ref("excluded.pictures"), ...day })),
  );
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  const due = db
    .insertInto("met_shown")
    .values({ profile_id: aboutId, viewer_id: aboutId, ts_next: now + (random % MET_COUNT_MS) })
    .onConflict((conflict) => conflict.doNothing());
  await batch(ctx.d1, [said, due]);
}

export async function takeMetBack(db: Database, sayerId: number, aboutId: number): Promise<void> {
  await db.deleteFrom("met").where("about_id", "=", aboutId).where("author_id", "=", sayerId).execute();
}

export async function findOwnMetBy(db: Database, profileId: number): Promise<number> {
  const row = await db
    .selectFrom("profile as p")
    .select(metBy(profileId, ownPicture).as("metBy"))
    .where("p.id", "=", profileId)
    .executeTakeFirstOrThrow();
  return row.metBy;
}

/** Scheduled: counts the members whose day has come. Returns whether there may be more. */
export async function countMet(env: Env, now: number, limit: number): Promise<boolean> {
  const max = Math.min(limit, COUNTED_PER_RUN_MAX);
  const db = openDatabase(env.DB);
  const due = await db
    .selectFrom("met_shown")
    .select(["profile_id", "ts_next"])
    .where("ts_next", "<=", now)
    .$narrowType<{ ts_next: number }>()
    .orderBy("ts_next")
    .limit(max)
    .execute();
  await forEachDue(due, async ({ profile_id: id, ts_next: day }) => {
    // Stored first and apart, so that one that fails does not hold up the others in each run.
    const next = day + Math.ceil((now + 1 - day) / MET_COUNT_MS) * MET_COUNT_MS;
    await db
      .updateTable("met_shown")
      .set({ ts_next: next })
      .where("profile_id", "=", id)
      .where("viewer_id", "=", id)
      .execute();
    await db
      .deleteFrom("met")
      .where("about_id", "=", id)
      .where("ts_said", "<=", now - MET_KEPT_MS)
      .execute();
    await batch(env.DB, await showQueries(db, id));
  });
  return due.length === max;
}

async function showQueries(db: Database, id: number): Promise<Query[]> {
  const own = await db
    .selectFrom("profile as p")
    .innerJoin("account as a", "a.id", "p.id")
    .select(["a.network", ownPicture.as("picture")])
    .where("p.id", "=", id)
    .executeTakeFirst();
  if (!own) return [];
  const { picture } = own;
  const sayers = picture === null ? [] : await listSayers(db, id, picture);
  const counted = listCounted(sayers, own.network);
  const shown = shownLevel(counted.length);
  const single = counted.flatMap((sayer) => {
    const without = shownLevel(
      listCounted(
        sayers.filter((other) => other !== sayer),
        own.network,
      ).length,
    );
    return without === shown ? [] : [{ profile_id: id, viewer_id: sayer.id, shown: without, picture }];
  });
  const ofMember = db.updateTable("met_shown").set({ shown, picture }).where("profile_id", "=", id);
  return [
    db.deleteFrom("met_shown").where("profile_id", "=", id).where("viewer_id", "<>", id),
    ofMember.where("viewer_id", "=", id),
    ...single.map((row) => db.insertInto("met_shown").values(row)),
  ];
}

/** Members in sight of the member, so that a block looks like hiding, who said it of the picture that stands first now, and of whom the member said it. */
function listSayers(db: Database, id: number, picture: string): Promise<Sayer[]> {
  return db
    .selectFrom("met as m")
    .innerJoin("met as back", (join) => join.onRef("back.about_id", "=", "m.author_id").on("back.author_id", "=", id))
    .innerJoin("profile as p", "p.id", "m.author_id")
    .innerJoin("account as a", "a.id", "m.author_id")
    .select(["m.author_id as id", "m.ts_said as tsSaid", "a.ts_created as tsJoined", "a.network"])
    .select(otherConversations(id).as("conversations"))
    .where("m.about_id", "=", id)
    .where(inSightAnywhere(id))
    .where(sql<boolean>`exists (select 1 from json_each(m.pictures) where value = ${picture})`)
    .orderBy("a.ts_created")
    .limit(SAYERS_MAX)
    .execute();
}

/**
 * Networks of the members with whom the sayer `m` talked, without those who said it of the same member, answered or not: accounts of one person
 * could talk with each other, or with new ones made for it. Who has no network any more has been here for a year, and counts.
 */
function otherConversations(aboutId: number): RawBuilder<number> {
  const networks = (mine: "low_id" | "high_id", theirs: "low_id" | "high_id") =>
    sql`(select ifnull(talked.network, -talked.id) as network from message_pair t
      join account talked on talked.id = t.${sql.raw(theirs)} where t.${sql.raw(mine)} = m.author_id
      and min(t.low_count, t.high_count) >= ${sql.lit(MET_MESSAGES_EACH_MIN)} and t.${sql.raw(theirs)} <> ${aboutId}
      and not exists (select 1 from met o where o.about_id = ${aboutId} and o.author_id = t.${sql.raw(theirs)})
      limit ${sql.lit(CONVERSATIONS_READ_MAX)})`;
  return sql<number>`(select count(*) from (select network from ${networks("low_id", "high_id")}
    union select network from ${networks("high_id", "low_id")}))`;
}
