/** A member's own check: the pose, the stills, and giving it up. */
import {
  CHECK_AGAIN_AFTER_STAFF_MS,
  CHECK_AGAIN_MS,
  CHECK_POSE_MS,
  CHECK_POSES_PER_DAY_MAX,
  CHECK_REFUSALS_MAX,
  CHECK_STILLS,
  CHECK_UPLOAD_SLACK_MS,
  DAY_MS,
  HOUR_MS,
} from "@lambda/contract/limits";
import { type CheckedMember, type OwnPersonCheck, PersonCheckPose } from "@lambda/contract/person-check";
import type { CurveKey } from "@lambda/geo/curve";
import { dayOf } from "@lambda/geo/time";
import { type RawBuilder, sql } from "kysely";
import { isPublic } from "../../pictures/access.ts";
import { ownFirstPicture } from "../../pictures/album-order.ts";
import { isShownToOwner } from "../../pictures/hidden.ts";
import { refreshStay } from "../../places/travel/whereabouts.ts";
import { batch, bindNames, type Database, type Query, valuesOf } from "../../platform/db/database.ts";
import type { PersonCheckRow } from "../../platform/db/tables.ts";
import { AppError } from "../../platform/errors.ts";
import { toIso } from "../../platform/iso-time.ts";
import { secretRandom } from "../../platform/shuffle.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { isChecked } from "../../visibility/is-checked.ts";
import { visibleTo } from "../../visibility/visibility.ts";
import { sendToStaff, startPanel } from "./panel.ts";
import { drawPose } from "./rules.ts";
import { deleteStills, STILLS_KEPT_MS } from "./verdict.ts";

const monthOf = (ts: number) => toIso(ts).slice(0, 7);

/** Public pictures that may show a face: those not marked NSFW. Also held ones, which no judge sees, as their owner must not notice. */
const comparable = (profileId: number): RawBuilder<unknown> => sql`from picture pic where pic.profile_id = ${profileId}
  and ${isPublic("pic")} and ${isShownToOwner("pic")} and pic.nsfw_owner = 0 and pic.nsfw_community = 0`;

const OWN_ALBUM = "ifnull(shown.own_pics_public, shown.pics_public)";

export async function readOwnCheck(ctx: MemberContext): Promise<OwnPersonCheck> {
  const { db, viewer, now } = ctx;
  const me = viewer.profileId;
  const [row, facts] = await Promise.all([
    db.selectFrom("person_check").selectAll().where("profile_id", "=", me).executeTakeFirst(),
    db
      .selectNoFrom([
        sql<number>`exists (select 1 ${comparable(me)} and pic.id = (select ${ownFirstPicture("profile")} from profile where id = ${me}))`.as(
          "comparable",
        ),
        bindNames(isChecked("$me", "$now", OWN_ALBUM), { me, now }).as("checked"),
        sql<number>`exists (select 1 from travel_stay y where y.profile_id = ${me} and y.ts_left is null)`.as(
          "punishing",
        ),
      ])
      .executeTakeFirstOrThrow(),
  ]);
  const msLeft = row?.state === "posing" ? Math.max(0, row.ts_started + CHECK_POSE_MS - now) : 0;
  const again = row && againAt(row, now);
  return {
    // A pose that was not held in time is no state of its own.
    state: row ? (row.state === "posing" && msLeft === 0 ? "expired" : row.state) : "none",
    pose: msLeft > 0 ? PersonCheckPose.parse(JSON.parse(row!.pose)) : null,
    msLeft,
    month: row?.ts_checked && facts.checked ? monthOf(row.ts_checked) : null,
    refusals: row?.refusals ?? 0,
    tsAgain: again && again > now ? toIso(again) : null,
    comparable: facts.comparable === 1,
    punishing: facts.punishing === 1 && row?.even_here !== 1,
  };
}

/** When the next pose may be drawn. */
function againAt(row: PersonCheckRow, now: number): number {
  const refused = row.state === "not_him" || row.state === "unclear" || (row.state === "expired" && row.refusals > 0);
  const wait = row.refusals >= CHECK_REFUSALS_MAX ? CHECK_AGAIN_AFTER_STAFF_MS : CHECK_AGAIN_MS;
  const afterRefusal = refused ? (row.ts_decided ?? 0) + wait : 0;
  const isUsedUp = row.poses >= CHECK_POSES_PER_DAY_MAX && dayOf(row.ts_started) === dayOf(now);
  return Math.max(afterRefusal, isUsedUp ? (dayOf(now) + 1) * DAY_MS : 0);
}

/**
 * Draws a pose, or returns the open one: drawing again must not help. Throws HIDING, NOT_ALLOWED without a picture to compare and in a
 * country that punishes unless it is chosen, CONFLICT while a check is judged, TOO_MANY_REQUESTS after a refusal or many poses.
 */
export async function startCheck(ctx: MemberContext, evenHere: boolean): Promise<OwnPersonCheck> {
  const { db, viewer, now } = ctx;
  await refreshStay(ctx);
  const own = await readOwnCheck(ctx);
  if (viewer.hidden) throw new AppError("HIDING");
  if (own.punishing && !evenHere)
    throw new AppError("NOT_ALLOWED", { message: "Where you are this is off, unless you choose it." });
  if (!own.comparable)
    throw new AppError("NOT_ALLOWED", { message: "Let a picture of you without NSFW mark come first." });
  if (own.state === "judging" || own.state === "staff") throw new AppError("CONFLICT");
  if (own.pose) return own;
  if (own.tsAgain)
    throw new AppError("TOO_MANY_REQUESTS", { retryAfterSeconds: Math.ceil((Date.parse(own.tsAgain) - now) / 1000) });
  const fresh = { state: "posing", pose: JSON.stringify(drawPose(secretRandom)), ts_started: now } as const;
  await db
    .insertInto("person_check")
    .values({ profile_id: viewer.profileId, even_here: own.punishing ? 1 : 0, ...fresh })
    .onConflict((conflict) =>
      conflict
        .column("profile_id")
        .doUpdateSet({
          ...fresh,
          even_here: sql<0 | 1>`max(even_here, excluded.even_here)`,
          poses: sql<number>`iif(ts_started / ${sql.lit(DAY_MS)} = ${dayOf(now)}, poses + 1, 1)`,
        })
        .where("person_check.state", "not in", ["judging", "staff"])
        .where(sql<boolean>`not (person_check.state = 'posing' and person_check.ts_started > ${now - CHECK_POSE_MS})`),
    )
    .execute();
  return readOwnCheck(ctx);
}

/**
 * Hands the stills in. Throws CONFLICT when no pose is open or its minute is over, BAD_INPUT unless they are the viewer's own, made to be
 * seen once, in no message, and uploaded since the pose was drawn.
 */
export async function submitStills(ctx: MemberContext, pictures: readonly number[]): Promise<OwnPersonCheck> {
  const { db, viewer, now } = ctx;
  const me = viewer.profileId;
  const ids = JSON.stringify(pictures);
  const fit = sql<number>`(select count(*) from json_each(${ids}) still
    cross join picture pic on pic.id = still.value cross join once_view o on o.picture_id = pic.id
    where pic.profile_id = ${me} and pic.audience = 'once' and o.message_id is null
    and pic.ts_created >= person_check.ts_started)`;
  const isOpenPose = sql<boolean>`state = 'posing' and ts_started > ${now - CHECK_POSE_MS - CHECK_UPLOAD_SLACK_MS}`;
  if (new Set(pictures).size < CHECK_STILLS) throw new AppError("BAD_INPUT", { field: "pictures" });
  const submitted = await db
    .updateTable("person_check")
    // Staff get it soon if drawing the judges fails.
    .set({ state: "judging", stills: ids, ts_due: now + HOUR_MS })
    .set({
      key: sql<CurveKey | null>`(select key from position where profile_id = ${me} and ts_effective_until > ${now})`,
    })
    .set({ compared: sql<string>`(select json_group_array(pic.id || ':' || pic.version) ${comparable(me)})` })
    .where("profile_id", "=", me)
    .where(isOpenPose)
    .where(fit, "=", CHECK_STILLS)
    .where(sql<boolean>`exists (select 1 ${comparable(me)})`)
    .returning("refusals")
    .executeTakeFirst();
  if (!submitted) {
    const open = await db.selectFrom("person_check").select("state").where("profile_id", "=", me).where(isOpenPose);
    if (await open.executeTakeFirst())
      throw new AppError("BAD_INPUT", { field: "pictures", message: "pictures: three stills of this minute" });
    throw new AppError("CONFLICT", { message: "The minute is over. Draw another pose." });
  }
  await db
    .updateTable("once_view")
    .set({ ts_due: now + STILLS_KEPT_MS })
    .where(sql<boolean>`picture_id in (select value from json_each(${ids}))`)
    .where("sender_id", "=", me)
    .execute();
  if (submitted.refusals >= CHECK_REFUSALS_MAX) await sendToStaff(ctx, me);
  else await startPanel(ctx, me);
  return readOwnCheck(ctx);
}

/**
 * Ends a check that was handed in as a refusal, by staff too, whom an accomplice's report may have brought in: ending it would give any number
 * of draws, and deleting the account and coming back would give them without the wait.
 */
export function endHandedInQuery(db: Database, profileId: number, now: number): Query {
  return db
    .updateTable("person_check")
    .set({ state: "expired", refusals: sql<number>`refusals + 1`, ts_decided: now })
    .where("profile_id", "=", profileId)
    .where("state", "in", ["judging", "staff"]);
}

/** Ends the check and gives up the badge. */
export async function withdrawCheck(ctx: MemberContext): Promise<OwnPersonCheck> {
  const { db, d1, viewer, now } = ctx;
  const ended = db.updateTable("person_check").set({ state: "expired", ts_checked: null });
  await batch(d1, [endHandedInQuery(db, viewer.profileId, now), ended.where("profile_id", "=", viewer.profileId)]);
  await deleteStills(ctx);
  return readOwnCheck(ctx);
}

/** Those of the members who have the badge and whom the viewer may see now. */
export async function listChecked(ctx: MemberContext, profileIds: readonly number[]): Promise<CheckedMember[]> {
  const rows = await ctx.db
    .selectFrom(valuesOf(profileIds, "asked"))
    .crossJoin("person_check as k")
    .crossJoin("profile as p")
    .select(["k.profile_id", "k.ts_checked"])
    .whereRef("k.profile_id", "=", "asked.column1")
    .whereRef("p.id", "=", "asked.column1")
    .where(bindNames(isChecked("p.id", "$now"), { now: ctx.now }))
    .where(visibleTo(ctx))
    .execute();
  return rows.map(({ profile_id, ts_checked }) => ({ profileId: profile_id, month: monthOf(ts_checked ?? 0) }));
}
