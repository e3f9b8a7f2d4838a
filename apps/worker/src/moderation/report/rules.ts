import { RULES, type Rule } from "@lambda/contract/moderation";

/**
 * A reporter's credibility from 0 to 1: the smoothed share of their decided reports that were upheld, starting at one
 * half.
 */
export function reporterCredibility(decided: number, upheld: number): number {
  return (upheld + 1) / (decided + 2);
}

/** Combines the credibility of two reporters: the probability that at least one is right. */
export function combineCredibility(one: number, other: number): number {
  return 1 - (1 - one) * (1 - other);
}

/** Orders the staff queue. Severity comes first: no number of credible spam reports outranks one of a threat. */
export function priorityOf(rule: Rule, credibility: number): number {
  return RULES[rule].severity * 10 + credibility * 9;
}
