import { type AgePolicy, type AgePolicyRow, getAgePolicyRow, parseAgePolicy } from "@lambda/contract/age-policy";
import type { Context } from "../../platform/context.ts";
import type { Env } from "../../platform/env.ts";
import { placeOf } from "./place.ts";

let cached: { readonly text: string | undefined; readonly policy: AgePolicy } | undefined;

/**
 * Returns the policy table in force; parsed once. Throws for an invalid AGE_POLICY, which index.ts checks before the
 * first request.
 */
export function agePolicy({ AGE_POLICY: text }: Pick<Env, "AGE_POLICY">): AgePolicy {
  if (!cached || cached.text !== text) cached = { text, policy: parseAgePolicy(text) };
  return cached.policy;
}

/** The rule for the place that a request comes from. */
export function ageRule(ctx: Pick<Context, "env" | "request">): AgePolicyRow {
  const { country, region } = placeOf(ctx);
  return getAgePolicyRow(agePolicy(ctx.env), country, region);
}
