/** A time of day with its Spanish article: "la 1:00", "las 13:00". */
export const hourEs = (time: string): string => `${/^1\D/.test(time) ? "la" : "las"} ${time}`;
