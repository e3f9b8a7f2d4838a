import { createECDH, randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Env } from "../../platform/env.ts";
import { sendPush } from "./send-push.ts";

beforeEach(() => {
  vi.stubGlobal("__DEVELOPMENT__", false);
  vi.mocked(console.error).mockImplementation(() => undefined);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.mocked(console.error).mockReset();
});

function makeKeys() {
  const pair = createECDH("prime256v1");
  const publicKey = pair.generateKeys().toString("base64url");
  // Hex, because a key may begin with zeros, which the pair leaves out.
  return {
    publicKey,
    privateKey: Buffer.from(pair.getPrivateKey("hex").padStart(64, "0"), "hex").toString("base64url"),
  };
}

const DEVICE = {
  endpoint: "https://fcm.googleapis.com/device",
  auth_base64: randomBytes(16).toString("base64url"),
  p256dh_base64: makeKeys().publicKey,
};
const { publicKey, privateKey } = makeKeys();
const MALFORMED = `AAAA.${publicKey}`;

it.each<[string, string, object, number, string, number]>([
  ["is tried again while the site's key is malformed", MALFORMED, {}, 201, "retry", 1],
  ["is signed with the older key while the newer is malformed", `2:${MALFORMED},1:${privateKey}`, {}, 201, "sent", 1],
  ["is tried again if that is refused", `2:${MALFORMED},1:${privateKey}`, {}, 403, "retry", 1],
  ["is gone for a device whose own key is malformed", privateKey, { p256dh_base64: "BAAA" }, 201, "gone", 0],
])("a push %s", async (_, keys, device, status, outcome, faults) => {
  vi.stubGlobal("fetch", async () => new Response(null, { status }));
  const env = { VAPID_PRIVATE_KEY: keys, VAPID_PUBLIC_KEY: publicKey, VAPID_SUBJECT: "mailto:a@b.test" } as Env;
  const sent = sendPush(env, { ...DEVICE, ...device }, {}, { ttl: 60, urgency: "high" });
  expect(await sent).toBe(outcome);
  expect(vi.mocked(console.error)).toHaveBeenCalledTimes(faults);
});
