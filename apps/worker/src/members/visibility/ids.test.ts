import { type CallRule, ID_RULES } from "@lambda/testing/adversary/id-rules";
import { dump, makeWorld, type World } from "@lambda/testing/adversary/world";
import type { TestMember } from "@lambda/testing/member";
import { type JsonSchema, listProcedures, type Procedure } from "@lambda/testing/procedures";
import { beforeAll, describe, expect, it } from "vitest";
import { appRouter } from "../../router.ts";

/**
 * Made from the router: every id that a call takes, with the caller's own and with everyone else's. A foreign id
 * gets the answer of one that never was, byte for byte, and nothing is written. REST and tRPC (as the batch link sends it).
 */
/** What the contract's `Id` looks like, alone, in a list, or as a choice. */
function isId(name: string, schema: JsonSchema): boolean {
  const found =
    (schema.type === "integer" && schema.exclusiveMinimum === 0 && schema.maximum === Number.MAX_SAFE_INTEGER) ||
    [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.items ? [schema.items] : [])].some((part) =>
      isId("", part),
    );
  return found || /(^id|Ids?|Ref|Token)$/.test(name);
}

const procedures = listProcedures(appRouter).map((procedure) => {
  const ids = Object.entries(procedure.inputs).filter(([field, schema]) => isId(field, schema));
  return { ...procedure, ids: ids.map(([field]) => field) };
});
const withIds = procedures.filter(({ ids }) => ids.length > 0);

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});

interface Answered {
  readonly status: number;
  readonly body: string;
}

type Transport = "REST" | "tRPC";

async function call(
  by: TestMember,
  how: Transport,
  procedure: Procedure,
  input: Record<string, unknown>,
): Promise<Answered> {
  const answer = how === "REST" ? await callRest(by, procedure, input) : await callTrpc(by, procedure, input);
  return { status: answer.status, body: await answer.text() };
}

function callRest(by: TestMember, { meta }: Procedure, input: Record<string, unknown>): Promise<Response> {
  const { method, path } = meta.rest!;
  const left = { ...input };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(left[name]);
    delete left[name];
    return value;
  });
  if (method === "GET" || method === "DELETE") {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(left)) if (value !== undefined) query.set(name, String(value));
    return by.fetch(`/api${filled}?${query}`, { method });
  }
  return by.send(method, `/api${filled}`, left);
}

function callTrpc(by: TestMember, { name, type }: Procedure, input: Record<string, unknown>): Promise<Response> {
  const batch = JSON.stringify({ 0: input });
  if (type === "query") return by.fetch(`/trpc/${name}?batch=1&input=${encodeURIComponent(batch)}`);
  return by.fetch(`/trpc/${name}?batch=1`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: batch,
  });
}

/** The answer without the id that was asked for. */
function nameless(body: string, value: unknown): string {
  return body.replace(new RegExp(`\\b${Array.isArray(value) ? value[0] : value}\\b`, "g"), "ID");
}

const transports = (procedure: Procedure): Transport[] => (procedure.meta.rest ? ["REST", "tRPC"] : ["tRPC"]);
const ruleOf = ({ name }: Procedure): CallRule => {
  const rule = ID_RULES[name];
  if (!rule) throw new Error(`${name} takes an id: say in id-rules.ts whose it must be`);
  return rule;
};
const callerOf = (rule: CallRule) => (rule.as === "admin" ? world.admin : world.me);

describe("every id that a call takes", () => {
  it.each(withIds.map((procedure) => [procedure.name, procedure] as const))("of %s is in the table", (_, procedure) => {
    expect(Object.keys(ruleOf(procedure).ids).sort()).toEqual([...procedure.ids].sort());
  });

  it("is of a call that there is", () => {
    const names = withIds.map(({ name }) => name);
    expect(Object.keys(ID_RULES).filter((name) => !names.includes(name))).toEqual([]);
  });
});

const cases = withIds.flatMap((procedure) =>
  procedure.ids.map((id) => [`${procedure.name} ${id}`, procedure, id] as const),
);
/** Ids that grant nothing: they say where an own list goes on, or name what the call makes. */
const PLACES_IN_LISTS = [
  "admin.audit cursor",
  "albums.given cursor",
  "albums.received cursor",
  "blocks.list cursor",
  "meets.create id",
  "messages.area beforeMessageId",
  "messages.area sinceMessageId",
  "messages.between beforeMessageId",
  "messages.between sinceMessageId",
  "messages.bySector beforeMessageId",
  "messages.bySector sinceMessageId",
  "messages.conversations beforeMessageId",
  "messages.conversations sinceMessageId",
  "messages.delivered upToMessageId",
  "messages.history beforeMessageId",
  "messages.history sinceMessageId",
  "messages.missed sinceMessageId",
  "messages.mostRecentWith beforeMessageId",
  "messages.mostRecentWith sinceMessageId",
  "messages.read upToMessageId",
  "messages.search beforeMessageId",
  "messages.send clientId",
  "notifications.list beforeId",
  "pictureLikes.put profilePicProfileId",
];
const isPlaceInList = (procedure: Procedure, id: string) => ruleOf(procedure).ids[id]?.foreign === undefined;

describe("a foreign id", () => {
  it("may be anything only where it grants nothing", () => {
    const places = cases.filter(([, procedure, id]) => isPlaceInList(procedure, id)).map(([name]) => name);
    expect(places.sort()).toEqual(PLACES_IN_LISTS);
  });

  it.each(cases.filter(([, procedure, id]) => !isPlaceInList(procedure, id)))(
    "as %s is like one that never was, and writes nothing",
    async (_, procedure, id) => {
      const rule = ruleOf(procedure);
      const { foreign, status, makes, with: extra } = rule.ids[id]!;
      if (!foreign) throw new Error(`${procedure.name} ${id} has no foreign values`);
      const values = await foreign(world);
      const base = { ...(await rule.allowed(world)), ...(await extra?.(world)) };
      const before = await dump(world);
      for (const how of transports(procedure)) {
        const answers = new Map<string, string>();
        for (const [whose, value] of Object.entries(values)) {
          const answer = await call(callerOf(rule), how, procedure, { ...base, [id]: value });
          expect(status, `${how} ${whose}: ${answer.body}`).toContain(answer.status);
          answers.set(whose, nameless(answer.body, value));
        }
        if (makes) continue;
        for (const [whose, body] of answers) expect(body, `${how} ${whose}`).toBe(answers.get("absent"));
      }
      if (!makes) expect(await dump(world)).toEqual(before);
    },
  );

  it("does not become evidence", async () => {
    const { evidence } = await dump(world);
    const frozen = (evidence as { kind: string; author_id: number }[]).map(({ kind }) => kind);
    expect(new Set(frozen)).toEqual(new Set(["profile"]));
  });
});

describe("an own id", () => {
  it.each(withIds.map((procedure) => [procedure.name, procedure] as const))("works in %s", async (_, procedure) => {
    const rule = ruleOf(procedure);
    for (const how of transports(procedure)) {
      const answer = await call(callerOf(rule), how, procedure, await rule.allowed(world));
      expect(answer.status, `${how}: ${answer.body}`).toBeLessThan(300);
    }
  });
});
