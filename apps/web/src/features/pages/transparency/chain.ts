import type { AuditBody, AuditEntry } from "@lambda/contract/transparency";
import { sha256 } from "../../../device/sha256.ts";

/** The previous hash of the first entry. */
const GENESIS_HASH = "0".repeat(64);

async function hasValidHash(entry: Pick<AuditEntry, "body" | "previousHash" | "hash">): Promise<boolean> {
  return (await sha256(`${entry.previousHash}\n${entry.body}`)) === entry.hash;
}

/**
 * Verifies the chain from its beginning, page by page. Returns the number of valid entries and the first broken one; adds the valid
 * entries to `verified` by sequence number.
 */
export async function verifyChain(
  readPage: (after: number) => Promise<readonly AuditEntry[]>,
  onProgress: (count: number) => void,
  verified: Map<number, AuditEntry> = new Map(),
): Promise<{ count: number; brokenAt: number | null }> {
  let previous = GENESIS_HASH;
  let seq = 0;
  for (;;) {
    const page = await readPage(seq);
    for (const entry of page) {
      if (entry.seq !== seq + 1 || entry.previousHash !== previous || !(await hasValidHash(entry))) {
        return { count: seq, brokenAt: seq + 1 };
      }
      seq = entry.seq;
      previous = entry.hash;
      verified.set(seq, entry);
    }
    onProgress(seq);
    if (page.length === 0) return { count: seq, brokenAt: null };
  }
}

export function describeEntry(entry: AuditEntry): string {
  const body = JSON.parse(entry.body) as AuditBody;
  const details = Object.entries(body.details)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => `${key}: ${value}`);
  return [body.action, body.by, ...details].join(" · ");
}
