import type { AuditEntry } from "@lambda/contract/transparency";
import { expect, it } from "vitest";
import { sha256, verifyChain, verifySealedDays } from "./chain.ts";

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

it("detects an omitted case and a wrong seal", async () => {
  const entry = (action: string, details: object) => ({ body: JSON.stringify({ action, details }) });
  const cases = ["aa", "bb"];
  const commitment = await sha256(`salt\n${JSON.stringify(cases)}`);
  const sealed = entry("day.committed", { day: "2026-11-20", commitment });
  const empty = entry("day.committed", { day: "2026-11-21", commitment: "other" });
  const opened = entry("day.opened", { day: "2026-11-20", salt: "salt", cases: "aa bb" });
  const filed = (hash: string) => entry("report.filed", { rule: "spam", filed: hash });
  const intact = [sealed, empty, filed("aa"), filed("bb"), opened];
  expect(await verifySealedDays(intact)).toEqual({ opened: 1, sealed: 1, missing: null });
  const withoutFirstCase = intact.filter((_, index) => index !== 2);
  expect(await verifySealedDays(withoutFirstCase)).toMatchObject({ missing: "2026-11-20" });
  const forged = entry("day.opened", { day: "2026-11-20", salt: "salt", cases: "aa" });
  expect(await verifySealedDays([sealed, filed("aa"), forged])).toMatchObject({ missing: "2026-11-20" });
});
