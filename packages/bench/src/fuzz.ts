/**
 * Hostile requests against a running site, in parallel: made from the OpenAPI document, and stray ones that no document
 * names (the tRPC paths, pictures, sockets, odd headers and cookies). Prints how many, how fast, and every fault: a 5xx, a
 * stack trace, an error without its shape.
 */
import { faultOf, fuzzRequests, type OpenApi } from "@lambda/testing/fuzz";
import { createMember } from "@lambda/testing/members";
import { seededRandom } from "@lambda/testing/random";
import { goal, line } from "./figures.ts";
import type { BenchOptions } from "./options.ts";
import { type Call, type OwnSite, openOwnSite } from "./own-site.ts";

const REQUESTS = 1_000_000;
const PARALLEL = 24;
/** A fresh member after this many requests, so that caps (429) and ended sessions (401) do not hide what lies behind them. */
const REQUESTS_A_MEMBER = 300;
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

/** Requests beside the document. tRPC's own error shape is not that of REST, so these are only held to "no 5xx, no trace". */
function stray(random: () => number, procedures: readonly string[]): Call {
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
  const odder = random() < 0.5 ? pick(ODD_HEADERS) : {};
  // The development server's own proxy breaks over an upgrade by anything but GET, and takes its neighbours' connections along.
  const headers = method !== "GET" && "upgrade" in odder ? {} : odder;
  return { method, path, headers, alone: true, ...(body !== undefined && { body }) };
}

/** Ends the session it comes with, by design: the rest of the run would only see 401. */
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

  const newcomer = async () => {
    made += 1;
    // Far from each other: the requests themselves make members too, with the ids that come next.
    const id = made * 1_000_003;
    await createMember(site.sql, { id, characteristics: 5, adminBrand: made % 3 === 0 ? "ember" : null });
    return site.session(id);
  };

  const lane = async (number: number) => {
    const random = seededRandom(number * 7919 + 1).next;
    const documented = fuzzRequests(document, number);
    let cookie = await newcomer();
    for (let own = 1; sent < requests; own += 1) {
      if (own % REQUESTS_A_MEMBER === 0) cookie = await newcomer();
      sent += 1;
      const beside = random() < 0.2;
      const call: Call = beside ? stray(random, procedures) : (documented.next().value as Call);
      const name = `${call.method} ${call.path}`;
      if (ENDS_SESSION.test(name)) continue;
      const anonymous = random() < 0.05;
      // Every lane its own address, so that caps by address do not answer for the code behind them.
      const headers = {
        "cf-connecting-ip": `10.${number}.${own % 250}.1`,
        ...(!anonymous && { cookie }),
        ...call.headers,
      };
      const answer = await site.call({ ...call, headers }).catch((error: unknown) => {
        // The parser of the server closes on what is no HTTP at all; nothing of ours ran.
        lost += 1;
        if (!/ECONNRESET|EPIPE|socket hang up|unescaped|Parse Error/.test(String(error))) throw error;
        return undefined;
      });
      if (!answer) continue;
      // Likewise the development server's own word for an upgrade that is none: ours is always JSON.
      const upgrade = "upgrade" in (call.headers ?? {});
      if (
        (answer.status === 501 && answer.body.startsWith("ERROR")) ||
        (upgrade && answer.body === "Internal Server Error") ||
        // And of a connection between its own parts that was closed with an unread body; it repeats GETs alone.
        (answer.status === 500 && answer.body.startsWith("Error: Network connection lost."))
      ) {
        lost += 1;
        continue;
      }
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      const fault = beside
        ? answer.status >= 500
          ? `status ${answer.status}`
          : faultOf(200, answer.body)
        : faultOf(answer.status, answer.body);
      const kind = fault && `${call.method} ${call.path.split("?")[0]?.slice(0, 80)}: ${fault}`;
      if (kind && !faults.has(kind)) {
        faults.add(kind);
        // At once, so that a run that is broken off has told what it saw.
        if (faults.size <= FAULTS_PRINTED) {
          line(`FAULT ${kind}`, `${name} ${String(call.body ?? "")}`.slice(0, 600));
          console.log(`  answered ${answer.body.slice(0, 300)}`);
          if (faults.size === 1) console.log(site.log().slice(-3000));
        }
      }
      if (sent % 10_000 === 0) {
        line(
          `after ${sent}`,
          `${Math.round((sent / (Date.now() - started)) * 1000)} a second, ${faults.size} kinds of fault`,
        );
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, (_, number) => lane(number + 1)));

  const seconds = (Date.now() - started) / 1000;
  line(
    "hostile requests",
    `${sent} in ${Math.round(seconds)} s, ${Math.round(sent / seconds)} a second, ${made} members`,
  );
  line(
    "answers",
    [...statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => `${status}: ${count}`)
      .join("  "),
  );
  line("lost in the development server", String(lost));
  goal("kinds of fault", faults.size, 0);
}
