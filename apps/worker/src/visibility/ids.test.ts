import { type CallRule, ID_RULES } from "@lambda/testing/adversary/id-rules";
import { createWorld, dumpDatabase, type World } from "@lambda/testing/adversary/world";
import type { TestMember } from "@lambda/testing/member";
import { type JsonSchema, listProcedures, type Procedure } from "@lambda/testing/procedures";
import { beforeAll, describe, expect, it } from "vitest";
import { appRouter } from "../router.ts";

/**
 * Generated from the router: every id that a call takes is tried with the caller's own and everybody else's, over REST
 * and tRPC (as the batch link sends it). A foreign id must get the same bytes as one that never existed, and nothing
 * may be written.
 */
/** Whether a schema is the contract's `Id`, alone, in a list or in a union. */
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
  world = await createWorld();
});

interface CallResult {
  readonly status: number;
  readonly body: string;
}

type Transport = "REST" | "tRPC";

async function call(
  by: TestMember,
  transport: Transport,
  procedure: Procedure,
  input: Record<string, unknown>,
): Promise<CallResult> {
  const response = transport === "REST" ? await callRest(by, procedure, input) : await callTrpc(by, procedure, input);
  return { status: response.status, body: await response.text() };
}

function callRest(by: TestMember, { meta }: Procedure, input: Record<string, unknown>): Promise<Response> {
  const { method, path } = meta.rest!;
  const remaining = { ...input };
  const resolvedPath = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(remaining[name]);
    delete remaining[name];
    return value;
  });
  if (method === "GET" || method === "DELETE") {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(remaining)) if (value !== undefined) query.set(name, String(value));
    return by.fetch(`/api${resolvedPath}?${query}`, { method });
  }
  return by.send(method, `/api${resolvedPath}`, remaining);
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

/** The response without the requested id. */
function withoutId(body: string, value: unknown): string {
  const id = Array.isArray(value) ? value[0] : value;
  // An id may equal an HTTP status.
  return body.replace(new RegExp(`(?<!"httpStatus":)\\b${id}\\b`, "g"), "ID");
}

const transports = (procedure: Procedure): Transport[] => (procedure.meta.rest ? ["REST", "tRPC"] : ["tRPC"]);
const ruleOf = ({ name }: Procedure): CallRule => {
  const rule = ID_RULES[name];
  if (!rule) throw new Error(`${name} takes an id: say in id-rules.ts whose it must be`);
  return rule;
};
const callerOf = (rule: CallRule) => (rule.as === "admin" ? world.admin : world.me);

describe("every id that a call takes", () => {
  it.each(withIds.map((procedure) => [procedure.name, procedure] as const))("has a rule in %s", (_, procedure) => {
    expect(Object.keys(ruleOf(procedure).ids).sort()).toEqual([...procedure.ids].sort());
  });

  it("has rules only for calls that exist", () => {
    const names = withIds.map(({ name }) => name);
    expect(Object.keys(ID_RULES).filter((name) => !names.includes(name))).toEqual([]);
  });
});

const cases = withIds.flatMap((procedure) =>
  procedure.ids.map((id) => [`${procedure.name} ${id}`, procedure, id] as const),
);
/** Ids that grant nothing: cursors of the caller's own lists, and names for what the call creates. */
const UNRESTRICTED_IDS = [
  "admin.audit cursor",
  "albums.given cursor",
  "albums.received cursor",
  "blocks.list cursor",
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
const isUnrestricted = (procedure: Procedure, id: string) => ruleOf(procedure).ids[id]?.foreign === undefined;

describe("a foreign id", () => {
  it("is unrestricted only where it grants nothing", () => {
    const unrestricted = cases.filter(([, procedure, id]) => isUnrestricted(procedure, id)).map(([name]) => name);
    expect(unrestricted.sort()).toEqual(UNRESTRICTED_IDS);
  });

  it.each(cases.filter(([, procedure, id]) => !isUnrestricted(procedure, id)))(
    "as %s behaves like one that never existed, and writes nothing",
    async (_, procedure, id) => {
      const rule = ruleOf(procedure);
      const { foreign, status, createsRows, with: extra } = rule.ids[id]!;
      if (!foreign) throw new Error(`${procedure.name} ${id} has no foreign values`);
      const values = await foreign(world);
      const base = { ...(await rule.allowed(world)), ...(await extra?.(world)) };
      const before = await dumpDatabase(world);
      for (const transport of transports(procedure)) {
        const answers = new Map<string, string>();
        for (const [whose, value] of Object.entries(values)) {
          const response = await call(callerOf(rule), transport, procedure, { ...base, [id]: value });
          expect(status, `${transport} ${whose}: ${response.body}`).toContain(response.status);
          answers.set(whose, withoutId(response.body, value));
        }
        if (createsRows) continue;
        for (const [whose, body] of answers) expect(body, `${transport} ${whose}`).toBe(answers.get("absent"));
      }
      if (!createsRows) expect(await dumpDatabase(world)).toEqual(before);
    },
  );

  it("does not become evidence", async () => {
    const { evidence } = await dumpDatabase(world);
    const frozen = (evidence as { kind: string; author_id: number }[]).map(({ kind }) => kind);
    expect(new Set(frozen)).toEqual(new Set(["profile"]));
  });
});

describe("an own id", () => {
  it.each(withIds.map((procedure) => [procedure.name, procedure] as const))("works in %s", async (_, procedure) => {
    const rule = ruleOf(procedure);
    for (const transport of transports(procedure)) {
      const response = await call(callerOf(rule), transport, procedure, await rule.allowed(world));
      expect(response.status, `${transport}: ${response.body}`).toBeLessThan(300);
    }
  });
});
