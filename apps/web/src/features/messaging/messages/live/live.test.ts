import { afterEach, beforeEach, expect, it, vi } from "vitest";

const MISSED = Array.from({ length: 150 }, (_, index) => ({ id: index + 1, senderProfileId: 2, tsDelivered: null }));
const delivered: number[][] = [];
type MissedPage = { items: object[]; nextCursor: number | null };
let missed: (input: { sinceMessageId: number }) => MissedPage = () => ({ items: MISSED, nextCursor: null });

vi.mock("../../../../api/client.ts", async (original) => ({
  ...(await original<object>()),
  trpcClient: {
    messages: {
      conversations: { query: async () => ({ items: [], nextCursor: null }) },
      missed: { query: async (input: { sinceMessageId: number }) => missed(input) },
      delivered: {
        mutate: async ({ messageIds }: { messageIds?: number[] }) => void (messageIds && delivered.push(messageIds)),
      },
    },
  },
}));
vi.mock("../../../../api/socket.ts", () => ({
  connectSocket: (socket: { path: () => string; onReady: () => void }) => {
    ready = socket.onReady;
    told.push(socket.path());
    const send = (event: { type: string }) => isSocketReady && event.type === "visible" && told.push(event) > 0;
    return { send, isReady: () => isSocketReady, close: () => undefined };
  },
}));
vi.mock("../conversation/conversations.ts", () => ({
  conversationsOf: () => ({
    refresh: async () => undefined,
    recheck: async () => {
      rechecks += 1;
    },
    receiveMessages: () => undefined,
    receiveEvent: () => undefined,
  }),
}));
vi.mock("../outbox/outbox.ts", () => ({
  outboxOf: () => ({ start: () => undefined, flush: async () => undefined, confirmSent: () => undefined }),
}));
vi.mock("./refresh-queries.ts", () => ({
  AREA: [],
  CONVERSATIONS: ["conversations"],
  NOTIFICATIONS: ["notifications"],
  SESSION: ["session"],
  refreshCounts: vi.fn(),
  refreshNow: vi.fn(),
  refreshSoon: vi.fn(),
}));

const told: unknown[] = [];
let ready: () => void;
let poll: () => void;
let rechecks = 0;
let isSocketReady = true;
const { startLiveConnection } = await import("./live.ts");
const { refreshCounts, refreshNow, refreshSoon } = await import("./refresh-queries.ts");
let stop: () => void;
beforeEach(() => {
  vi.stubGlobal("addEventListener", vi.fn());
  vi.stubGlobal("removeEventListener", vi.fn());
  vi.stubGlobal("document", Object.assign(new EventTarget(), { visibilityState: "visible" }));
  vi.stubGlobal("window", {
    setInterval: (act: () => void) => {
      poll = act;
      return 1;
    },
    clearInterval: () => undefined,
  });
  stop = startLiveConnection(1);
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

it("acknowledges missed messages in batches of the size the API accepts", async () => {
  ready();
  // An event of the time before was never heard.
  expect(refreshNow).toHaveBeenCalledWith(["notifications"]);
  // The first catch-up only records the starting point.
  await new Promise((resolve) => setTimeout(resolve, 10));
  ready();
  await vi.waitFor(() => expect(delivered.flat()).toEqual(MISSED.map(({ id }) => id)));
  expect(delivered.map(({ length }) => length)).toEqual([100, 50]);
});

it("tells the server whether its page can be seen, also what changed while it connected", () => {
  const turn = (visibilityState: string) => {
    Object.assign(document, { visibilityState });
    document.dispatchEvent(new Event("visibilitychange"));
  };
  told.splice(0, told.length - 1);
  isSocketReady = false;
  turn("hidden");
  isSocketReady = true;
  ready();
  turn("hidden");
  turn("visible");
  const visible = (is: boolean) => ({ type: "visible", visible: is });
  expect(told).toEqual(["/ws?visible=true", visible(false), visible(true)]);
});

it("reads by the poll what a blocked socket does not report, even if the browser says that it is offline", async () => {
  vi.stubGlobal("navigator", { onLine: false });
  isSocketReady = false;
  poll();
  await vi.waitFor(() => expect(refreshSoon).toHaveBeenCalledWith(["session"], ["notifications"]));
  expect(rechecks).toBe(1);
});

it("reads the list of conversations by the poll only if a message came, also behind an empty page of what was missed", async () => {
  isSocketReady = false;
  const polled = async () => {
    vi.mocked(refreshSoon).mockClear();
    vi.mocked(refreshCounts).mockClear();
    poll();
    await vi.waitFor(() => expect(refreshSoon).toHaveBeenCalled());
    return vi.mocked(refreshCounts).mock.calls.length;
  };
  missed = () => ({ items: [], nextCursor: null });
  // The first poll only records the starting point.
  await polled();
  expect(await polled()).toBe(0);
  expect(vi.mocked(refreshSoon).mock.calls.flat()).not.toContainEqual(["conversations"]);
  missed = ({ sinceMessageId }) =>
    sinceMessageId < 200
      ? { items: [], nextCursor: 200 }
      : { items: [{ id: 201, senderProfileId: 2, tsDelivered: "now" }], nextCursor: null };
  expect(await polled()).toBe(1);
  expect(await polled()).toBe(1);
});
