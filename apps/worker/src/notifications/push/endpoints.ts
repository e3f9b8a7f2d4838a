import type { PushKeys } from "@lambda/contract/push";
import { decodeBase64Url } from "../../platform/base64url.ts";
import { AppError } from "../../platform/errors.ts";

/** Push services of the browsers. The server calls no other address, whatever endpoint a member's device claims. */
const PUSH_SERVICES = [
  "fcm.googleapis.com",
  "updates.push.services.mozilla.com",
  ".push.services.mozilla.com",
  ".notify.windows.com",
  ".push.apple.com",
];

/** In development, a mock on this machine counts as a push service too. */
const MOCK_HOST = "127.0.0.1";

/** Throws BAD_INPUT for a device that no push can reach, which would otherwise take the place of one that can be. */
export async function requireReachable(device: PushKeys & { readonly endpoint: string }) {
  if (!isPushService(device.endpoint)) {
    throw new AppError("BAD_INPUT", { field: "endpoint", message: "endpoint: is not a known push service" });
  }
  if (!(await hasValidKey(device))) {
    throw new AppError("BAD_INPUT", { field: "p256dh_base64", message: "p256dh_base64: is not a point of P-256" });
  }
}

/** Whether a push can be encrypted for the device. */
export async function hasValidKey({ p256dh_base64 }: Pick<PushKeys, "p256dh_base64">): Promise<boolean> {
  try {
    const raw = decodeBase64Url(p256dh_base64.replace(/=+$/, ""));
    await crypto.subtle.importKey("raw", raw, { name: "ECDH", namedCurve: "P-256" }, false, []);
    return true;
  } catch {
    return false;
  }
}

function isPushService(endpoint: string): boolean {
  const { protocol, hostname, port } = new URL(endpoint);
  if (protocol !== "https:") return false;
  if (__DEVELOPMENT__ && hostname === MOCK_HOST) return true;
  return (
    port === "" && PUSH_SERVICES.some((name) => (name.startsWith(".") ? hostname.endsWith(name) : hostname === name))
  );
}

/** The address to call: the mock speaks plain HTTP. */
export function callableEndpoint(endpoint: string): string {
  const url = new URL(endpoint);
  if (__DEVELOPMENT__ && url.hostname === MOCK_HOST) url.protocol = "http:";
  return url.href;
}
