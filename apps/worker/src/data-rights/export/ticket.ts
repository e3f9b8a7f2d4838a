/** Lets a browser download the export with a plain GET, after its session has proved the owner. */
import { timingSafeEqual } from "node:crypto";
import { DAY_MS, EXPORTS_BEGUN_PER_DAY_MAX, EXPORTS_PER_DAY_MAX, FRESH_PROOF_MS } from "@lambda/contract/limits";
import type { MemberContext } from "../../platform/access.ts";
import { mac } from "../../platform/keys.ts";
import { enforceLimit, requireWithinLimit } from "../../platform/rate-limits/limit.ts";

/** Valid as long as a proof of the owner, so that the browser can resume a download that broke. */
export function issueTicket(ctx: MemberContext): string {
  const until = ctx.now + FRESH_PROOF_MS;
  return `${until}.${sign(ctx, until)}`;
}

export function isValidTicket(ctx: MemberContext, ticket: string): boolean {
  const [until = "", signature = ""] = ticket.split(".");
  const expected = Buffer.from(sign(ctx, Number(until)));
  const given = Buffer.from(signature);
  return Number(until) > ctx.now && given.length === expected.length && timingSafeEqual(given, expected);
}

function sign({ env, brand, viewer }: MemberContext, until: number): string {
  return mac(env, "export-ticket", JSON.stringify([brand.id, viewer.profileId, viewer.sessionId, until])).toString(
    "base64url",
  );
}

const completed = ({ viewer }: MemberContext) => `export:${viewer.profileId}`;

export function requireExportsLeft(ctx: MemberContext): Promise<void> {
  return requireWithinLimit(ctx.env, completed(ctx), EXPORTS_PER_DAY_MAX, DAY_MS);
}

/** Throws TOO_MANY_REQUESTS. One that breaks off does not count as one of the day's, only as begun. */
export async function beginExport(ctx: MemberContext): Promise<void> {
  await requireExportsLeft(ctx);
  await enforceLimit(ctx.env, `export-begun:${ctx.viewer.profileId}`, EXPORTS_BEGUN_PER_DAY_MAX, DAY_MS);
}

export function completeExport(ctx: MemberContext): Promise<void> {
  return enforceLimit(ctx.env, completed(ctx), EXPORTS_PER_DAY_MAX, DAY_MS);
}
