import type { Message, MessageDraft } from "@lambda/contract/messages";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const disk = new Map<string, unknown>();
vi.mock("idb-keyval", () => ({
  get: (name: string) => storage.then(() => disk.get(name)),
  entries: () => storage.then(() => [...disk]),
  clear: async () => disk.clear(),
}));
/** Encrypts nothing. */
const vault = {
  sealer: { seal: (entry: unknown) => entry, open: async (entry: unknown) => entry },
  track: () => undefined,
};
vi.mock("../../../../device/member-store.ts", () => ({
  databaseStore: () => undefined,
  openMemberStore: async () => vault,
  storedName: (_sealer: unknown, _database: string, name: string) => name,
  writeStored: (_store: unknown, changes: [string, unknown][]) =>
    storage.then(() => {
      for (const [name, entry] of changes) entry === undefined ? disk.delete(name) : disk.set(name, entry);
    }),
}));

/** Whether the device's storage answers. */
let storage: Promise<unknown> = Promise.resolve();
const { Outbox } = await import("./outbox.ts");
// Loaded before the timers are false.
await import("../../../../api/error-text.ts");
const { appLock } = await import("../../../../device/vault.ts");

beforeEach(() => {
  appLock.vault = vault as unknown as NonNullable<typeof appLock.vault>;
  vi.useFakeTimers();
  vi.stubGlobal("window", { setTimeout, clearTimeout });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const rateLimitError = (seconds: number) =>
  Object.assign(new Error("slow"), {
    data: {
      httpStatus: 429,
      error: { code: "TOO_MANY_REQUESTS", message: "Slow mode.", quota: "broadcasts", retryAfterSeconds: seconds },
    },
  });

test("a rate-limited message shows when it will be sent, is retried once then, and delays no other conversation", async () => {
  const attempts: string[] = [];
  const sent: string[] = [];
  let isAllowed = false;
  const outbox = new Outbox(7);
  outbox.start({
    send: async (draft: MessageDraft) => {
      attempts.push(draft.bodyText ?? "");
      if (draft.recipientProfileId === null && !isAllowed) throw rateLimitError(10);
      return { bodyText: draft.bodyText } as Message;
    },
    onSent: (message) => sent.push(message.bodyText),
    onRefused: () => undefined,
  });
  const add = (recipientProfileId: number | null, bodyText: string) =>
    outbox.add({ recipientProfileId, bodyText, profilePicIds: [] });
  await add(null, "to all");
  await vi.advanceTimersByTimeAsync(0);
  await add(null, "to all again");
  await add(9, "to one");
  await vi.advanceTimersByTimeAsync(9000);
  expect(attempts).toEqual(["to all", "to one"]);
  expect(sent).toEqual(["to one"]);
  expect(outbox.items.getState()).toMatchObject([
    { bodyText: "to all", waits: { why: "Slow mode." } },
    { bodyText: "to all again" },
  ]);
  expect(outbox.items.getState()[0]?.failed).toBeUndefined();

  isAllowed = true;
  await vi.advanceTimersByTimeAsync(1500);
  expect(sent).toEqual(["to one", "to all", "to all again"]);
  expect(attempts).toHaveLength(4);
  expect(outbox.items.getState()).toEqual([]);
});

test("a message that waits for the network is not sent after another tab has discarded it", async () => {
  const sent: string[] = [];
  let isOnline = false;
  const outbox = new Outbox(7);
  outbox.start({
    send: async (draft: MessageDraft) => {
      if (!isOnline) throw new TypeError("Failed to fetch");
      return { bodyText: draft.bodyText } as Message;
    },
    onSent: (message) => sent.push(message.bodyText),
    onRefused: () => undefined,
  });
  await outbox.add({ recipientProfileId: 9, bodyText: "too much", profilePicIds: [] });
  await outbox.add({ recipientProfileId: 9, bodyText: "good evening", profilePicIds: [] });
  const otherTab = new Outbox(7);
  await vi.advanceTimersByTimeAsync(0);
  await otherTab.discard(otherTab.items.getState()[0]?.clientId ?? "");

  isOnline = true;
  await vi.advanceTimersByTimeAsync(1000);
  expect(sent).toEqual(["good evening"]);
  expect(outbox.items.getState()).toEqual([]);
  expect(disk.size).toBe(0);
});

test("messages of an earlier visit are sent first, in order, unless another tab has discarded them", async () => {
  const visit = new Outbox(7);
  for (const bodyText of ["one", "two", "three"])
    await visit.add({ recipientProfileId: 9, bodyText, profilePicIds: [] });
  vi.setSystemTime(Date.now() - 60_000);

  const sent: string[] = [];
  const outbox = new Outbox(7);
  await vi.advanceTimersByTimeAsync(0);
  const second = outbox.items.getState()[1];
  await visit.discard(second?.clientId ?? "");
  await outbox.add({ recipientProfileId: 9, bodyText: "four", profilePicIds: [] });
  outbox.start({
    send: async (draft: MessageDraft) => ({ bodyText: draft.bodyText }) as Message,
    onSent: (message) => sent.push(message.bodyText),
    onRefused: () => undefined,
  });
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual(["one", "three", "four"]);
  expect(outbox.items.getState()).toEqual([]);
  expect(disk.size).toBe(0);
});

test("a message that gets no answer holds up only its own conversation", async () => {
  const attempts: string[] = [];
  const outbox = new Outbox(7);
  outbox.start({
    send: (draft: MessageDraft) => {
      attempts.push(draft.bodyText ?? "");
      const isLost = draft.recipientProfileId === 9;
      return isLost ? new Promise(() => {}) : Promise.resolve({ bodyText: draft.bodyText } as Message);
    },
    onSent: () => undefined,
    onRefused: () => undefined,
  });
  const add = (recipientProfileId: number | null, bodyText: string) =>
    outbox.add({ recipientProfileId, bodyText, profilePicIds: [] });
  await add(9, "one");
  await add(9, "two");
  await add(8, "to another");
  await add(null, "to all");
  await vi.advanceTimersByTimeAsync(0);
  expect(attempts.toSorted()).toEqual(["one", "to all", "to another"]);
  expect(outbox.items.getState().map(({ bodyText }) => bodyText)).toEqual(["one", "two"]);
  disk.clear();
});

test("messages are sent from memory when the device's storage never answers, and not again by the next visit", async () => {
  const answers = Promise.withResolvers<void>();
  storage = answers.promise;
  const sent: string[] = [];
  const outbox = new Outbox(7);
  outbox.start({
    send: async (draft: MessageDraft) => ({ bodyText: draft.bodyText }) as Message,
    onSent: (message) => sent.push(message.bodyText),
    onRefused: () => undefined,
  });
  void outbox.add({ recipientProfileId: 9, bodyText: "one", profilePicIds: [] });
  await vi.advanceTimersByTimeAsync(5000);
  expect(sent).toEqual(["one"]);
  expect(outbox.items.getState()).toEqual([]);
  void outbox.add({ recipientProfileId: 9, bodyText: "two", profilePicIds: [] });
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toEqual(["one", "two"]);

  answers.resolve();
  await vi.advanceTimersByTimeAsync(1);
  expect(disk.size).toBe(0);
});
