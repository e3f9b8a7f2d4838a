/** What a player can answer; without zod, for the web. */
export const RATING_ANSWERS = ["safe", "suggestive", "explicit", "rule_breaking"] as const;
export type RatingAnswer = (typeof RATING_ANSWERS)[number];
export const BUSTER_ANSWERS = ["person", "bot"] as const;
export type BusterAnswer = (typeof BUSTER_ANSWERS)[number];
