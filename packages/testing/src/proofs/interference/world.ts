/** The members of a comparison: those who report, and those who must not notice a difference. */
import { ALL_BRANDS_MASK } from "@lambda/brands";
import { createMember, type TestMember } from "../../member.ts";
import type { PushDevice, PushService } from "../../push-service.ts";
import { limiterOf } from "../../rate-limits.ts";
import type { TestWorker } from "../../worker.ts";
import { withRetry } from "../with-retry.ts";

export interface World {
  readonly worker: TestWorker;
  readonly service: PushService;
  readonly subjects: readonly TestMember[];
  /** A friend on the same brand, a member of a sister brand, and one whom every subject blocks. */
  readonly observers: readonly [TestMember, TestMember, TestMember];
  /** Offline members, each with a phone that receives pushes. */
  readonly away: readonly { readonly member: TestMember; readonly phone: PushDevice }[];
}

/** 1 January 2100. */
const NEVER_MS = Date.UTC(2100, 0, 1);
const COFFEE = 2 ** 4;

export async function makeWorld(
  worker: TestWorker,
  service: PushService,
  { subjects, phones }: { subjects: number; phones: number },
): Promise<World> {
  const { DB } = worker.env;
  const create = async (count: number, overrides = {}) => {
    const members: TestMember[] = [];
    while (members.length < count) members.push(await withRetry(() => createMember(worker, overrides)));
    return members;
  };
  const people = await create(subjects, { sharedOn: ALL_BRANDS_MASK, characteristics: COFFEE });
  const observers = [(await create(1))[0]!, (await create(1, { brand: "harbor" }))[0]!, (await create(1))[0]!] as const;
  const blocked = observers[2].id;
  await withRetry(() =>
    DB.exec(
      `insert or ignore into block (profile_id, other_id, blocked_by_profile, blocked_by_other, ts_created) values ${people.map(({ id }) => `(${id}, ${blocked}, 1, 0, 0), (${blocked}, ${id}, 0, 1, 0)`).join(", ")}`,
    ),
  );
  // They play Cooties, so that its squares are compared; there is no carrier, because whom a carrier sees is random.
  await withRetry(() =>
    DB.exec(
      `insert or ignore into cooties_player (profile_id, brand, ts_joined) values ${people.map(({ id }) => `(${id}, 1, 0)`).join(", ")}`,
    ),
  );
  const away = await Promise.all(
    (await create(phones)).map(async (member) => {
      const phone = service.createDevice(`away-${member.id}`);
      const response = await withRetry(() => member.send("POST", "/api/push-subscription", phone.subscription));
      if (!response.ok) throw new Error(await response.text());
      return { member, phone };
    }),
  );
  return { worker, service, subjects: people, observers: [...observers], away };
}

/**
 * Undoes all changes of one side, so that the other starts from the same state, including the next ids.
 *
 * @param speakers members who sent messages, whose rate limits have to be cleared
 */
export async function reset({ worker, service }: World, speakers: readonly TestMember[]): Promise<void> {
  const { DB } = worker.env;
  const tables = [
    "position",
    "place_memory",
    "presence_count",
    "presence_density",
    "message",
    "conversation",
    "message_pair",
    "notification",
    "profile_like",
    "travel_stay",
  ];
  await withRetry(() =>
    DB.exec(
      [
        ...tables.map((table) => `delete from ${table}`),
        // Members who arrived in a punishing country were hidden.
        "update profile set hidden = 0 where hidden = 1",
        // In the future, so that requests do not update it, which would be visible to others.
        `update session set ts_last_used = ${NEVER_MS}`,
        "update sqlite_sequence set seq = 0 where name in ('message', 'notification')",
      ].join("\n"),
    ),
  );
  service.clear();
  for (const { id } of speakers) {
    for (const counter of [`broadcasts:${id}`, `openings:${id}`]) {
      await withRetry(() => limiterOf(worker, counter).clear());
    }
  }
}

/** Sorts the squares in a count row, whose order depends on when members arrived. */
function normalizeRow(row: Record<string, unknown>): Record<string, unknown> {
  if (row.region === undefined || typeof row.squares !== "string") return row;
  const squares = Object.entries(JSON.parse(row.squares) as Record<string, number>).sort();
  return { ...row, squares };
}

export interface Stored {
  /** Everything stored about each subject's position, in the order of the subjects. */
  readonly bySubject: readonly string[];
  /** Every row of every table. */
  readonly everything: string;
}

export async function readStored({ worker, subjects }: World): Promise<Stored> {
  const { DB } = worker.env;
  const { results: tables } = await withRetry(() =>
    DB.prepare(
      // bucket_mark has random tokens that a cron job renews.
      `select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like '_cf_%'
       and name <> 'bucket_mark' order by name`,
    ).all<{ name: string }>(),
  );
  const results = await withRetry(() =>
    DB.batch<Record<string, unknown>>(tables.map(({ name }) => DB.prepare(`select * from "${name}"`))),
  );
  const rows = new Map(tables.map(({ name }, index) => [name, results[index]!.results.map(normalizeRow)]));
  const rowsOf = new Map<number, unknown[]>();
  for (const table of ["position", "place_memory", "presence", "cooties_player", "travel_stay"]) {
    for (const row of rows.get(table) ?? []) {
      const id = Number(row.profile_id);
      rowsOf.set(id, [...(rowsOf.get(id) ?? []), row]);
    }
  }
  return {
    bySubject: subjects.map(({ id }) => JSON.stringify(rowsOf.get(id) ?? [])),
    everything: JSON.stringify([...rows]),
  };
}
