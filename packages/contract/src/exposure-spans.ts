/** Choices for "everyone I chatted with", in days. Not in exposure.ts, so that the web can import it without zod. */
export const EXPOSURE_SPANS_DAYS = [30, 60, 90] as const;
