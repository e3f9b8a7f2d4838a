import { afterEach, beforeEach, expect, it, vi } from "vitest";

const MISSED = Array.from({ length: 150 }, (_, index) => ({ id: index + 1, senderProfileId: 2, tsDelivered: null }));
const delivered: number[][] = [];

vi.mock("../../../api/message-calls.ts", () => ({
  fetchConversations: async () => ({ items: [], nextCursor: null }),
  fetchMissed: async () => ({ items: MISSED, nextCursor: null }),
  markDelivered: async ({ messageIds }: { messageIds?: number[] }) => void (messageIds && delivered.push(messageIds)),
}));
vi.mock("../../../api/socket.ts", () => ({
  connectSocket: (socket: { onReady: () => void }) => {
    ready = socket.onReady;
    return { send: () => false, isReady: () => true, close: () => undefined };
  },
}));
vi.mock("../conversation/conversations.ts", () => ({
  conversationsOf: () => ({
    refresh: async () => undefined,
    receiveMessages: () => undefined,
    receiveEvent: () => undefined,
  }),
}));
vi.mock("../outbox/outbox.ts", () => ({
  outboxOf: () => ({ start: () => undefined, flush: async () => undefined, confirmSent: () => undefined }),
}));
vi.mock("./refresh-queries.ts", () => ({
  AREA: [],
  CONVERSATIONS: [],
  NOTIFICATIONS: [],
  SESSION: [],
  refreshCounts: vi.fn(),
  refreshNow: vi.fn(),
  refreshSoon: vi.fn(),
}));

let ready: () => void;
const { startLiveConnection } = await import("./live.ts");
let stop: () => void;
beforeEach(() => {
  vi.stubGlobal("addEventListener", vi.fn());
  vi.stubGlobal("removeEventListener", vi.fn());
  vi.stubGlobal("window", { setInterval: () => 1, clearInterval: () => undefined });
  stop = startLiveConnection(1);
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

it("acknowledges missed messages in batches of the size the API accepts", async () => {
  ready();
  // The first catch-up only records the starting point.
  await new Promise((resolve) => setTimeout(resolve, 10));
  ready();
  await vi.waitFor(() => expect(delivered.flat()).toEqual(MISSED.map(({ id }) => id)));
  expect(delivered.map(({ length }) => length)).toEqual([100, 50]);
});
