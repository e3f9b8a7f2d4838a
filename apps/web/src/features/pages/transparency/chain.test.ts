import type { AuditEntry } from "@lambda/contract/transparency";
import { expect, it } from "vitest";
import { sha256 } from "../../../device/sha256.ts";
import { verifyChain } from "./chain.ts";

async function makeChain(length: number): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  let previousHash = "0".repeat(64);
  for (let seq = 1; seq <= length; seq += 1) {
    const body = JSON.stringify({ seq });
    const hash = await sha256(`${previousHash}\n${body}`);
    entries.push({ seq, body, previousHash, hash });
    previousHash = hash;
  }
  return entries;
}
const pages = (chain: readonly AuditEntry[]) => async (after: number) => chain.filter((e) => e.seq > after).slice(0, 4);

it("accepts an intact chain over several pages", async () => {
  expect(await verifyChain(pages(await makeChain(9)), () => {})).toEqual({ count: 9, brokenAt: null });
});

it("detects a changed, a removed and a rehashed entry", async () => {
  const chain = await makeChain(9);
  const changed = chain.map((entry) => (entry.seq === 5 ? { ...entry, body: "{}" } : entry));
  expect(await verifyChain(pages(changed), () => {})).toEqual({ count: 4, brokenAt: 5 });
  const removed = chain.filter((entry) => entry.seq !== 5);
  expect(await verifyChain(pages(removed), () => {})).toMatchObject({ brokenAt: 5 });
  const fifth = chain[4]!;
  const hash = await sha256(`${fifth.previousHash}\n{}`);
  const forged = chain.map((entry) => (entry.seq === 5 ? { ...entry, body: "{}", hash } : entry));
  expect(await verifyChain(pages(forged), () => {})).toMatchObject({ brokenAt: 6 });
});
