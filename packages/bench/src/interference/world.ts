/** The members of a comparison: those who report, and those to whom nothing may differ. */
import { createHash } from "node:crypto";
import { as, type TestMember } from "@lambda/testing/member";
import type { PushDevice, PushService } from "@lambda/testing/push-service";
import type { TestWorker } from "@lambda/testing/worker";
import { withRetry } from "../with-retry.ts";

export interface World {
  readonly worker: TestWorker;
  readonly service: PushService;
  readonly subjects: readonly TestMember[];
  /** Same brand, sister brand, and one whom every subject blocks. */
  readonly observers: readonly [TestMember, TestMember, TestMember];
  /** Members without a connection, each with a phone. */
  readonly away: readonly { readonly member: TestMember; readonly phone: PushDevice }[];
}

const ALL_BRANDS = 7;
/** 1 January 2100. */
const NEVER_MS = Date.UTC(2100, 0, 1);
const COFFEE = 2 ** 4;

export async function makeWorld(
  worker: TestWorker,
  service: PushService,
  { subjects, phones }: { subjects: number; phones: number },
): Promise<World> {
  const { DB } = worker.env;
  const make = async (count: number, overrides = {}) => {
    const made: TestMember[] = [];
    while (made.length < count) made.push(await withRetry(() => as(worker, overrides)));
    return made;
  };
  const people = await make(subjects, { sharedOn: ALL_BRANDS, characteristics: COFFEE });
  const observers = [(await make(1))[0]!, (await make(1, { brand: "harbor" }))[0]!, (await make(1))[0]!] as const;
  const blocked = observers[2].id;
  await withRetry(() =>
    DB.exec(
      `insert or ignore into block (profile_id, other_id, by_me, by_other, ts_created) values ${people.map(({ id }) => `(${id}, ${blocked}, 1, 0, 0), (${blocked}, ${id}, 0, 1, 0)`).join(", ")}`,
    ),
  );
  // They play tag, so that squares are compared; nobody carries, since who is shown to a carrier is left to chance.
  await withRetry(() =>
    DB.exec(
      `insert or ignore into cooties_player (profile_id, brand, ts_joined) values ${people.map(({ id }) => `(${id}, 1, 0)`).join(", ")}`,
    ),
  );
  const away = await Promise.all(
    (await make(phones)).map(async (member) => {
      const phone = service.device(`away-${member.id}`);
      const answer = await withRetry(() => member.send("POST", "/api/push-subscription", phone.draft));
      if (!answer.ok) throw new Error(await answer.text());
      return { member, phone };
    }),
  );
  return { worker, service, subjects: people, observers: [...observers], away };
}

/**
 * Takes back everything that a side left behind, so that the other begins from the same state, to the next id.
 *
 * @param speakers who wrote into the map chat: its slow mode would refuse their words, and the cap on openings mark them, on the other side
 */
export async function reset({ worker, service }: World, speakers: readonly TestMember[]): Promise<void> {
  const { DB, RATE_LIMITER } = worker.env;
  const tables = [
    "position",
    "place_memory",
    "presence_count",
    "presence_density",
    "message",
    "conversation",
    "talk",
    "notification",
    "profile_like",
    "travel_stay",
  ];
  await withRetry(() =>
    DB.exec(
      [
        ...tables.map((table) => `delete from ${table}`),
        // The stay guard hides whoever comes to a country that punishes.
        "update profile set hidden = 0 where hidden = 1",
        // Used in times to come, so that no request marks one as used: that shows in what others are told of the observer.
        `update session set ts_last_used = ${NEVER_MS}`,
        "update sqlite_sequence set seq = 0 where name in ('message', 'notification')",
      ].join("\n"),
    ),
  );
  service.clear();
  for (const { id } of speakers) {
    for (const counted of [`broadcasts:${id}`, `openings:${id}`]) {
      const name = createHash("sha256").update(counted).digest("hex");
      await withRetry(() => RATE_LIMITER.getByName(name).clear());
    }
  }
}

/** Squares in a row of counts stand in the order in which members arrived, which is no order of positions. */
function inOrder(row: Record<string, unknown>): Record<string, unknown> {
  if (row.region === undefined || typeof row.squares !== "string") return row;
  const squares = Object.entries(JSON.parse(row.squares) as Record<string, number>).sort();
  return { ...row, squares };
}

export interface Stored {
  /** What is stored of each subject's position, in the order of the world's subjects. */
  readonly bySubject: readonly string[];
  /** Every row of every table. */
  readonly everything: string;
}

export async function readStored({ worker, subjects }: World): Promise<Stored> {
  const { DB } = worker.env;
  const { results: tables } = await withRetry(() =>
    DB.prepare(
      // bucket_mark holds random tokens that the clock draws anew.
      `select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '_cf_%'
       and name <> 'bucket_mark' order by name`,
    ).all<{ name: string }>(),
  );
  const results = await withRetry(() =>
    DB.batch<Record<string, unknown>>(tables.map(({ name }) => DB.prepare(`select * from "${name}"`))),
  );
  const rows = new Map(tables.map(({ name }, index) => [name, results[index]!.results.map(inOrder)]));
  const of = new Map<number, unknown[]>();
  for (const table of ["position", "place_memory", "presence", "cooties_player", "travel_stay"]) {
    for (const row of rows.get(table) ?? []) {
      const id = Number(row.profile_id);
      of.set(id, [...(of.get(id) ?? []), row]);
    }
  }
  return {
    bySubject: subjects.map(({ id }) => JSON.stringify(of.get(id) ?? [])),
    everything: JSON.stringify([...rows]),
  };
}
