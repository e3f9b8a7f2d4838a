/** Takes a member's position report: from a cell to what is stored and published. */
import { cellPrecision } from "@lambda/contract/grid";
import type { ProfilePosition, ProfilePositionReport } from "@lambda/contract/positions";
import { batch, type Compiled } from "../../db/batch.ts";
import type { MemberContext } from "../../trpc.ts";
import { leaveArea } from "../messages/area.ts";
import { publishedKey, randomCell } from "./publish.ts";
import { toProfilePosition, toRow, toState, writeHidden, writePosition } from "./queries.ts";
import { nextState, reportedCell } from "./rules.ts";

/** Writes nothing when nothing changed: most reports of a member at rest cost no row. */
export async function takeReport(ctx: MemberContext, report: ProfilePositionReport): Promise<ProfilePosition> {
  const { viewer, env, db, d1, brand, now } = ctx;
  const { profileId } = viewer;
  const stored = viewer.position;
  const before = stored ? toState(stored) : undefined;
  const received = report.cell ?? (await randomCell(env.POSITION_KEY, profileId, brand));
  const cell = reportedCell({ ...report, cell: received }, before?.precision ?? null);
  const state = nextState(before, report, cell, cellPrecision(cell), now);

  const writes: Compiled[] = [];
  let row = stored;
  if (state) {
    const key =
      stored && state.cell === stored.cell ? stored.key : await publishedKey(env.POSITION_KEY, profileId, state.cell);
    row = toRow(profileId, state, key, report.session ?? stored?.session ?? 0);
    writes.push(writePosition(db, stored, row));
  }
  const hidden = report.hide ?? viewer.hidden;
  if (hidden !== viewer.hidden) writes.push(writeHidden(db, profileId, hidden));
  await batch(d1, writes);
  if (!row) throw new Error("a first report makes a row");
  const living = stored && stored.ts_effective_until > now ? stored.key : null;
  if (row.key !== living) ctx.waitUntil(leaveArea(env, profileId, living, row.key));
  return toProfilePosition(row, hidden);
}

/** Where a member measures from: his published position, or the random one he would have. */
export async function centreKeyOf(ctx: Pick<MemberContext, "viewer" | "env" | "brand" | "now">): Promise<number> {
  const { viewer, env, brand, now } = ctx;
  if (viewer.position && viewer.position.ts_effective_until > now) return viewer.position.key;
  return publishedKey(env.POSITION_KEY, viewer.profileId, await randomCell(env.POSITION_KEY, viewer.profileId, brand));
}
