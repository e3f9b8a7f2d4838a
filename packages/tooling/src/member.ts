/** `npm run member -- REQUEST ADDRESS [NEW ADDRESS] [--at TIME] [--remote]`: see docs/OPERATIONS.md, A request by post. */
import { parseArgs } from "node:util";
import { localRunner, openTarget, remoteRunner } from "./deploy/target.ts";
import { remindOfRemote } from "./deployment/site-file.ts";
import { fulfillRequest, MEMBER_REQUESTS, type MemberRequest } from "./member-requests.ts";
import { sayFailures } from "./say-failures.ts";

sayFailures();

const USAGE = `npm run member -- find ADDRESS [--remote]            whether there is an account, and its state
npm run member -- move ADDRESS NEW [--remote]        gives the account to another mailbox and ends its sessions
npm run member -- restrict ADDRESS [--remote]        hides it without erasing anything
npm run member -- lift ADDRESS [--remote]            ends the restriction
npm run member -- delete ADDRESS [--at TIME] [--remote]   as its owner would; TIME is when they asked, for use after a restore`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { remote: { type: "boolean", default: false }, at: { type: "string" } },
});
const [request, email, to] = positionals;
const at = values.at === undefined ? undefined : Date.parse(values.at);
if (!MEMBER_REQUESTS.includes(request as MemberRequest) || !email || Number.isNaN(at)) throw new Error(USAGE);
const run = values.remote ? remoteRunner(await openTarget()) : localRunner("lambda");
console.log(await fulfillRequest({ request: request as MemberRequest, email, to, at }, run));
if (request !== "find")
  console.log(
    "Replicas of the database are updated within seconds. Record who asked, when, and how they proved their identity.",
  );
remindOfRemote(values.remote);
