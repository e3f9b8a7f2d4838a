/** `npm run add-message-database [-- NUMBER] [--location weur] [--dry-run]` (docs/OPERATIONS.md, Databases for messages). */
import { parseArgs } from "node:util";
import { ROOT } from "@lambda/testing/site";
import { DATA_LOCATIONS, type DataLocation } from "./account/resources.ts";
import { openTarget } from "./deploy/target.ts";
import { requireSite } from "./deployment/site-file.ts";
import { sayFailures } from "./say-failures.ts";
import { addMessageDatabase } from "./setup/message-database.ts";

sayFailures("Run npm run add-message-database again to continue from here.");

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { location: { type: "string" }, "dry-run": { type: "boolean", default: false } },
});
const [number] = positionals;

const { account, databaseId } = await openTarget();
const added = await addMessageDatabase({
  account,
  root: ROOT,
  mainId: databaseId,
  dryRun: values["dry-run"],
  location: getLocation(),
  number: number === undefined ? undefined : Number(number),
  say: (line) => console.log(line),
});
console.log(
  added === undefined
    ? "Nothing changed."
    : `deployment/site.json names it. After npm run deploy new conversations may be stored in number ${added}.`,
);

/** The location chosen in npm run setup, unless given as an option. */
function getLocation(): DataLocation {
  const location = values.location ?? requireSite(ROOT).answers.location;
  const known = DATA_LOCATIONS.find((one) => one === location);
  if (!known) throw new Error(`Give the location of the data: --location ${DATA_LOCATIONS.join(" | ")}`);
  return known;
}
