/** Measures rows, round trips and response sizes of hot routes other than searches, for a member with full pages, with 10,000 to a million members. */
import { getBrand } from "@lambda/brands";
import { createRunSql } from "@lambda/testing/d1";
import { seedRelations } from "@lambda/testing/seeded-community";
import { createCaller } from "@lambda/worker/caller";
import type { Context } from "@lambda/worker/context";
import { openDatabase } from "@lambda/worker/database";
import { type DatabaseCost, meterDatabase } from "@lambda/worker/database-meter";
import { openShards } from "@lambda/worker/message-databases";
import { RequestDatabase } from "@lambda/worker/request-database";
import type { PositionRow } from "@lambda/worker/tables";
import { openBenchDatabase } from "./database.ts";
import { printGoal, printLine } from "./figures.ts";
import type { BenchOptions } from "./options.ts";
import { type BenchMember, Population } from "./population.ts";

/** Members of every population, some of whom have pictures. */
const RELATED_FIRST = 900;
/** Above the ids of every population. */
const SECOND_PICTURE = 2_000_000;
const ME = 7;
/** Cost of authenticating the session, measured by db/budgets.test.ts. It is bypassed here, because its token is not JSON. */
const SESSION: DatabaseCost = { trips: 1, rowsRead: 3, rowsWritten: 0 };
/** Draws vary in cost, so the most expensive of several calls counts. */
const TIMES = 20;
/** `{"items":[],"nextCursor":null}` and the like. */
const EMPTY_BYTES = 40;
type Caller = ReturnType<typeof createCaller>;

interface Cost extends DatabaseCost {
  /** JSON size of the most expensive response, to detect empty pages, which would be meaninglessly cheap. */
  readonly bytes: number;
}

interface Asked {
  readonly friend: number;
}

const ROUTES: Record<string, (caller: Caller, asked: Asked) => Promise<unknown>> = {
  session: (caller) => caller.accounts.session(),
  "own profile": (caller) => caller.profiles.mine(),
  "a profile": (caller, { friend }) => caller.profiles.get({ id: friend }),
  relation: (caller, { friend }) => caller.profiles.relation({ id: friend }),
  "50 pictures of a member": (caller, { friend }) => caller.pictures.list({ profileId: friend }),
  "likes: liked you": (caller) => caller.likes.briefs({ tab: "profilelikedyou" }),
  "likes: you liked": (caller) => caller.likes.briefs({ tab: "youlikedprofile" }),
  "likes: your pics": (caller) => caller.likes.briefs({ tab: "profilelikedyourpics" }),
  "likes: their pics": (caller) => caller.likes.briefs({ tab: "youlikedprofilepics" }),
  notes: (caller) => caller.notes.list({}),
  conversations: (caller) => caller.messages.conversations({}),
  history: (caller, { friend }) => caller.messages.history({ profileId: friend }),
  notifications: (caller) => caller.notifications.list({ id: ME }),
  settings: (caller) => caller.settings.get(),
  blocks: (caller) => caller.blocks.list({}),
  "Hot! or Not! draw": (caller) => caller.games.hotDraw({}),
  "Rating Game draw": (caller) => caller.games.ratingDraw({}),
  "GPT Buster draw": (caller) => caller.games.busterDraw(),
  "Identify draw": (caller) => caller.games.identifyStart({}),
};

export async function run({ members }: BenchOptions): Promise<void> {
  // As in production, because development builds make additional queries.
  Object.assign(globalThis, { __DEVELOPMENT__: false });
  const population = new Population();
  const sizes = members ? [members] : [10_000, 100_000, 1_000_000];
  const table = new Map<string, Cost[]>();
  for (const size of sizes) {
    for (const [name, cost] of await measureAt([...population.members(size)])) {
      table.set(name, [...(table.get(name) ?? []), cost]);
    }
  }
  printLine("rows read (round trips), response bytes at", sizes.join(", "));
  for (const [name, costs] of table) {
    printLine(name, costs.map(({ rowsRead, trips, bytes }) => `${rowsRead} (${trips}) ${bytes}`).join("   "));
  }
  const all = [...table.values()];
  printGoal("most rows", Math.max(...all.flat().map(({ rowsRead }) => rowsRead)), 60);
  printGoal("most round trips", Math.max(...all.flat().map(({ trips }) => trips)), 2);
  const empty = [...table].filter(([, costs]) => costs.some(({ bytes }) => bytes <= EMPTY_BYTES)).map(([name]) => name);
  printLine("routes with empty responses", empty.join(", ") || "none");
  if (sizes.length > 1) {
    printGoal(
      "most growth",
      Math.max(...all.map((costs) => costs[costs.length - 1]!.rowsRead / costs[0]!.rowsRead)),
      1.1,
    );
  }
}

async function measureAt(list: BenchMember[]): Promise<Map<string, Cost>> {
  const now = Date.now();
  const database = await openBenchDatabase(list, now);
  const costs = new Map<string, Cost>();
  try {
    const { d1 } = database;
    // Adds data that other benchmarks do not need: rows for the profiles' pictures, and texts.
    await d1.batch(
      [
        `update profile set pics_public = json_array(id) where id = ${ME} or id between 1000 and 1300`,
        `insert into picture (id, profile_id, audience, width, height, bytes, ts_created, ts_updated)
          select id, id, 'public', 800, 1000, 1, 1, 1 from profile where pics_public <> '[]'`,
        // Identify requires members with two pictures.
        `insert into picture (id, profile_id, audience, width, height, bytes, ts_created, ts_updated)
          select id + ${SECOND_PICTURE}, id, 'public', 800, 1000, 1, 1, 1 from profile where pics_public <> '[]' and id % 5 = 3`,
        `update profile set pics_public = json_array(id, id + ${SECOND_PICTURE}) where pics_public <> '[]' and id % 5 = 3`,
        "update profile set description = 'A text of my own that is long enough to be guessed, and then some more.' where id % 2 = 0",
      ].map((statement) => d1.prepare(statement)),
    );
    const asked = await seedRelations(createRunSql(d1), ME, ME, false, RELATED_FIRST);
    const { results } = await d1.prepare(`select * from position where profile_id = ${ME}`).all<PositionRow>();
    const position = results[0] ?? null;
    for (const [name, call] of Object.entries(ROUTES)) {
      let worst: Cost = { ...SESSION, bytes: 0 };
      for (let time = 0; time < TIMES; time += 1) {
        const cost = { ...SESSION };
        // Throws if the call fails, so only successful calls are counted.
        const bytes = JSON.stringify(await call(createCaller(contextOf(d1, position, cost, now)), asked)).length;
        if (cost.rowsRead > worst.rowsRead) worst = { ...cost, bytes };
      }
      costs.set(name, worst);
    }
  } finally {
    await database.close();
  }
  return costs;
}

/** The context of a request by the member, with everything that these routes use. */
function contextOf(d1: D1Database, position: PositionRow | null, cost: DatabaseCost, now: number): Context {
  const metered = meterDatabase(d1, cost);
  return {
    ...{
      env: { SITE_KEY: "a key of the benchmark" } as Context["env"],
      database: new RequestDatabase(d1, { at: "primary" }),
      changes: { calls: 0, reachingLate: 0, aboutOthers: 0, concerned: [], briefs: 0 },
      replica: metered,
      d1: metered,
      db: openDatabase(metered),
      shards: openShards({} as Context["env"], { d1: metered, db: openDatabase(metered) }),
      replicaShards: openShards({} as Context["env"], { d1: metered, db: openDatabase(metered) }),
      brand: getBrand("ember"),
      now,
      cost,
      quotas: false,
    },
    ...{
      request: new Request("http://ember.localhost/"),
      ip: "local",
      site: undefined,
      responseHeaders: new Headers(),
      lockedViewer: null,
      requestId: "",
      waitUntil: () => {},
    },
    viewer: {
      sessionId: 1,
      profileId: ME,
      adminBrand: null,
      status: "active",
      statusUntil: null,
      hidden: false,
      provedAt: 0,
      lockHash: null,
      discreet: false,
      listedOn: 7,
      fewOn: 0,
      updatesLastSeen: false,
      position,
    },
  };
}
