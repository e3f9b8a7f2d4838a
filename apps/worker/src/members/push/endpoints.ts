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

export function isPushService(endpoint: string): boolean {
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
