/** Measures the cost of each member action on the running worker, by making the web application's calls and reading the response headers. */
import { randomUUID } from "node:crypto";
import { keyOfPoint } from "@lambda/geo/curve";
import { createMember, type TestMember } from "@lambda/testing/member";
import { postPicture, uploadPicture } from "@lambda/testing/pictures";
import { makePng } from "@lambda/testing/png";
import { PHOENIX, placeMembers, reportPosition } from "@lambda/testing/scenes/positions";
import { seedMembers, seedRelations } from "@lambda/testing/seeded-community";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import type { ActionName } from "./habits.ts";
import type { ActionCost, MapCost, Measured } from "./simulate.ts";

const TIMES = 12;
const SEEDED = 300;
/** Members added around Phoenix, to measure what each adds to a map response. */
const ADDED = 200;
const ADDED_FIRST_ID = 5_000_000;
const MAP_PAGE_MAX = 1500;

interface World {
  readonly worker: TestWorker;
  readonly me: TestMember;
  readonly other: TestMember;
  readonly friend: number;
  readonly nextStranger: () => number;
  readonly picture: number;
  readonly lastWriterMessageId: number;
  readonly writer: number;
}

type Action = (world: World, time: number) => Promise<readonly Response[]>;

const get =
  (...paths: ((world: World) => string)[]): Action =>
  (world) =>
    Promise.all(paths.map((path) => world.me.fetch(path(world))));

const SECTOR = `/api/profile-briefs/by-sector/${Math.floor(PHOENIX.lat)}:${Math.floor(PHOENIX.lon)}`;

const ACTIONS: Record<ActionName, Action> = {
  "open the site": get(
    () => "/api/session",
    () => "/api/conversations",
    () => "/api/profiles/mine",
    () => "/api/messages/missed?sinceMessageId=1",
  ),
  session: get(() => "/api/session"),
  "what was missed": get(() => "/api/messages/missed?sinceMessageId=999999999"),
  "a screen of tiles": get(() => "/api/profile-briefs/nearest"),
  "tiles again": get(() => "/api/profile-briefs/nearest"),
  "a picture": get(({ picture }) => `/api/profile-pic/${picture}?scale_x=256`),
  "a profile": get(
    ({ friend }) => `/api/profile/${friend}`,
    ({ friend }) => `/api/profile/${friend}/relation`,
    ({ friend }) => `/api/profile-pics/${friend}`,
  ),
  "the map's members": get(() => SECTOR),
  "the map's counts": get(() => "/api/profile-positions/aggregates"),
  conversations: get(() => "/api/conversations"),
  "history of a conversation": get(({ me, friend }) => `/api/messages/between/${me.id}/${friend}`),
  "send a message": async ({ me, other }) => {
    const write = (from: TestMember, to: TestMember) =>
      from.send("POST", "/api/message", {
        recipientProfileId: to.id,
        bodyText: `Hello ${randomUUID()}`,
        clientId: randomUUID(),
      });
    // The other writes, too, because messages to a member who never answers are limited to five.
    await write(other, me);
    return [await write(me, other)];
  },
  "mark as read": async ({ me, writer, lastWriterMessageId }) => [
    await me.send("PUT", "/api/messages/read", { profileId: writer, upToMessageId: lastWriterMessageId }),
  ],
  "mark as delivered": async ({ me, lastWriterMessageId }) => [
    await me.send("PUT", "/api/messages/delivered", { upToMessageId: lastWriterMessageId }),
  ],
  like: async ({ me, nextStranger }) => [
    await me.send("PUT", "/api/profile-like", { likedProfileId: nextStranger(), likeType: "LIKE" }),
  ],
  "position at rest": async ({ me }) => [await reportPosition(me, PHOENIX)],
  "position elsewhere": async ({ me }, time) => {
    const response = await reportPosition(me, { lat: PHOENIX.lat + (time + 1) * 0.01, lon: PHOENIX.lon });
    await reportPosition(me, PHOENIX);
    return [response];
  },
  notifications: get(({ me }) => `/api/notifications/${me.id}`),
  "upload a picture": async ({ me }) => [await postPicture(me, makePng(40, 50))],
};

export async function measureActions(): Promise<Omit<Measured, "stored">> {
  const worker = await startWorker();
  try {
    const me = await createMember(worker);
    await seedMembers(worker.run, 0, SEEDED);
    const { id: picture } = await uploadPicture(me);
    const other = await createMember(worker);
    const world: World = { worker, me, other, picture, ...(await seedRelations(worker.run, me.id, picture, false)) };
    await reportPosition(me, PHOENIX);
    const actions: Partial<Record<ActionName, ActionCost>> = {};
    for (const [name, act] of Object.entries(ACTIONS) as [ActionName, Action][])
      actions[name] = await meanOf(world, name, act);
    return {
      actions: actions as Record<ActionName, ActionCost>,
      map: await measureMap(world, actions["the map's members"]!),
    };
  } finally {
    await worker.close();
  }
}

async function meanOf(world: World, name: string, act: Action): Promise<ActionCost> {
  const total = { requests: 0, trips: 0, rowsRead: 0, rowsWritten: 0, bytes: 0 };
  for (let time = 0; time < TIMES; time += 1) {
    for (const response of await act(world, time)) {
      if (!response.ok) throw new Error(`${name} responded with ${response.status}: ${await response.text()}`);
      const header = (key: string) => Number(response.headers.get(`x-d1-${key}`) ?? 0);
      total.requests += 1;
      total.trips += header("trips");
      total.rowsRead += header("rows-read");
      total.rowsWritten += header("rows-written");
      total.bytes += (await response.arrayBuffer()).byteLength;
    }
  }
  return Object.fromEntries(Object.entries(total).map(([key, sum]) => [key, sum / TIMES])) as unknown as ActionCost;
}

/** Measures the map again with more members in its square; the difference is the cost per member. */
async function measureMap(world: World, empty: ActionCost): Promise<MapCost> {
  const added = Array.from({ length: ADDED }, (_, index): [number, number] => {
    const lat = PHOENIX.lat + 0.2 * Math.sin(index);
    return [ADDED_FIRST_ID + index, keyOfPoint({ lat, lon: PHOENIX.lon + 0.05 * Math.cos(index * 7) })];
  });
  await placeMembers(world.worker, added);
  const crowded = await meanOf(world, "the map's members", ACTIONS["the map's members"]);
  return { rowsPerMember: (crowded.rowsRead - empty.rowsRead) / ADDED, pageMax: MAP_PAGE_MAX };
}
