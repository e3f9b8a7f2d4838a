/** Days back that "everyone I wrote with" can mean; without zod, for the web. */
export const EXPOSURE_SPANS_DAYS = [30, 60, 90] as const;
