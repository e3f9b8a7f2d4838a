import { afterEach, expect, it, vi } from "vitest";
import { toBase64Url } from "../../../device/base64.ts";
import { subscribeToPush } from "./push.ts";
import { renewPush as renewAndTell } from "./renew-push.ts";

afterEach(() => vi.unstubAllGlobals());

const OLD_KEY = new Uint8Array(65).fill(1);
const NEW_KEY = new Uint8Array(65).fill(2);

/** A device that is subscribed under the old key. Returns what it did. */
function stubDevice(): string[] {
  const log: string[] = [];
  const unsubscribe = async () => {
    log.push("unsubscribed");
    subscription = null;
  };
  let subscription: object | null = {
    endpoint: "https://push.test/old",
    options: { applicationServerKey: OLD_KEY.buffer },
    unsubscribe,
  };
  const pushManager = {
    getSubscription: async () => subscription,
    subscribe: async () => {
      if (subscription) throw new DOMException("A subscription with a different key exists", "InvalidStateError");
      log.push("subscribed");
      const keys = { auth: "secret", p256dh: "point" };
      subscription = {
        endpoint: "https://push.test/new",
        options: { applicationServerKey: NEW_KEY.buffer },
        toJSON: () => ({ keys }),
        unsubscribe,
      };
      return subscription;
    },
  };
  const registration = { pushManager };
  vi.stubGlobal("navigator", {
    serviceWorker: { getRegistration: async () => registration, ready: Promise.resolve(registration) },
  });
  vi.stubGlobal("Notification", { requestPermission: async () => "granted" });
  return log;
}

it("keeps a subscription of the site's key, and renews one of a key that the site no longer has", async () => {
  const log = stubDevice();
  await subscribeToPush(toBase64Url(OLD_KEY));
  expect(log).toEqual([]);
  await subscribeToPush(toBase64Url(NEW_KEY));
  expect(log).toEqual(["unsubscribed", "subscribed"]);
});

const ACCOUNT = 5;
const toast = vi.fn();
const renewPush = (account: number, calls: Parameters<typeof renewAndTell>[1]) => renewAndTell(account, calls, toast);

interface Known {
  readonly endpoint?: string;
  readonly tsRemoved?: string;
}

/** A server that knows this device, if any, by an endpoint. */
function callsOf(
  key: Uint8Array,
  log: string[],
  { endpoint, tsRemoved = undefined }: Known = {},
): Parameters<typeof renewAndTell>[1] {
  const entry = { id: 7, deviceName: "Phone", endpoint: endpoint ?? "", expirationTime: 0, thisDevice: true };
  return {
    key: async () => ({ applicationServerKey: toBase64Url(key), tsRemoved: tsRemoved ?? null }),
    list: async () => ({ items: endpoint ? [entry] : [] }),
    subscribe: async (draft) => log.push(`saved ${draft.endpoint} of ${draft.deviceName}`),
    unsubscribe: async ({ id }) => log.push(`removed ${id}`),
  };
}

const OLD = { endpoint: "https://push.test/old" };
const NEW = { endpoint: "https://push.test/new" };

it("a page renews its device's subscription when the site's key changed, also after an interruption", async () => {
  const log = stubDevice();
  await renewPush(ACCOUNT, callsOf(OLD_KEY, log, OLD));
  expect(log).toEqual([]);
  const saved = ["saved https://push.test/new of Phone", "removed 7"];
  const interrupted = { ...callsOf(NEW_KEY, log, OLD), subscribe: () => Promise.reject(new Error()) };
  await expect(renewPush(ACCOUNT, interrupted)).rejects.toThrow();
  expect(log.splice(0)).toEqual(["unsubscribed", "subscribed"]);
  await renewPush(ACCOUNT, callsOf(NEW_KEY, log, OLD));
  expect(log).toEqual(saved);
  await renewPush(ACCOUNT, callsOf(NEW_KEY, log, NEW));
  expect(log).toEqual(saved);
});

it("a page subscribes its device anew when the browser has dropped the subscription", async () => {
  const log = stubDevice();
  const { pushManager } = await navigator.serviceWorker.ready;
  await (await pushManager.getSubscription())?.unsubscribe();
  await renewPush(ACCOUNT, callsOf(OLD_KEY, log, OLD));
  expect(log).toEqual(["unsubscribed", "subscribed", "saved https://push.test/new of Phone", "removed 7"]);
});

it("a page subscribes its device anew when the push service has given it up, also while the browser still has the subscription", async () => {
  const renewed = ["unsubscribed", "subscribed", "saved https://push.test/new of Phone"];
  for (const hasDropped of [false, true]) {
    const log = stubDevice();
    const { pushManager } = await navigator.serviceWorker.ready;
    await renewPush(ACCOUNT, callsOf(OLD_KEY, log, OLD));
    expect(log).toEqual([]);
    if (hasDropped) await (await pushManager.getSubscription())?.unsubscribe();
    await renewPush(ACCOUNT, callsOf(OLD_KEY, log));
    expect(log).toEqual(renewed);
  }
});

it("a page leaves a device alone that the member removed, or that another account subscribed, and says the former once", async () => {
  for (const [account, known] of [
    [ACCOUNT, { tsRemoved: "2026-11-29T10:00:00Z" }],
    [ACCOUNT + 1, {}],
  ] as const) {
    const log = stubDevice();
    await renewPush(ACCOUNT, callsOf(OLD_KEY, log, OLD));
    toast.mockClear();
    for (let page = 0; page < 2; page += 1) await renewPush(account, callsOf(OLD_KEY, log, known));
    expect(toast.mock.calls.map(([{ text }]) => text)).toEqual(
      account === ACCOUNT ? [expect.stringMatching(/no more notifications: .*, Nov 29/)] : [],
    );
    // For good: the wish is forgotten.
    await renewPush(ACCOUNT, callsOf(OLD_KEY, log));
    expect(log).toEqual([]);
  }
});
