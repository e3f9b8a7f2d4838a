/**
 * Sends hostile requests to a running site in parallel: generated from the OpenAPI document, and undocumented ones (tRPC paths,
 * pictures, sockets, odd headers and cookies). Prints the throughput and every fault: a 5xx, a stack trace, a malformed error.
 */
import { findFault, fuzzRequests, type OpenApi } from "@lambda/testing/fuzz";
import { insertMember } from "@lambda/testing/members";
import { seededRandom } from "@lambda/testing/random";
import { printGoal, printLine } from "./figures.ts";
import type { BenchOptions } from "./options.ts";
import { type Call, type OwnSite, openOwnSite } from "./own-site.ts";

const REQUESTS = 1_000_000;
const PARALLEL = 24;
/** A new member is used after this many requests, so that rate limits (429) and ended sessions (401) do not mask other faults. */
const REQUESTS_PER_MEMBER = 300;
const FAULTS_PRINTED = 30;

const ODD = [
  "",
  "0",
  "-1",
  "1e309",
  "null",
  "%00",
  "..%2f..%2fetc%2fpasswd",
  "%ff",
  "a".repeat(3000),
  "{}",
  "[[[[",
  '{"0":',
  "💥",
];
const ODD_HEADERS: Record<string, string>[] = [
  { "content-type": "multipart/form-data; boundary=" },
  { "content-type": "application/json; charset=utf-16" },
  { "content-encoding": "gzip" },
  { "if-none-match": "*" },
  { range: "bytes=5-1" },
  { accept: "text/html" },
  { cookie: "__Host-session=%00; __Host-session" },
  { cookie: `__Host-session=${"a".repeat(4000)}` },
  { origin: "null" },
  { origin: "https://elsewhere.example" },
  { upgrade: "websocket", connection: "Upgrade" },
  { "x-http-method-override": "DELETE" },
  { "x-forwarded-host": "elsewhere.example" },
];

/** Undocumented requests. tRPC's error format differs from REST's, so they are only checked for 5xx and stack traces. */
function undocumentedRequest(random: () => number, procedures: readonly string[]): Call {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const odd = () => encodeURIComponent(pick(ODD));
  const names = () => Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(procedures)).join(",");
  const path = pick([
    () => `/trpc/${names()}?batch=1&input=${odd()}`,
    () => `/trpc/${names()}?input=${odd()}`,
    () => `/trpc/${odd()}`,
    () => `/api/profile-pic/${odd()}?scale_x=${odd()}`,
    () => `/api/profile-pic/nsfw/${odd()}`,
    () => `/api/profile/pic/${odd()}?orig=1`,
    () => `/api/profile-pic?replace_id=${odd()}`,
    () => `/api/evidence/${odd()}`,
    () => `/api/${odd()}/${odd()}`,
    () => `/ws${pick(["", "/area", "/x"])}`,
    () => `/tiles/${odd()}`,
    () => `/${odd()}`,
  ])();
  const method = pick(["GET", "GET", "POST", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"]);
  const body = method === "GET" || method === "HEAD" || method === "OPTIONS" ? undefined : pick(ODD);
  const oddHeaders = random() < 0.5 ? pick(ODD_HEADERS) : {};
  // The development server's proxy crashes on upgrades other than GET, which also breaks other connections.
  const headers = method !== "GET" && "upgrade" in oddHeaders ? {} : oddHeaders;
  return { method, path, headers, ownConnection: true, ...(body !== undefined && { body }) };
}

/** Requests that end their own session by design, after which everything would respond with 401. */
const ENDS_SESSION = /^(POST \/api\/auth\/logout|DELETE \/api\/sessions?\b|POST \/api\/account\/deletion)/;

export async function run({ requests = REQUESTS }: BenchOptions): Promise<void> {
  const site = await openOwnSite();
  try {
    await fuzz(site, requests);
  } finally {
    await site.close();
  }
}

async function fuzz(site: OwnSite, requests: number): Promise<void> {
  const document = JSON.parse((await site.call({ path: "/api/openapi.json" })).body) as OpenApi;
  const procedures = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map((operation) => (operation as unknown as { operationId: string }).operationId),
  );
  const faults = new Set<string>();
  const statuses = new Map<number, number>();
  let sent = 0;
  let lost = 0;
  let made = 0;
  const started = Date.now();

  const createNewMember = async () => {
    made += 1;
    // Widely spaced ids, because the requests themselves may also create members with the next ids.
    const id = made * 1_000_003;
    await insertMember(site.sql, { id, characteristics: 5, adminBrand: made % 3 === 0 ? "ember" : null });
    return site.session(id);
  };

  const lane = async (number: number) => {
    const random = seededRandom(number * 7919 + 1).next;
    const documented = fuzzRequests(document, number);
    let cookie = await createNewMember();
    for (let own = 1; sent < requests; own += 1) {
      if (own % REQUESTS_PER_MEMBER === 0) cookie = await createNewMember();
      sent += 1;
      const isUndocumented = random() < 0.2;
      const call: Call = isUndocumented ? undocumentedRequest(random, procedures) : (documented.next().value as Call);
      const name = `${call.method} ${call.path}`;
      if (ENDS_SESSION.test(name)) continue;
      const anonymous = random() < 0.05;
      // Each lane uses its own IP addresses, so that rate limits do not mask other faults.
      const headers = {
        "cf-connecting-ip": `10.${number}.${own % 250}.1`,
        ...(!anonymous && { cookie }),
        ...call.headers,
      };
      const response = await site.call({ ...call, headers }).catch((error: unknown) => {
        // The server closes the connection on invalid HTTP, before any of our code runs.
        lost += 1;
        if (!/ECONNRESET|EPIPE|socket hang up|unescaped|Parse Error/.test(String(error))) throw error;
        return undefined;
      });
      if (!response) continue;
      // Errors of the development server itself for an invalid upgrade; ours are always JSON.
      const upgrade = "upgrade" in (call.headers ?? {});
      if (
        (response.status === 501 && response.body.startsWith("ERROR")) ||
        (upgrade && response.body === "Internal Server Error") ||
        // The development server lost an internal connection with an unread body; it only retries GET requests.
        (response.status === 500 && response.body.startsWith("Error: Network connection lost."))
      ) {
        lost += 1;
        continue;
      }
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      const fault = isUndocumented
        ? response.status >= 500
          ? `status ${response.status}`
          : findFault(200, response.body)
        : findFault(response.status, response.body);
      const kind = fault && `${call.method} ${call.path.split("?")[0]?.slice(0, 80)}: ${fault}`;
      if (kind && !faults.has(kind)) {
        faults.add(kind);
        // Printed immediately, in case the run is interrupted.
        if (faults.size <= FAULTS_PRINTED) {
          printLine(`FAULT ${kind}`, `${name} ${String(call.body ?? "")}`.slice(0, 600));
          console.log(`  responded ${response.body.slice(0, 300)}`);
          if (faults.size === 1) console.log(site.log().slice(-3000));
        }
      }
      if (sent % 10_000 === 0) {
        printLine(
          `after ${sent}`,
          `${Math.round((sent / (Date.now() - started)) * 1000)} a second, ${faults.size} kinds of fault`,
        );
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, (_, number) => lane(number + 1)));

  const seconds = (Date.now() - started) / 1000;
  printLine(
    "hostile requests",
    `${sent} in ${Math.round(seconds)} s, ${Math.round(sent / seconds)} a second, ${made} members`,
  );
  printLine(
    "answers",
    [...statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => `${status}: ${count}`)
      .join("  "),
  );
  printLine("lost in the development server", String(lost));
  printGoal("kinds of fault", faults.size, 0);
}
