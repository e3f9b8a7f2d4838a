/** Ends a check with a verdict, which deletes the stills. */

import { CHECK_JUDGED_MAX_MS, CHECK_REFUSALS_MAX, CHECK_STAFF_WAIT_MS } from "@lambda/contract/limits";
import type { CheckAnswer } from "@lambda/contract/person-check";
import { sql } from "kysely";
import { deleteDueOnceViews } from "../../messaging/messages/once-view.ts";
import { type NotifyContext, notify } from "../../notifications/notify.ts";
import { onBrand } from "../../platform/context.ts";
import { inEachLocale } from "../../platform/copy.ts";
import type { Query } from "../../platform/db/database.ts";
import { logFault } from "../../platform/log.ts";
import { personCheckCopy } from "./copy.ts";

/** Until every way to a verdict has ended; then their bytes go whatever happened. */
export const STILLS_KEPT_MS = CHECK_JUDGED_MAX_MS + CHECK_STAFF_WAIT_MS;
const CHECKED_URL = "/checked";

/** The query that stores a verdict. The badge is withheld if a picture became public that nobody compared. */
export function verdictQuery(
  { db, now }: NotifyContext,
  profileId: number,
  answer: CheckAnswer,
  by: "players" | "staff",
) {
  const date = new Date(now);
  const month = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  const compared = sql`instr(person_check.compared, '"' || pic.id || ':' || pic.version || '"')`;
  const badge = sql<number | null>`iif(exists (select 1 from picture pic where pic.profile_id = person_check.profile_id
    and pic.audience = 'public' and pic.nsfw_owner = 0 and pic.nsfw_community = 0 and ${compared} = 0), null, ${month})`;
  // The third refusal by players is no verdict yet: staff compare the same stills.
  const refused = sql<CheckAnswer>`iif(${by} = 'players' and refusals + 1 >= ${sql.lit(CHECK_REFUSALS_MAX)}, 'staff', ${answer})`;
  return db
    .updateTable("person_check")
    .set({
      state: answer === "him" ? answer : refused,
      ts_decided: now,
      ts_due: answer === "him" ? null : now + CHECK_STAFF_WAIT_MS,
      refusals: answer === "him" ? 0 : sql<number>`max(refusals + 1, ${by === "staff" ? CHECK_REFUSALS_MAX : 0})`,
      ts_checked: answer === "him" ? badge : null,
    })
    .where("profile_id", "=", profileId)
    .where("state", "=", by === "staff" ? "staff" : "judging")
    .returning(["state", "ts_checked"]);
}

/** To be run after the verdict is stored: deletes the bytes now, and tells the member. */
export async function announceVerdict(
  ctx: NotifyContext,
  profileId: number,
  { state, ts_checked }: { readonly state: string; readonly ts_checked: number | null },
  by: "players" | "staff",
): Promise<void> {
  if (state !== "staff") await deleteStills(ctx);
  const key =
    state === "him"
      ? ts_checked === null
        ? "changed"
        : "him"
      : state === "staff" || state === "expired"
        ? state
        : by === "staff"
          ? "refusedByStaff"
          : (state as "not_him" | "unclear");
  const bodyText = inEachLocale(personCheckCopy, (text) => text[key]);
  const account = ctx.db.selectFrom("account").select("home_brand").where("id", "=", profileId);
  // Not the judge's, on which the member may have no device, and which is nobody's business.
  const home = (await account.executeTakeFirst())?.home_brand ?? ctx.brand.id;
  await notify(onBrand(ctx, home), { profileId, kind: "picture", bodyText, url: CHECKED_URL });
}

/** Deletes the bytes of stills whose rows are due; the schedule retries failures. */
export async function deleteStills({ env, db, now }: Pick<NotifyContext, "env" | "db" | "now">): Promise<void> {
  await deleteDueOnceViews(env, db, now).catch((error) => logFault({ event: "stills" }, error));
}

export function deleteSeatsQuery({ db }: Pick<NotifyContext, "db">, profileId: number): Query {
  return db.deleteFrom("person_check_seat").where("profile_id", "=", profileId);
}
