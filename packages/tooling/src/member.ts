/** `npm run member -- REQUEST ADDRESS [NEW ADDRESS] [--at TIME] [--remote]`: see docs/OPERATIONS.md, A request by post. */
import { parseArgs } from "node:util";
import { localRunner, openTarget, remoteRunner } from "./deploy/target.ts";
import { fulfil, REQUESTS, type Request } from "./member-requests.ts";

const USAGE = `npm run member -- find ADDRESS [--remote]            whether there is an account, and its state
npm run member -- move ADDRESS NEW [--remote]        gives the account to another mailbox and ends its sessions
npm run member -- restrict ADDRESS [--remote]        nobody sees it, nothing is erased
npm run member -- lift ADDRESS [--remote]            ends the restriction
npm run member -- delete ADDRESS [--at TIME] [--remote]   what its owner would do; TIME is when they asked, after a restore`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { remote: { type: "boolean", default: false }, at: { type: "string" } },
});
const [request, email, to] = positionals;
const at = values.at === undefined ? undefined : Date.parse(values.at);
if (!REQUESTS.includes(request as Request) || !email || Number.isNaN(at)) throw new Error(USAGE);
const run = values.remote ? remoteRunner(await openTarget()) : localRunner("lambda");
console.log(await fulfil({ request: request as Request, email, to, at }, run));
if (request !== "find")
  console.log(
    "Copies of the database far away know it within some seconds. Note who asked, how they proved it, and when.",
  );
