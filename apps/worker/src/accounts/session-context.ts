import type { SessionContext } from "@lambda/contract/accounts";
import { rolesOf } from "@lambda/contract/capabilities";
import { NOTIFICATIONS_COUNTED_MAX, UNREAD_CONVERSATIONS_COUNTED_MAX } from "@lambda/contract/limits";
import { sql } from "kysely";
import type { Context } from "../platform/context.ts";
import { toIsoOrNull } from "../platform/iso-time.ts";
import { isNotificationListed, notBlockedBy } from "../visibility/visibility.ts";
import { hasProvedAge } from "./age/explicit-pictures.ts";
import { ageRule } from "./age/policy.ts";

const VISITOR: SessionContext = {
  loggedIn: false,
  profileId: null,
  profileName: "",
  hasBirthdate: false,
  roles: [],
  standing: null,
  hidden: false,
  discreet: false,
  sharingChosen: true,
  sharedOn: 0,
  explicitPictures: "open",
  locale: "en",
  unreadMessages: 0,
  notifications: 0,
};

export async function getSessionContext(ctx: Context): Promise<SessionContext> {
  const { viewer, brand } = ctx;
  if (!viewer) return VISITOR;
  const { seeExplicit } = ageRule(ctx);
  const row = await ctx.db
    .selectFrom("account as a")
    .innerJoin("profile as p", "p.id", "a.id")
    .select(["p.profile_name", "p.birthdate", "a.locale", "a.ts_sharing_chosen"])
    .select(sql<number>`p.shared_on | p.discreet_on`.as("shared_on"))
    .select(
      sql<number>`(select coalesce(sum(unread), 0) from (
        select c.unread from conversation c where c.profile_id = a.id and c.unread > 0
          and ${notBlockedBy(sql.ref("a.id"), sql.ref("c.other_id"))}
        limit ${sql.lit(UNREAD_CONVERSATIONS_COUNTED_MAX)}))`.as("unread"),
    )
    .select(
      sql<number>`(select count(*) from (
        select 1 from notification n where n.profile_id = a.id and ${isNotificationListed({ brand, viewer })}
        limit ${sql.lit(NOTIFICATIONS_COUNTED_MAX + 1)}))`.as("notifications"),
    )
    .select((seeExplicit === "open" ? sql<boolean>`1` : hasProvedAge({ ...ctx, viewer })).as("may_see_explicit"))
    .where("a.id", "=", viewer.profileId)
    .executeTakeFirstOrThrow();
  const { status, statusUntil } = viewer;
  return {
    loggedIn: true,
    profileId: viewer.profileId,
    profileName: row.profile_name,
    hasBirthdate: row.birthdate !== null,
    roles: rolesOf({ loggedIn: true, adminBrand: viewer.adminBrand, brand: brand.id }),
    standing: status === "suspended" || status === "banned" ? { status, until: toIsoOrNull(statusUntil) } : null,
    hidden: viewer.hidden,
    discreet: viewer.discreet,
    sharingChosen: row.ts_sharing_chosen !== null,
    sharedOn: row.shared_on,
    explicitPictures: row.may_see_explicit ? "open" : seeExplicit,
    locale: row.locale,
    unreadMessages: row.unread,
    notifications: row.notifications,
  };
}
