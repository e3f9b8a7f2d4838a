/** Which open sessions may learn that a member changed on the map: those that may see the member now, or could before the change. */
import type { Brand } from "@lambda/brands";
import { sql } from "kysely";
import { notBlockedAt, seenBy, showsThemselves } from "../../members/visibility/visibility.ts";
import { rowsOf } from "../../platform/db/d1.ts";
import type { Database } from "../../platform/db/database.ts";
import type { SquareChange } from "../../platform/objects.ts";
import type { SocketOwner } from "../messages/sockets.ts";

/**
 * The members to report as changed, for each session. A blocked viewer learns of the change only if the block is that change (`only`) or
 * came after it: otherwise somebody who hides and then blocks would stay on the other's map.
 */
export async function listChangesBySession(
  db: Database,
  brand: Brand,
  {
    owners,
    changes,
    now,
  }: { readonly owners: readonly SocketOwner[]; readonly changes: readonly SquareChange[]; readonly now: number },
): Promise<Map<number, number[]>> {
  const sessions = [...new Set(owners.map(({ sessionId }) => sessionId))].map((id) => ({ id }));
  const changed = changes.map(({ id, was, few = 0, only = 0, ts }) => {
    return { id, was: was & brand.bit, few: few & brand.bit, only, ts };
  });
  const [subject, watcher] = [sql.ref("p.id"), sql.ref("me.id")];
  const rows = await db
    .selectFrom(rowsOf(sessions, ["id"], "open"))
    .crossJoin("session as s")
    .crossJoin("profile as me")
    .crossJoin(rowsOf(changed, ["id", "was", "few", "only", "ts"], "c"))
    .crossJoin("profile as p")
    .select(["s.id", "c.id as about"])
    .distinct()
    .whereRef("s.id", "=", "open.id")
    .whereRef("me.id", "=", "s.account_id")
    .whereRef("p.id", "=", "c.id")
    .whereRef("p.id", "<>", "me.id")
    .where("s.ts_expires", ">", now)
    .where(sql<boolean>`(c.only in (0, me.id))`)
    .where(
      sql<boolean>`(c.was <> 0 and c.only = me.id
        or (c.was <> 0 or c.few <> 0 and ${showsThemselves(subject, watcher, now)} or ${seenBy(brand, watcher, "p", now)})
          and ${notBlockedAt(watcher, subject, sql.ref("c.ts"))})`,
    )
    .orderBy("c.id")
    .execute();
  const changesBySession = new Map<number, number[]>();
  for (const { id, about } of rows) changesBySession.set(id, [...(changesBySession.get(id) ?? []), about]);
  return changesBySession;
}
