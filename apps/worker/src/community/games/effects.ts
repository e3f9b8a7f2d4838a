/** What follows from an answer, whether votes or staff gave it, and what its owner is told. */
import { sql } from "kysely";
import { freezePicture, freezeProfile } from "../../moderation/report/evidence.ts";
import { type NewCase, openCase } from "../../moderation/report/file.ts";
import { batch, type Compiled } from "../../platform/db/batch.ts";
import { failedGuard, guard } from "../../platform/db/guard.ts";
import type { GameItemTable } from "../../platform/db/tables.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { notify } from "../../social/notifications/notify.ts";
import { isConsequent } from "./rules.ts";

/** How far an answer is believed as a reporter. */
const CONSENSUS_CREDIBILITY = 0.8;
/** Where an owner sees what became of a picture, and can ask for another look. */
const OWN_PICTURES = "/profileEdit";

const TOLD = {
  marked: {
    en: "The community rated one of your pictures NSFW; it is pixelated for those who hide NSFW. You can ask for another look.",
    es: "La comunidad ha calificado de NSFW una de tus fotos; quien oculta el NSFW la verá pixelada. Puedes pedir que la miren de nuevo.",
  },
  confirmed: {
    en: "Others looked at your picture again and came to the same answer: it stays NSFW.",
    es: "Otras personas han vuelto a mirar tu foto y opinan lo mismo: sigue como NSFW.",
  },
  cleared: {
    en: "Your picture is no longer rated NSFW by the community. Everybody sees it as it is.",
    es: "La comunidad ya no califica tu foto de NSFW. Todo el mundo la ve tal cual.",
  },
} as const;

export interface SettledItem
  extends Pick<GameItemTable, "game" | "picture_id" | "subject_id" | "version" | "answer" | "ts_look" | "ts_decided"> {
  readonly id: number;
}

/** An answer with what speaks for it; `staff`: who decided is no member's vote. */
export interface Settlement {
  readonly answer: string;
  readonly share: number;
  readonly votes: number;
  readonly staff?: true;
}

/**
 * Makes an answer the item's. The Rating Game: sets or clears the community's NSFW mark, tells the owner, and files a report for
 * a rule-breaking picture. GPT Buster!: files a report for a text that reads like a bot's. All of it or nothing: an item whose
 * report could not be filed is settled by the next vote.
 */
export async function settleItem(ctx: MemberContext, item: SettledItem, settlement: Settlement): Promise<void> {
  const { db, now } = ctx;
  const { answer, share, votes, staff } = settlement;
  // After staff only new votes may doubt them, or each vote would bring the item back.
  const by = staff
    ? ({ by_staff: 1, known: answer, staff_why: null, ts_staff: null, tally: "{}" } as const)
    : ({ by_staff: 0, known: null } as const);
  const settling: Compiled[] = [
    guard(db, sql<boolean>`exists (select 1 from game_item where id = ${item.id} and answer is ${item.answer})`),
    db
      .updateTable("game_item")
      .set({ answer, share, ts_decided: now, ...by })
      .where("id", "=", item.id)
      .compile(),
  ];
  const nsfw = isConsequent(answer) ? 1 : 0;
  if (item.picture_id !== null) {
    settling.push(
      sql`update picture set nsfw_community = ${nsfw}, ts_updated = ${now} where id = ${item.picture_id}
        and version = ${item.version} and nsfw_community <> ${nsfw}`.compile(db),
    );
  }
  const who = staff ? "staff" : `${votes} members, ${Math.round(share * 100)} % of their weight,`;
  const report = answer === item.answer ? undefined : await reportOf(ctx, item, answer, who);
  try {
    if (report) await openCase(ctx, report, settling);
    else await batch(ctx.d1, settling);
  } catch (error) {
    // Another vote settled it at the same moment.
    if (!failedGuard(error)) throw error;
    return;
  }
  await tellOwner(ctx, item, nsfw === 1);
}

/** Only the owner, only what changed, and never by whom. */
async function tellOwner(ctx: MemberContext, item: SettledItem, marked: boolean): Promise<void> {
  if (item.picture_id === null || item.subject_id === null) return;
  const wasMarked = item.answer !== null && isConsequent(item.answer);
  const asked = item.ts_look !== null && item.ts_look > (item.ts_decided ?? 0);
  const news =
    marked !== wasMarked ? (marked ? TOLD.marked : TOLD.cleared) : marked && asked ? TOLD.confirmed : undefined;
  if (!news) return;
  await notify(ctx, { profileId: item.subject_id, kind: "picture", bodyText: news, url: OWN_PICTURES });
}

/** Puts an item before staff; once, until they decided. */
export async function callStaff(
  { db, now }: Pick<MemberContext, "db" | "now">,
  itemId: number,
  why: NonNullable<GameItemTable["staff_why"]>,
): Promise<void> {
  await db
    .updateTable("game_item")
    .set({ staff_why: why, ts_staff: now })
    .where("id", "=", itemId)
    .where("staff_why", "is", null)
    .execute();
}

/** What is held against the item's subject, with evidence; undefined when nothing is. */
async function reportOf(
  { db, env, now }: MemberContext,
  { game, picture_id: pictureId, subject_id: subjectId, version }: SettledItem,
  answer: string,
  who: string,
): Promise<NewCase | undefined> {
  if (subjectId === null) return undefined;
  const byGame = { subjectId, reporterId: null, credibility: CONSENSUS_CREDIBILITY };
  if (game === "rating" && pictureId !== null && answer === "rule_breaking") {
    return {
      ...byGame,
      category: "explicit",
      source: "picture",
      sourceId: pictureId,
      text: `The Rating Game: ${who} found this picture to break the rules.`,
      items: [
        await freezePicture(env, { id: pictureId, profile_id: subjectId, version, nsfw: true }, now),
        await freezeProfile(db, subjectId, now),
      ],
    };
  }
  if (game === "buster" && answer === "bot") {
    return {
      ...byGame,
      category: "bot",
      source: "profile",
      sourceId: subjectId,
      text: `GPT Buster: ${who} think that a bot wrote this profile.`,
      items: [await freezeProfile(db, subjectId, now)],
    };
  }
  return undefined;
}
