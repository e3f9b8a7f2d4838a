/** Makes a VAPID key pair (P-256) for Web Push and prints how to set it; run once for a deployment, as new keys end all subscriptions. */
import { generateKeyPairSync } from "node:crypto";

const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const { x = "", y = "" } = publicKey.export({ format: "jwk" });
const { d = "" } = privateKey.export({ format: "jwk" });
const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);

console.log(`VAPID_PUBLIC_KEY = "${point.toString("base64url")}"`);
console.log(`VAPID_PRIVATE_KEY = "${d}"`);
console.log(
  "\nIn production put the first and VAPID_SUBJECT (mailto: of the operator) into [env.production.vars], and the second in by",
);
console.log("  npx wrangler secret put VAPID_PRIVATE_KEY --env production");
