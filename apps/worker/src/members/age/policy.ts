import { type AgePolicy, type AgePolicyRow, readAgePolicy, ruleOf } from "@lambda/contract/age-policy";
import type { Context } from "../../platform/context.ts";
import type { Env } from "../../platform/env.ts";
import { placeOf } from "./place.ts";

let known: { readonly text: string | undefined; readonly policy: AgePolicy } | undefined;

/** The table that holds; read once. Throws for one that an operator wrote wrongly: index.ts asks before the first request. */
export function agePolicy({ AGE_POLICY: text }: Pick<Env, "AGE_POLICY">): AgePolicy {
  if (!known || known.text !== text) known = { text, policy: readAgePolicy(text) };
  return known.policy;
}

/** What holds where a request comes from. */
export function ageRule(ctx: Pick<Context, "env" | "request">): AgePolicyRow {
  const { country, region } = placeOf(ctx);
  return ruleOf(agePolicy(ctx.env), country, region);
}
