/** Possible answers in vote games. Not in games.ts, so that the web can import them without zod. */
export const RATING_ANSWERS = ["safe", "suggestive", "explicit", "rule_breaking"] as const;
export type RatingAnswer = (typeof RATING_ANSWERS)[number];
export const BUSTER_ANSWERS = ["person", "bot"] as const;
export type BusterAnswer = (typeof BUSTER_ANSWERS)[number];
