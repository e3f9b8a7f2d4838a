/**
 * Which pictures a member gets pixelated until their age is proved. Everywhere else nothing here adds to a query, so that most
 * members pay nothing for what few are asked.
 */
import type { AgePolicyRow } from "@lambda/contract/age-policy";
import { type RawBuilder, sql } from "kysely";
import type { MemberContext } from "../../platform/access.ts";
import { ageRule } from "./policy.ts";

type SeeExplicit = AgePolicyRow["seeExplicit"];
type Asker = Pick<MemberContext, "env" | "request" | "viewer">;

/** The place asks for a proof before explicit pictures, or shows them to nobody. */
export function coversExplicit(ctx: Pick<MemberContext, "env" | "request">): boolean {
  return ageRule(ctx).seeExplicit !== "open";
}

/** The viewer has proved their age, and that suffices here. */
export function provedBy(ctx: Asker): RawBuilder<boolean> {
  return provedWhere(ageRule(ctx).seeExplicit, ctx.viewer);
}

function provedWhere(seeExplicit: SeeExplicit, viewer: Asker["viewer"]): RawBuilder<boolean> {
  if (seeExplicit === "closed") return sql<boolean>`0`;
  return sql<boolean>`exists (select 1 from age_proof a where a.account_id = ${viewer.profileId})`;
}

/**
 * A picture that nobody marked as explicit, and that its owner declared harmless or the community rated so in this version. What
 * nobody looked at yet may show anything.
 */
function harmless(picture = "pic"): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${picture}.${name}`);
  return sql<boolean>`(${column("nsfw_owner")} = 0 and ${column("nsfw_community")} = 0 and (${column("harmless_owner")} = 1
    or exists (select 1 from game_item j where j.game = 'rating' and j.picture_id = ${column("id")}
      and j.version = ${column("version")} and j.answer is not null)))`;
}

/** What a member says nobody declared harmless, and nothing covers it: it waits for a proof wherever pictures do. Undefined as below. */
export function soundClearFor(ctx: Asker): RawBuilder<boolean> | undefined {
  return coversExplicit(ctx) ? provedBy(ctx) : undefined;
}

/** A condition on a `picture` row: the viewer may see it as it is, as far as their age goes. Undefined where all may. */
export function clearFor(ctx: Asker, picture = "pic"): RawBuilder<boolean> | undefined {
  return clearWhere(ageRule(ctx).seeExplicit, ctx.viewer, picture);
}

/** The same for a place whose rule is known. */
export function clearWhere(
  seeExplicit: SeeExplicit,
  viewer: Asker["viewer"],
  picture = "pic",
): RawBuilder<boolean> | undefined {
  if (seeExplicit === "open") return undefined;
  return sql<boolean>`(${provedWhere(seeExplicit, viewer)} or ${harmless(picture)})`;
}
