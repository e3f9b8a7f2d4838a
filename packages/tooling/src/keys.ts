/**
 * `npm run keys -- rotate NAME`: seals and sets a new version of a key. `npm run keys -- restore`: sets every key of the sealed file again.
 * `npm run keys -- replace NAME --lost`: a new key where no copy of the old one is left, and what was made with it goes (docs/OPERATIONS.md,
 * A leak and A lost key).
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
import { isKeyOf, KEY_NAMES, type Keys, makeKeys, publicPushKey, seal, unseal, withNewVersion } from "./setup/keys.ts";

sayFailures();

/** Without the key nothing can be read that was derived from it; markers begin anew, each at a random place of its lattice. */
const FORGET_SITE_KEY = [
  "UPDATE account SET lattices = NULL, lattice_seed = randomblob(32)",
  "DELETE FROM position",
  "DELETE FROM trip",
];

const USAGE = `npm run keys -- rotate NAME            a new version of ${KEY_NAMES.join(", ")}
npm run keys -- restore [--file FILE]  sets every key of the sealed file again
npm run keys -- replace NAME --lost    where no copy is left; docs/OPERATIONS.md, A lost key, says what ends`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    lost: { type: "boolean", default: false },
    file: { type: "string", default: join(ROOT, DEPLOYMENT, "keys.sealed.json") },
  },
});
const [action, name = ""] = positionals;
const isNamed = KEY_NAMES.includes(name);
if (!(action === "restore" || (action === "rotate" && isNamed) || (action === "replace" && isNamed && values.lost)))
  throw new Error(USAGE);
const target = await openTarget();
const { account, script, site } = target;
const isSealed = existsSync(values.file);
if (action !== "replace" && !isSealed)
  throw new Error(
    `There is no ${values.file}: bring it back from where you keep a copy. If there is none, docs/OPERATIONS.md, A lost key, says what to do.`,
  );
const passphrase = process.env.SETUP_PASSPHRASE ?? (await askHidden(!isSealed));
const sealed = isSealed ? unseal(readFileSync(values.file, "utf8"), passphrase) : {};
const { changed, keys } = await changeKeys(sealed);
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

async function changeKeys(known: Keys): Promise<{ readonly changed: Keys; readonly keys: Keys }> {
  if (action === "rotate") return withNewVersion(known, name);
  const changedKeys = action === "replace" ? { [name]: `${await versionPrefix()}${makeKeys()[name]}` } : known;
  return { changed: changedKeys, keys: { ...known, ...changedKeys } };
}

/** A new HOLD_KEY must not have the number under which holds of the lost one are stored. */
async function versionPrefix(): Promise<string> {
  if (name !== "HOLD_KEY") return "";
  const [row] = await remoteRunner(target)("SELECT max(key_version) AS newest FROM legal_hold");
  return row?.newest == null ? "" : `${Number(row.newest) + 1}:`;
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
