import { afterEach, expect, it, vi } from "vitest";
import { toBase64Url } from "../../device/base64.ts";
import { subscribeToPush } from "./push.ts";

afterEach(() => vi.unstubAllGlobals());

const OLD_KEY = new Uint8Array(65).fill(1);
const NEW_KEY = new Uint8Array(65).fill(2);

/** A device that is subscribed under the old key. Returns what it did. */
function stubDevice(): string[] {
  const log: string[] = [];
  let subscription: object | null = {
    options: { applicationServerKey: OLD_KEY.buffer },
    unsubscribe: async () => {
      log.push("unsubscribed");
      subscription = null;
    },
  };
  const pushManager = {
    getSubscription: async () => subscription,
    subscribe: async () => {
      if (subscription) throw new DOMException("A subscription with a different key exists", "InvalidStateError");
      log.push("subscribed");
      return {};
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
