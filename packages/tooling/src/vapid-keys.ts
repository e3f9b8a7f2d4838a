/** Generates and prints a VAPID key pair (P-256) for Web Push. Run once per deployment: new keys invalidate all subscriptions. */
import { generateKeyPairSync } from "node:crypto";

const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const { x = "", y = "" } = publicKey.export({ format: "jwk" });
const { d = "" } = privateKey.export({ format: "jwk" });
const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);

console.log(`VAPID_PUBLIC_KEY = "${point.toString("base64url")}"`);
console.log(`VAPID_PRIVATE_KEY = "${d}"`);
console.log(
  "\nFor development both go into [vars] of wrangler.toml; docs/OPERATIONS.md says where they go in production.",
);
