/** Statements that make judges of "Is it him?", for tests of the worker and in the browser. */
import { CONSENSUS_VOTERS_MIN, DAY_MS } from "@lambda/contract/limits";
import { keyOfPoint } from "@lambda/geo/curve";
import type { Point } from "@lambda/geo/distance";
import { insertMembers } from "./members.ts";
import type { RunSql, Statement } from "./sql.ts";

export const BERLIN = { lat: 52.5, lon: 13.4 };
export const MADRID = { lat: 40.4, lon: -3.7 };

export const standAt = (id: number, { lat, lon }: Point): Statement => ({
  query: `insert or replace into position (profile_id, use, precision, cell, key, ts_published, ts_effective_until)
    values (?, 'OVERRIDE', 'street', 0, ?, 0, ?)`,
  values: [id, keyOfPoint({ lat, lon }), Date.now() + DAY_MS],
});

/** How many proven players a community needs before members are judges of each other. */
export const CROWD = 90;

/** The statements that make members of other brands proven players of the game, far away, in a community that is large enough. */
export function proveJudges(ids: readonly number[], at: Point = MADRID): Statement[] {
  const known = JSON.stringify({ no_pose: [8, 8], not_him: [8, 8] });
  return [
    {
      query: "insert into game_pool values ('check', ?) on conflict do update set voters = excluded.voters",
      values: [CONSENSUS_VOTERS_MIN],
    },
    ...ids.flatMap((id) => [
      {
        query: `insert into game_record (profile_id, game, votes, known, answers, proven, ts_last)
          values (?, 'check', 16, ?, '{"no_pose":8,"not_him":8}', 1, ?)`,
        values: [id, known, Date.now()],
      },
      standAt(id, at),
    ]),
  ];
}

/** So many other players that a check is judged by players. Tests then lower how many have to answer. */
export async function createCrowd({ run }: { readonly run: RunSql }): Promise<void> {
  const created = (index: number) => Date.now() - (40 + 7 * index) * DAY_MS;
  const players = Array.from({ length: CROWD }, (_, index) => ({ brand: "harbor" as const, created: created(index) }));
  const ids = (await insertMembers(run, players)).map(({ id }) => id);
  await run(...proveJudges(ids));
}
