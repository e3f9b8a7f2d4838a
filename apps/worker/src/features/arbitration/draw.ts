/**
 * Drawing jurors at random from the members of a brand who never had to do with either side. The draw costs the same in a
 * community of any size: random ids, and from each the next member who may serve.
 */
import { JUROR_ACCOUNT_AGE_MS, JUROR_SEEN_WITHIN_MS } from "@lambda/contract/limits";
import { type RawBuilder, sql } from "kysely";
import type { NotifyContext } from "../notifications/notify.ts";

/** Up to this span of ids everyone is looked at; above it, random places are. */
const SMALL_SPAN = 2000;
/** Ids looked at from each random place. */
const STRETCH = 60;
const PLACES_PER_SEAT = 6;

/** Random members, without contact to `parties` and on no jury of this case yet; fewer than `seats` when there are no more. */
export async function drawJurors(
  ctx: NotifyContext,
  reportId: number,
  parties: readonly number[],
  seats: number,
): Promise<number[]> {
  const { rows: spans } = await sql<{ low: number | null; high: number | null }>`
    select (select min(id) from profile) as low, (select max(id) from profile) as high`.execute(ctx.db);
  const { low = null, high = null } = spans[0] ?? {};
  if (low === null || high === null) return [];
  const eligible = mayJudge(ctx, reportId, parties);
  if (high - low <= SMALL_SPAN) {
    const { rows } = await sql<{ id: number }>`
      select p.id from profile p join account a on a.id = p.id where ${eligible} order by random() limit ${seats}`.execute(
      ctx.db,
    );
    return rows.map((row) => row.id);
  }
  const places = Array.from({ length: seats * PLACES_PER_SEAT }, () => low + Math.floor(random() * (high - low + 1)));
  const { rows } = await sql<{ id: number }>`
    select distinct (select p.id from profile p join account a on a.id = p.id
      where p.id >= j.value and p.id < j.value + ${sql.lit(STRETCH)} and ${eligible} order by p.id limit 1) as id
    from json_each(${JSON.stringify(places)}) j`.execute(ctx.db);
  const found = rows.map((row) => row.id).filter((id) => id !== null);
  return shuffle(found).slice(0, seats);
}

function mayJudge(ctx: NotifyContext, reportId: number, parties: readonly number[]): RawBuilder<boolean> {
  const sides = sql`(select value from json_each(${JSON.stringify(parties)}))`;
  return sql<boolean>`p.listed_on & ${sql.lit(ctx.brand.bit)} <> 0 and a.admin_brand is null
    and a.ts_created <= ${ctx.now - JUROR_ACCOUNT_AGE_MS} and p.ts_seen >= ${ctx.now - JUROR_SEEN_WITHIN_MS}
    and p.id not in ${sides}
    and not exists (select 1 from juror r join jury j2 on j2.id = r.jury_id where r.profile_id = p.id and j2.report_id = ${reportId})
    and not exists (select 1 from block b where b.profile_id = p.id and b.other_id in ${sides})
    and not exists (select 1 from conversation c where c.profile_id = p.id and c.other_id in ${sides})
    and not exists (select 1 from conversation c where c.other_id = p.id and c.profile_id in ${sides})
    and not exists (select 1 from profile_like l where l.liker_id = p.id and l.liked_id in ${sides})
    and not exists (select 1 from profile_like l where l.liked_id = p.id and l.liker_id in ${sides})
    and not exists (select 1 from picture_like l where l.liker_id = p.id and l.owner_id in ${sides})
    and not exists (select 1 from picture_like l where l.owner_id = p.id and l.liker_id in ${sides})
    and not exists (select 1 from juror_record q where q.profile_id = p.id and (q.opted_out = 1
      or (q.summoned >= 5 and q.voted * 10 < q.summoned * 3) or (q.voted >= 6 and q.overturned * 2 > q.voted)))`;
}

function random(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;
}

function shuffle<Item>(items: readonly Item[]): Item[] {
  const mixed = [...items];
  for (let index = mixed.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1));
    [mixed[index], mixed[other]] = [mixed[other]!, mixed[index]!];
  }
  return mixed;
}
