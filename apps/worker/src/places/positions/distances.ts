/** How far some members are, for lists that are not searches: published positions of both sides, and the allow-list of what is told. */
import { distanceMetres, type Point } from "@lambda/contract/grid";
import type { MemberDistance } from "@lambda/contract/positions";
import { sql } from "kysely";
import { type Onlooker, visibleTo } from "../../members/visibility/visibility.ts";
import type { Database } from "../../platform/db/database.ts";
import { pointOfKey } from "./curve.ts";

interface PublishedRow {
  readonly profile_id: number;
  readonly key: number;
}

/** Where those of the members are who may be seen and whose position is alive; the others are left out. */
export async function listPublished(
  db: Database,
  onlooker: Onlooker,
  profileIds: readonly number[],
  now: number,
): Promise<PublishedRow[]> {
  // VALUES costs no row where IN costs one for each id. The cross joins keep the order: by an index of positions the
  // planner would begin with everyone whose position is alive.
  const { rows } = await sql<PublishedRow>`
    with asked(id) as (values ${sql.join(profileIds.map((id) => sql`(${id})`))})
    select s.profile_id, s.key from asked cross join position s on s.profile_id = asked.id cross join profile p on p.id = asked.id
    where s.ts_effective_until > ${now} and ${visibleTo(onlooker)}`.execute(db);
  return rows;
}

/** @param centre the viewer's own published position */
export function toMemberDistance({ profile_id, key }: PublishedRow, centre: Point): MemberDistance {
  return { profileId: profile_id, distanceMeters: Math.round(distanceMetres(centre, pointOfKey(key))) };
}
