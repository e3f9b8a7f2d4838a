/**
 * Decides which pictures a member sees only pixelated until they prove their age. Where no proof is needed, it adds
 * nothing to a query.
 */
import type { AgePolicyRow } from "@lambda/contract/age-policy";
import { type RawBuilder, sql } from "kysely";
import type { MemberContext } from "../../platform/access.ts";
import { ageRule } from "./policy.ts";

type SeeExplicit = AgePolicyRow["seeExplicit"];
type AgeContext = Pick<MemberContext, "env" | "request" | "viewer">;

/** Whether the place requires a proof of age for explicit pictures, or shows them to nobody. */
export function isExplicitRestricted(ctx: Pick<MemberContext, "env" | "request">): boolean {
  return ageRule(ctx).seeExplicit !== "open";
}

/** SQL condition: the viewer has proved their age, and a proof suffices here. */
export function hasProvedAge(ctx: AgeContext): RawBuilder<boolean> {
  return isProvedUnder(ageRule(ctx).seeExplicit, ctx.viewer);
}

function isProvedUnder(seeExplicit: SeeExplicit, viewer: AgeContext["viewer"]): RawBuilder<boolean> {
  if (seeExplicit === "closed") return sql<boolean>`0`;
  return sql<boolean>`exists (select 1 from age_proof a where a.account_id = ${viewer.profileId})`;
}

/**
 * SQL condition: nobody marked the picture as explicit, and its owner declared it harmless or the community rated this
 * version so. A picture that nobody rated may show anything.
 */
function isHarmless(picture = "pic"): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${picture}.${name}`);
  return sql<boolean>`(${column("nsfw_owner")} = 0 and ${column("nsfw_community")} = 0 and (${column("harmless_owner")} = 1
    or exists (select 1 from game_item j where j.game = 'rating' and j.picture_id = ${column("id")}
      and j.version = ${column("version")} and j.answer is not null)))`;
}

/**
 * SQL condition for voice recordings, which nobody can declare harmless: they need a proof wherever pictures do.
 * Undefined where no proof is needed.
 */
export function ageAllowsSound(ctx: AgeContext): RawBuilder<boolean> | undefined {
  return isExplicitRestricted(ctx) ? hasProvedAge(ctx) : undefined;
}

/**
 * SQL condition on a `picture` row: the viewer's age allows them to see it unpixelated. Undefined where everybody may.
 */
export function ageAllowsPicture(ctx: AgeContext, picture = "pic"): RawBuilder<boolean> | undefined {
  return ageAllowsPictureUnder(ageRule(ctx).seeExplicit, ctx.viewer, picture);
}

/** The same for a place whose rule is known. */
export function ageAllowsPictureUnder(seeExplicit: SeeExplicit, viewer: AgeContext["viewer"], picture = "pic") {
  if (seeExplicit === "open") return undefined;
  return sql<boolean>`(${isProvedUnder(seeExplicit, viewer)} or ${isHarmless(picture)})`;
}
