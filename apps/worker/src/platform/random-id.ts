import { randomHex } from "./hash.ts";

/**
 * An id that tells its holder nothing about other rows. Consecutive ids of reports would tell a member whether somebody else filed one in
 * the meantime.
 */
export const randomId = (): number => Number.parseInt(randomHex(6), 16) + 1;
