const READS = /^\s*(select|with)\b/i;
const WRITES = /\b(insert\s+(or\s+\w+\s+)?into|update\s+["\w]|delete\s+from|replace\s+into)\b/i;

/** Whatever might write counts as a write: it goes to the primary, at the cost of time alone. */
export const isRead = (query: string): boolean => READS.test(query) && !WRITES.test(query);
