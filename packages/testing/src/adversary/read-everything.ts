/** Calls every procedure that could reveal something about a member, and records the complete responses. */
import type { TestMember } from "../member.ts";
import { listProcedures, type Procedure, type Router } from "../procedures.ts";

type Input = Record<string, unknown>;

export interface RecordedResponse {
  readonly name: string;
  readonly status: number;
  /** Body and headers as received. */
  readonly text: string;
  readonly json: unknown;
}

/** Lists all queries except those for admins only. */
export function listReads(router: Router): Procedure[] {
  return listProcedures(router).filter(({ type, meta }) => type === "query" && meta.access !== "admin");
}

/** Input fields that take a member's id. */
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

/** Values for other input fields. */
export interface ReadContext {
  readonly lat: number;
  readonly lon: number;
  readonly caseRef: string;
  /** The text for every search. */
  readonly text: string;
}

function otherInputs({ lat, lon, caseRef, text }: ReadContext, subject: number): Record<string, Input[]> {
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
    "games.record": ["rating", "buster", "identify", "check"].map((game) => ({ game })),
    "games.cropTasks": [{ nsfw: true }],
    "positions.nearest": [{ size: 100 }, { size: 100, hasPicture: true }, { size: 100, newHere: true }, { size: 1 }],
    "positions.byBounds": [{ latMin: -90, lonMin: -180, latMax: 90, lonMax: 180 }],
    "positions.bySector": [{ lat, lon }],
    "positions.byIds": [{ profileIds: [subject] }],
    "positions.distances": [{ profileIds: [subject] }],
    "positions.newAmong": [{ profileIds: [subject] }],
    "likes.among": [{ profileIds: [subject] }],
    "pictures.previews": [{ profileIds: [subject] }],
  };
}

/**
 * Lists inputs of a query, with every combination of the caller's and the subject's id in the fields that take a
 * member's id.
 */
export function listInputs({ name, inputs }: Procedure, by: number, subject: number, context: ReadContext): Input[] {
  const named = Object.keys(inputs).filter((field) => MEMBER_FIELDS.includes(field));
  return (otherInputs(context, subject)[name] ?? [{}]).flatMap((rest) =>
    Array.from({ length: 2 ** named.length }, (_, choice) => {
      const ids = named.map((field, index) => [field, (choice >> index) & 1 ? subject : by]);
      return { ...rest, ...Object.fromEntries(ids) };
    }),
  );
}

/** Records everything that `by` can read about the member `subject`, including what the games show about them. */
export async function readEverything(
  router: Router,
  by: TestMember,
  subject: number,
  context: ReadContext,
): Promise<RecordedResponse[]> {
  const responses: RecordedResponse[] = [];
  for (const procedure of listReads(router)) {
    for (const input of listInputs(procedure, by.id, subject, context)) {
      const query = encodeURIComponent(JSON.stringify(input));
      responses.push(await record(procedure.name, by.fetch(`/trpc/${procedure.name}?input=${query}`)));
    }
  }
  for (const [name, input] of [
    ["games.hotDraw", { nsfw: true }],
    ["games.ratingDraw", { nsfw: true }],
    ["games.busterDraw", undefined],
    ["personCheck.draw", undefined],
    ["games.identifyStart", { nsfw: true }],
    ["albums.request", { ownerProfileId: subject }],
    ["likes.put", { likedProfileId: subject, likeType: "LIKE" }],
  ] as const) {
    responses.push(await record(name, by.send("POST", `/trpc/${name}`, input)));
  }
  return responses;
}

async function record(name: string, pending: Promise<Response>): Promise<RecordedResponse> {
  const response = await pending;
  const body = await response.text();
  const { result } = JSON.parse(body) as { result?: { data: unknown } };
  const text = `${body}\n${JSON.stringify([...response.headers])}`;
  return { name, status: response.status, text, json: result?.data };
}

/** Lists the paths of all keys of a JSON value, such as `items[].profileId`. */
export function listKeyPaths(value: unknown, path = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => listKeyPaths(item, `${path}[]`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const keyPath = path === "" ? key : `${path}.${key}`;
    return [keyPath, ...listKeyPaths(inner, keyPath)];
  });
}
