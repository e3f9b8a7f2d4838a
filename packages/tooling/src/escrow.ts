/** `npm run escrow -- FILE`: prints the keys of a sealed file, for a new account or a lost worker (docs/OPERATIONS.md, A lost key). */
import { readFileSync } from "node:fs";
import { sayFailures } from "./say-failures.ts";
import { askHidden } from "./setup/ask-hidden.ts";
import { unseal } from "./setup/keys.ts";

sayFailures();

const [file = ".local/keys.sealed.json"] = process.argv.slice(2);
const keys = unseal(readFileSync(file, "utf8"), process.env.SETUP_PASSPHRASE ?? (await askHidden(false)));
for (const [name, value] of Object.entries(keys)) console.log(`${name}=${value}`);
