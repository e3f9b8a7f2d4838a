import { RULES, type Rule } from "@lambda/contract/moderation";

/** How far a reporter is to be believed, 0 to 1: the share of their decided reports that were right, starting at a half. */
export function reporterCredibility(decided: number, upheld: number): number {
  return (upheld + 1) / (decided + 2);
}

/** Several reporters together: the chance that not all of them are wrong. */
export function joinCredibility(one: number, other: number): number {
  return 1 - (1 - one) * (1 - other);
}

/** The queue's order. Severity leads: five believed reports of spam never outrank one of a threat. */
export function priorityOf(rule: Rule, credibility: number): number {
  return RULES[rule].severity * 10 + credibility * 9;
}
