/**
 * `npm run keys -- rotate NAME`: seals and sets a new version of a key. `npm run keys -- restore`: sets every key of the sealed file again.
 * `npm run keys -- replace SITE_KEY --lost` (or VAPID_PRIVATE_KEY): a new key where no copy of the old one is left, and what was made with it
 * goes (docs/OPERATIONS.md, A leak and A lost key).
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "@lambda/testing/site";
import { changeSecret } from "./deploy/secret.ts";
import { runSmokeTest } from "./deploy/smoke.ts";
import { openTarget, remoteRunner } from "./deploy/target.ts";
import { DEPLOYMENT, listOrigins, updateSite } from "./deployment/site-file.ts";
import { sayFailures } from "./say-failures.ts";
import { askHidden } from "./setup/ask-hidden.ts";
import { isKeyOf, type Keys, makeKeys, publicPushKey, seal, unseal, withNewVersion } from "./setup/keys.ts";

sayFailures();

/** Without the key nothing can be read that was derived from it; markers begin anew, each at a random place of its lattice. */
const FORGET_SITE_KEY = [
  "UPDATE account SET lattices = NULL, lattice_seed = randomblob(32)",
  "DELETE FROM position",
  "DELETE FROM trip",
];

const REPLACEABLE = ["SITE_KEY", "VAPID_PRIVATE_KEY"];

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    lost: { type: "boolean", default: false },
    file: { type: "string", default: join(ROOT, DEPLOYMENT, "keys.sealed.json") },
  },
});
const [action, name = ""] = positionals;
if (action !== "rotate" && action !== "restore" && action !== "replace")
  throw new Error("Say rotate NAME, restore, or replace NAME.");
if (action === "replace" && (!REPLACEABLE.includes(name) || !values.lost))
  throw new Error(
    `replace ${REPLACEABLE.join(" or ")} --lost ends what A lost key (docs/OPERATIONS.md) lists: SITE_KEY moves every marker.`,
  );
if (action === "rotate" && !name) throw new Error("Say which key: rotate SITE_KEY, HOLD_KEY or VAPID_PRIVATE_KEY.");
const target = await openTarget();
const { account, script, site } = target;
const isSealed = action !== "replace" || existsSync(values.file);
const passphrase = process.env.SETUP_PASSPHRASE ?? (await askHidden(!isSealed));
const sealed = isSealed ? unseal(readFileSync(values.file, "utf8"), passphrase) : {};
const { changed, keys } = changeKeys(sealed);
if (action !== "restore") {
  await requireKeyOfSite(sealed);
  writeFileSync(`${values.file}.new`, seal(keys, passphrase), { mode: 0o600 });
  renameSync(`${values.file}.new`, values.file);
  if (name === "VAPID_PRIVATE_KEY") updateSite(ROOT, { pushKey: publicPushKey(keys) });
  console.log(`Sealed the new ${name} into ${values.file}: copy that file to its other place.`);
}
let version = "";
for (const [each, value] of Object.entries(changed)) {
  ({ version } = await changeSecret(account, script, each, value));
  console.log(`${version} has all requests, with the ${each} of the sealed file.`);
}
// After the new key, so that nothing is made with the old one again. Interrupted, the command is run again.
if (action === "replace" && name === "SITE_KEY")
  for (const statement of FORGET_SITE_KEY) await remoteRunner(target)(statement);
await runSmokeTest({ origins: listOrigins(site), script, version });
console.log("It answers.");

function changeKeys(known: Keys): { readonly changed: Keys; readonly keys: Keys } {
  if (action === "rotate") return withNewVersion(known, name);
  const changedKeys = action === "replace" ? { [name]: makeKeys()[name]! } : known;
  return { changed: changedKeys, keys: { ...known, ...changedKeys } };
}

/** A sealed file of another site would make all that is encrypted unreadable; that of this site makes no replacement necessary. */
async function requireKeyOfSite({ SITE_KEY = "" }: Keys): Promise<void> {
  if (action === "replace" && name !== "SITE_KEY" && sealed[name])
    throw new Error(`${values.file} has ${name}. Nothing was changed: restore sets it, and rotate makes another.`);
  if (name !== "SITE_KEY") return;
  const rows = await remoteRunner(target)(
    "SELECT DISTINCT hex(substr(lattices, 1, 4)) AS id FROM account WHERE lattices IS NOT NULL",
  );
  const isOfSite = SITE_KEY !== "" && rows.some(({ id }) => isKeyOf(SITE_KEY, String(id)));
  if (action === "replace") {
    if (!isOfSite) return;
    throw new Error(`${values.file} has the site's SITE_KEY. Nothing was changed: npm run keys -- restore sets it.`);
  }
  if (rows.length === 0 || isOfSite) return;
  throw new Error(`${values.file} has another SITE_KEY than the site. Nothing was changed: find the right file.`);
}
