/**
 * Checks that a member who is hidden, discreet, blocked, suspended or not shared appears in no response from the next request on. It
 * calls every documented GET route, so that new routes are covered automatically.
 */
import type { Point } from "@lambda/geo/distance";
import { createMember, type TestMember } from "../member.ts";
import type { TestWorker } from "../worker.ts";

const PLACE = { lat: 33.45, lon: -112.07 };
const NAME = "Zebulon Quarterstaff";

interface Parameter {
  readonly name: string;
  readonly required?: boolean;
}

/** Routes that intentionally show the viewer's own actions. */
const OWN_ACTIONS = ["/blocks"];

export interface HidingResult {
  readonly routes: number;
  readonly states: number;
  /** Routes that show the subject while visible, as a control. */
  readonly showing: readonly string[];
  /** State and path of each response that shows them while not. */
  readonly traces: readonly string[];
}

export async function findTraces(worker: TestWorker): Promise<HidingResult> {
  const viewer = await createMember(worker);
  const subject = await createMember(worker, { name: NAME });
  const { DB } = worker.env;
  for (const member of [viewer, subject]) {
    const use = { use: "OVERRIDE", overrideLat: PLACE.lat, overrideLon: PLACE.lon };
    await member.send("PUT", `/api/profile-position/${member.id}`, use);
  }
  const like = { likeType: "LIKE" };
  await viewer.send("PUT", "/api/profile-like", { ...like, likerProfileId: viewer.id, likedProfileId: subject.id });
  await subject.send("PUT", "/api/profile-like", { ...like, likerProfileId: subject.id, likedProfileId: viewer.id });

  // The first player becomes the carrier, who sees whom they can catch.
  for (const member of [viewer, subject]) await member.send("PUT", "/api/games/cooties", { playing: true });

  const paths = await listDocumentedReads(viewer, subject.id, PLACE);
  const showing = await tracesIn(paths, viewer);
  const traces: string[] = [];
  const change = (values: string) => `update profile set ${values} where id = ${subject.id}`;
  const likes = (type: string) => `update profile_like set like_type = '${type}' where liker_id = ${subject.id}`;
  const block = (by: number, other: number) => [
    "insert into block (profile_id, other_id, blocked_by_profile, blocked_by_other, ts_created) values " +
      `(${by}, ${other}, 1, 0, 0), (${other}, ${by}, 0, 1, 0)`,
  ];
  const states: readonly (readonly [state: string, begin: readonly string[], end: readonly string[]])[] = [
    ["hidden", [change("hidden = 1")], [change("hidden = 0")]],
    [
      "discreet",
      [change("discreet_on = shared_on, shared_on = 0"), likes("DISLIKE")],
      [change("shared_on = discreet_on, discreet_on = 0"), likes("LIKE")],
    ],
    ["suspended", [change("status = 'suspended'")], [change("status = 'active'")]],
    ["not shared here", [change("shared_on = 2")], [change("shared_on = 1")]],
    ["blocked by the viewer", block(viewer.id, subject.id), ["delete from block"]],
    ["blocking the viewer", block(subject.id, viewer.id), ["delete from block"]],
  ];
  for (const [state, begin, end] of states) {
    await DB.batch(begin.map((statement) => DB.prepare(statement)));
    for (const path of await tracesIn(paths, viewer)) {
      if (!OWN_ACTIONS.some((route) => path.includes(route))) traces.push(`${state}: ${path}`);
    }
    await DB.batch(end.map((statement) => DB.prepare(statement)));
  }
  return { routes: paths.length, states: states.length, showing, traces };
}

/** Lists all documented GET routes, with parameters that refer to the subject and the area around a place. */
export async function listDocumentedReads(viewer: TestMember, subject: number, place: Point): Promise<string[]> {
  const document = (await (await viewer.fetch("/api/openapi.json")).json()) as {
    paths: Record<string, Record<string, { parameters?: Parameter[] }>>;
  };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    methods.get ? fill(path, methods.get.parameters ?? [], viewer.id, subject, place) : [],
  );
}

/** Fills in all required parameters of a path, with the subject's id wherever possible. */
function fill(path: string, parameters: readonly Parameter[], viewer: number, subject: number, place: Point): string[] {
  const value = (name: string): string => {
    if (name === "lat") return String(Math.min(89, Math.floor(place.lat)));
    if (name === "lon") return String(Math.floor(place.lon));
    if (name.startsWith("lat")) return String(Math.max(-90, Math.min(90, place.lat + (/Min$/.test(name) ? -1 : 1))));
    if (name.startsWith("lon")) return String(Math.max(-180, Math.min(180, place.lon + (/Min$/.test(name) ? -1 : 1))));
    if (["a", "likerProfileId", "authorProfileId"].includes(name)) return String(viewer);
    return String(subject);
  };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => value(name));
  const query = parameters
    .filter(({ name, required }) => required && !path.includes(`{${name}}`))
    .map(({ name }) => `${name}=${encodeURIComponent(value(name))}`);
  const full = query.length > 0 ? `${filled}?${query.join("&")}` : filled;
  const own = path.replace(/\{(\w+)\}/g, (_, name: string) => (/id$/i.test(name) ? String(viewer) : value(name)));
  return path.includes("{") && query.length === 0 ? [full, own] : [full];
}

async function tracesIn(paths: readonly string[], viewer: TestMember): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const response = await viewer.fetch(path);
    const text = await response.text();
    // Aggregates contain no names, but two members are too few for a group, so any count is a trace.
    const isCounted = path.includes("aggregates") && text !== "[]";
    if (text.includes(NAME) || text.includes(NAME.slice(0, 12)) || isCounted) found.push(path);
  }
  return found;
}
