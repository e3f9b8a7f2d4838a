/** Takes a member's position report: from a cell to what is stored and published. */
import { cellPrecision } from "@lambda/contract/grid";
import type { ProfilePosition, ProfilePositionReport } from "@lambda/contract/positions";
import { batch } from "../../db/batch.ts";
import { AppError } from "../../errors.ts";
import type { MemberContext } from "../../trpc.ts";
import { leaveArea } from "../messages/area.ts";
import { spend } from "../rate-limits/limit.ts";
import { publishedKey, randomCell } from "./publish.ts";
import { findPosition, toProfilePosition, toRow, toState, writeHidden, writePosition } from "./queries.ts";
import { nextState, reportedCell } from "./rules.ts";

/** Tries until no other report came in between; more than this many at once is no member with a device. */
const TRIES = 5;

/** Writes nothing when nothing changed: most reports of a member at rest cost no row. Throws CONFLICT when others kept coming. */
export async function takeReport(ctx: MemberContext, report: ProfilePositionReport): Promise<ProfilePosition> {
  const { viewer, env, db, d1, brand, now } = ctx;
  const { profileId } = viewer;
  const received = report.cell ?? (await randomCell(env.POSITION_KEY, profileId, brand));
  const hidden = report.hide ?? viewer.hidden;
  const hiding = hidden === viewer.hidden ? [] : [writeHidden(db, profileId, hidden)];
  let stored = viewer.position;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const before = stored ? toState(stored) : undefined;
    const cell = reportedCell({ ...report, cell: received }, before?.precision ?? null);
    const state = nextState(before, report, cell, cellPrecision(cell), now);
    if (!state && stored) {
      await batch(d1, hiding);
      return toProfilePosition(stored, hidden);
    }
    if (!state) break;
    if (tries === 0) await spend(ctx, "positions", profileId, { positionsPerMinute: 1, positions: 1 });
    const known = stored && state.cell === stored.cell ? stored.key : undefined;
    const key = known ?? (await publishedKey(env.POSITION_KEY, profileId, state.cell));
    const row = toRow(profileId, state, key, report.session ?? stored?.session ?? 0);
    const [written] = await batch<[unknown[], ...unknown[][]]>(d1, [writePosition(db, stored, row), ...hiding]);
    if (written.length > 0) {
      const living = stored && stored.ts_effective_until > now ? stored.key : null;
      if (row.key !== living) ctx.waitUntil(leaveArea(env, profileId, living, row.key));
      return toProfilePosition(row, hidden);
    }
    stored = await findPosition(db, profileId);
  }
  throw new AppError("CONFLICT");
}

/** Where a member measures from: his published position, or the random one he would have. */
export async function centreKeyOf(ctx: Pick<MemberContext, "viewer" | "env" | "brand" | "now">): Promise<number> {
  const { viewer, env, brand, now } = ctx;
  if (viewer.position && viewer.position.ts_effective_until > now) return viewer.position.key;
  return publishedKey(env.POSITION_KEY, viewer.profileId, await randomCell(env.POSITION_KEY, viewer.profileId, brand));
}
