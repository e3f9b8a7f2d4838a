/**
 * `npm run keys -- rotate NAME`: seals and sets a new version of a key. `npm run keys -- restore`: sets every key of the sealed file again
 * (docs/OPERATIONS.md, A leak and A lost key).
 */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "@lambda/testing/site";
import { changeSecret } from "./deploy/secret.ts";
import { runSmokeTest } from "./deploy/smoke.ts";
import { openTarget, remoteRunner } from "./deploy/target.ts";
import { DEPLOYMENT, listOrigins } from "./deployment/site-file.ts";
import { askHidden } from "./setup/ask-hidden.ts";
import { isKeyOf, type Keys, seal, unseal, withNewVersion } from "./setup/keys.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { file: { type: "string", default: join(ROOT, DEPLOYMENT, "keys.sealed.json") } },
});
const [action, name = ""] = positionals;
try {
  if (action !== "rotate" && action !== "restore") throw new Error("Say rotate NAME, or restore.");
  const target = await openTarget();
  const { account, script, site } = target;
  const passphrase = process.env.SETUP_PASSPHRASE ?? (await askHidden(false));
  const sealed = unseal(readFileSync(values.file, "utf8"), passphrase);
  const { changed, keys } = action === "rotate" ? withNewVersion(sealed, name) : { changed: sealed, keys: sealed };
  if (action === "rotate") {
    await requireKeyOfSite(sealed);
    writeFileSync(`${values.file}.new`, seal(keys, passphrase), { mode: 0o600 });
    renameSync(`${values.file}.new`, values.file);
    console.log(`Sealed the new ${name} into ${values.file}: copy that file to its other place.`);
  }
  let version = "";
  for (const [each, value] of Object.entries(changed)) {
    ({ version } = await changeSecret(account, script, each, value));
    console.log(`${version} has all requests, with the ${each} of the sealed file.`);
  }
  await runSmokeTest({ origins: listOrigins(site), script, version });
  console.log("It answers.");

  /** A sealed file of another site would make all that is encrypted unreadable. */
  async function requireKeyOfSite({ SITE_KEY = "" }: Keys): Promise<void> {
    if (name !== "SITE_KEY") return;
    const rows = await remoteRunner(target)(
      "SELECT DISTINCT hex(substr(lattices, 1, 4)) AS id FROM account WHERE lattices IS NOT NULL",
    );
    if (rows.length === 0 || rows.some(({ id }) => isKeyOf(SITE_KEY, String(id)))) return;
    throw new Error(`${values.file} has another SITE_KEY than the site. Nothing was changed: find the right file.`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
