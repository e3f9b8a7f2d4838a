/**
 * Measures requests per second of the calls that every visit makes, relative to /api/ping without a session, which does not use the
 * database. Rounds are interleaved, so that other load on the machine affects all equally. The goal is half the rate of ping.
 */
import { memberStatements } from "@lambda/testing/members";
import type { Statement } from "@lambda/testing/sql";
import { printLine, quantile, round } from "./figures.ts";
import type { BenchOptions } from "./options.ts";
import { type OwnSite, openOwnSite } from "./own-site.ts";
import { Population } from "./population.ts";

const MEMBERS = 2000;
const ROUNDS = 7;
const REQUESTS_PER_ROUND = 150;
const PARALLEL = 8;
const PARTNERS = 40;
const GOAL = 0.5;
const STATEMENTS_PER_BATCH = 600;

export async function run({ members = MEMBERS, requests = REQUESTS_PER_ROUND }: BenchOptions): Promise<void> {
  const site = await openOwnSite();
  try {
    await fill(site, members);
    const cookie = await site.session(1);
    const paths = {
      ping: "/api/ping",
      nearest: "/api/profile-briefs/nearest?page=0&size=30",
      tiles: "/api/profile-briefs/nearest?page=0&size=30&hasPicture=true",
      profile: "/api/profile/2",
      conversations: "/api/conversations",
    };
    const rates = new Map<string, number[]>(Object.keys(paths).map((name) => [name, []]));
    for (let number = 0; number <= ROUNDS; number += 1) {
      for (const [name, path] of Object.entries(paths)) {
        const rate = await measure(site, path, name === "ping" ? undefined : cookie, requests);
        // The first round warms up.
        if (number > 0) rates.get(name)?.push(rate);
      }
    }
    const median = (name: string) => quantile(rates.get(name) ?? [], 0.5);
    for (const name of Object.keys(paths)) {
      const share = median(name) / median("ping");
      const verdict =
        name === "ping" ? "" : `  ${round(share)} of ping (goal >= ${GOAL}) ${share >= GOAL ? "met" : "MISSED"}`;
      printLine(name, `${round(median(name))} a second${verdict}`);
    }
  } finally {
    await site.close();
  }
}

async function measure(site: OwnSite, path: string, cookie: string | undefined, requests: number): Promise<number> {
  let sent = 0;
  const started = performance.now();
  const lane = async () => {
    while (sent < requests) {
      sent += 1;
      const { status, body } = await site.call({ path, headers: cookie === undefined ? {} : { cookie } });
      if (status !== 200) throw new Error(`${path} responded with ${status}: ${body}`);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, lane));
  return (sent / (performance.now() - started)) * 1000;
}

/** Creates members, the first of whom has conversations with some others. */
async function fill(site: OwnSite, members: number): Promise<void> {
  const now = Date.now();
  const statements: Statement[] = [];
  for (const { id, cell, key, hasPicture } of new Population().members(members)) {
    statements.push(...memberStatements({ id, created: now, characteristics: 5, pictures: hasPicture ? [id] : [] }));
    statements.push({
      query: `insert into position (profile_id, use, precision, cell, key, ts_published, ts_effective_until)
        values (?, 'DEVICE_GPS', 'street', ?, ?, ?, ?)`,
      values: [id, cell, key, now, now + 90_000_000],
    });
  }
  for (let other = 2; other <= PARTNERS + 1; other += 1) {
    statements.push(
      {
        query: `insert into message (id, sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, ts_created)
          values (?1, ?1, 1, 1, ?1, 'bench-' || ?1, 'Good evening', 'ember', ?2)`,
        values: [other, now],
      },
      { query: "insert into conversation (profile_id, other_id, last_message_id) values (1, ?1, ?1)", values: [other] },
    );
  }
  for (let from = 0; from < statements.length; from += STATEMENTS_PER_BATCH) {
    await site.sql(...statements.slice(from, from + STATEMENTS_PER_BATCH));
  }
}
