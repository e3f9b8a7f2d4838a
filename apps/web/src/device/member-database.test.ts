import { afterEach, beforeEach, expect, it, vi } from "vitest";

const opening = Promise.withResolvers<void>();
const written: unknown[] = [];
vi.mock("./member-store.ts", () => ({
  databaseStore: () => undefined,
  openMemberStore: () => Promise.reject(new Error("not asked")),
  storedName: (_sealer: unknown, _database: string, name: string) => name,
  writeStored: (_store: unknown, entries: unknown[]) => opening.promise.then(() => void written.push(...entries)),
}));
const { memberDatabase } = await import("./member-database.ts");
const { appLock } = await import("./vault.ts");

beforeEach(() => {
  vi.useFakeTimers();
  const sealer = { seal: ({ value }: { value: unknown }) => value };
  appLock.vault = { sealer, track: (write: Promise<unknown>) => void write.catch(() => undefined) } as never;
});
afterEach(() => {
  vi.useRealTimers();
  delete appLock.vault;
});

it("delays only the first call when the database does not answer, and hands on all writes in order", async () => {
  const database = memberDatabase("outbox");
  const first = database.writeAll([["1:a", "text"]]).catch((error: Error) => error.name);
  await vi.advanceTimersByTimeAsync(5000);
  expect(await first).toBe("DeadlinePassed");
  const second = database.writeAll([["1:a", undefined]]).catch((error: Error) => error.name);
  await vi.advanceTimersByTimeAsync(0);
  expect(await second).toBe("DeadlinePassed");
  // The message was sent meanwhile: when storage answers at last, it must not come back.
  opening.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(written).toEqual([
    ["1:a", "text"],
    ["1:a", undefined],
  ]);
  expect(await database.writeAll([["1:b", "text"]])).toBeUndefined();
});
