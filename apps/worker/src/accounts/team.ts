/** Who may use a brand before it opens: its admins, and members who could join only because the team let them. */

import { sql } from "kysely";
import type { Context } from "../platform/context.ts";
import { hasRow } from "../platform/db/database.ts";
import { mailboxOf } from "./mailbox.ts";

/** On an `account` row. A sister site's member is none, even one whose profile is shared with this brand. */
const ofTeam = (brand: string) => sql<boolean>`(home_brand = ${brand} or admin_brand in ('*', ${brand}))`;

/** Whether the session's member is of the team, also while the device is locked. */
export async function isOfTeam({ db, brand, viewer, lockedViewer }: Context): Promise<boolean> {
  const member = viewer ?? lockedViewer;
  if (!member) return false;
  return hasRow(db.selectFrom("account").select("id").where("id", "=", member.profileId).where(ofTeam(brand.id)));
}

/** Whether an address may get a login link: of somebody of the team, of the operator, or invited by the team. */
export async function mayJoinUnopened({ db, env, brand }: Context, email: string): Promise<boolean> {
  const mailbox = mailboxOf(email);
  if (env.ALERT_ADDRESS && mailboxOf(env.ALERT_ADDRESS) === mailbox) return true;
  const account = await db
    .selectFrom("account")
    .select("id")
    .where("mailbox", "=", mailbox)
    .where(ofTeam(brand.id))
    .executeTakeFirst();
  if (account) return true;
  const invitation = await db
    .selectFrom("opening_invitation")
    .select("brand")
    .where("brand", "=", brand.id)
    .where("mailbox", "=", mailbox)
    .executeTakeFirst();
  return invitation !== undefined;
}
