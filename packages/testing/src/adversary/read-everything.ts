/** For tests: asks a site everything it can be asked about one member, and keeps whatever comes back, to the last byte. */
import type { TestMember } from "../member.ts";
import { listProcedures, type Procedure, type Router } from "../procedures.ts";

type Input = Record<string, unknown>;

export interface Seen {
  readonly name: string;
  readonly status: number;
  /** Body and headers as they came. */
  readonly text: string;
  readonly json: unknown;
}

/** Every call that reads, but those that only admins may make. */
export function listReads(router: Router): Procedure[] {
  return listProcedures(router).filter(({ type, meta }) => type === "query" && meta.access !== "admin");
}

/** Fields that name a member, in which the caller and the subject are tried. */
const MEMBER_FIELDS = [
  "id",
  "profileId",
  "a",
  "b",
  "authorProfileId",
  "aboutProfileId",
  "likerProfileId",
  "likedProfileId",
];

/** What else a call needs, in all the ways that matter. */
export interface Whereabouts {
  readonly lat: number;
  readonly lon: number;
  readonly caseRef: string;
  /** Looked for in everything that can be searched. */
  readonly text: string;
}

function extras({ lat, lon, caseRef, text }: Whereabouts, subject: number): Record<string, Input[]> {
  const [south, west] = [Math.floor(lat), Math.floor(lon)];
  return {
    "likes.briefs": ["profilelikedyou", "profilelikedyourpics", "youlikedprofile", "youlikedprofilepics"].map(
      (tab) => ({ tab }),
    ),
    "messages.search": [{ query: text }, { query: "Hello" }],
    "messages.bySector": [{ sector: `${south}:${west}` }],
    "messages.missed": [{ sinceMessageId: 0 }],
    "notes.list": [{}, { text }],
    "arbitration.precedents": [{}, { text }],
    "transparency.case": [{ caseRef }],
    "games.record": ["rating", "buster", "identify"].map((game) => ({ game })),
    "games.cropTasks": [{ nsfw: true }],
    "positions.nearest": [{ size: 100 }, { size: 100, hasPicture: true }, { size: 100, onlineNow: true }, { size: 1 }],
    "positions.byBounds": [{ latMin: -90, lonMin: -180, latMax: 90, lonMax: 180 }],
    "positions.bySector": [{ lat, lon }],
    "positions.byIds": [{ profileIds: [subject] }],
    "positions.distances": [{ profileIds: [subject] }],
    "likes.among": [{ profileIds: [subject] }],
    "pictures.previews": [{ profileIds: [subject] }],
  };
}

/** Every way in which `by` can ask one call that reads, with the caller and with the subject wherever it names a member. */
export function inputsOf({ name, inputs }: Procedure, by: number, subject: number, where: Whereabouts): Input[] {
  const named = Object.keys(inputs).filter((field) => MEMBER_FIELDS.includes(field));
  return (extras(where, subject)[name] ?? [{}]).flatMap((rest) =>
    Array.from({ length: 2 ** named.length }, (_, choice) => {
      const ids = named.map((field, index) => [field, (choice >> index) & 1 ? subject : by]);
      return { ...rest, ...Object.fromEntries(ids) };
    }),
  );
}

/** Everything `by` can read about the member `subject`, and what the games deal out about them. */
export async function readEverything(
  router: Router,
  by: TestMember,
  subject: number,
  where: Whereabouts,
): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (const procedure of listReads(router)) {
    for (const input of inputsOf(procedure, by.id, subject, where)) {
      const asked = encodeURIComponent(JSON.stringify(input));
      seen.push(await keep(procedure.name, by.fetch(`/trpc/${procedure.name}?input=${asked}`)));
    }
  }
  for (const [name, input] of [
    ["games.hotDraw", { nsfw: true }],
    ["games.ratingDraw", { nsfw: true }],
    ["games.busterDraw", undefined],
    ["games.identifyStart", { nsfw: true }],
    ["albums.request", { ownerProfileId: subject }],
    ["likes.put", { likedProfileId: subject, likeType: "LIKE" }],
  ] as const) {
    seen.push(await keep(name, by.send("POST", `/trpc/${name}`, input)));
  }
  return seen;
}

async function keep(name: string, answering: Promise<Response>): Promise<Seen> {
  const answer = await answering;
  const body = await answer.text();
  const { result } = JSON.parse(body) as { result?: { data: unknown } };
  return { name, status: answer.status, text: `${body}\n${JSON.stringify([...answer.headers])}`, json: result?.data };
}

/** "items[].profileId": the path of every key, lists without their places. */
export function keysOf(value: unknown, path = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => keysOf(item, `${path}[]`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const here = path === "" ? key : `${path}.${key}`;
    return [here, ...keysOf(inner, here)];
  });
}
