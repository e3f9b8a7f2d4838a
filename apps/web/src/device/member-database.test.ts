import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { memberDatabase } from "./member-database.ts";
import { appLock, type MemberDatabase } from "./vault.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  delete appLock.vault;
});

it("delays only the first call when the database does not answer, and hands on all writes in order", async () => {
  const opening = Promise.withResolvers<void>();
  const written: unknown[] = [];
  const silent = {
    get: () => opening.promise,
    writeAll: (entries) => opening.promise.then(() => void written.push(...entries)),
  } as Partial<MemberDatabase> as MemberDatabase;
  appLock.vault = { database: () => silent } as unknown as NonNullable<typeof appLock.vault>;
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
  expect(await database.get("1:a")).toBeUndefined();
});
