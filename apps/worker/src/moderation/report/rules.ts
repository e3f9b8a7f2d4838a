import { RULES, type Rule } from "@lambda/contract/moderation";

/**
 * A reporter's credibility from 0 to 1: the smoothed share of their decided reports that were upheld, starting at one
 * half.
 */
export const reporterCredibility = (decided: number, upheld: number): number => (upheld + 1) / (decided + 2);

/** Combines the credibility of two reporters: the probability that at least one is right. */
export const combineCredibility = (one: number, other: number): number => 1 - (1 - one) * (1 - other);

/** Orders the staff queue. Severity comes first: no number of credible spam reports outranks one of a threat. */
export const priorityOf = (rule: Rule, credibility: number): number => RULES[rule].severity * 10 + credibility * 9;
