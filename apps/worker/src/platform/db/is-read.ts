const READS = /^\s*(select|with)\b/i;
const WRITES = /\b(insert\s+(or\s+\w+\s+)?into|update\s+["\w]|delete\s+from|replace\s+into)\b/i;

/** Statements that might write count as writes: sending one to the primary needlessly costs only time. */
export const isRead = (query: string): boolean => READS.test(query) && !WRITES.test(query);
