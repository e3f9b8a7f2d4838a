import { DAY_MS } from "@lambda/contract/limits";
import { OpeningStep } from "@lambda/contract/opening";
import { ID_RULES } from "@lambda/testing/adversary/id-rules";
import { createWorld, type World } from "@lambda/testing/adversary/world";
import { listProcedures, type Procedure } from "@lambda/testing/procedures";
import { beforeAll, expect, it } from "vitest";
import { appRouter } from "./router.ts";

/**
 * Generated from the router: each call that changes something is made twice with the same input, as by a member whose answer was lost or
 * who pressed twice. The second must add no row.
 */
type Create = (world: World) => object | Promise<object>;

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** Valid inputs of calls that create something and take no id. The others are in id-rules.ts. */
const INPUTS: Record<string, Create> = {
  "admin.opening.invite": () => ({ email: "team@example.test" }),
  "admin.opening.tick": () => ({ step: OpeningStep.options[0], done: true }),
  "contact.send": () => ({ name: "Ann", message: "Where is the harbor?" }),
  "contact.reportProblem": () => ({ message: "The map stays gray." }),
  // Without the id that every application sends, a message is a new one.
  "messages.send": async (from) => ({
    ...(await ID_RULES["messages.send"]?.allowed(from)),
    clientId: crypto.randomUUID(),
  }),
  "travel.addTrip": () => ({ name: "Berlin", lat: 52.52, lon: 13.4, from: inDays(3), to: inDays(5) }),
};

/** Calls that add rows each time, and why that is right. */
const ADDS_EACH_TIME: Record<string, string> = {
  "admin.holds.read": "logs each look",
  "admin.holds.tipFile": "logs each look",
  "admin.holds.tipSent": "logs each time",
  "noticeDesk.namePicture": "logs each time",
};

/** Calls whose repeat finds its challenge, code or secret used, which their own tests try. */
const SPENT_BY_THE_FIRST = [
  "accounts.loginByDigits",
  "accounts.loginByToken",
  "lockdown.unlocked",
  "notices.answer",
  "notices.disown",
  "notices.file",
  "passkeys.add",
  "passkeys.logIn",
  "proofs.byDigits",
  "proofs.byPasskey",
  "settings.confirmEmail",
];

/** Calls that set a value, end something, or begin what is made to be begun anew: a login, a mail, a challenge, a draw. */
const NOT_CREATING = [
  "accounts.login",
  "accounts.logout",
  "accounts.register",
  "admin.opening.open",
  "admin.testUsersCreate",
  "age.answer",
  "age.begin",
  "age.remove",
  "arbitration.setOptedOut",
  "deletion.request",
  "export.link",
  "games.busterDraw",
  "games.cootiesPlay",
  "games.hotDraw",
  "games.identifyStart",
  "games.ratingDraw",
  "health.update",
  "lockdown.prepare",
  "lockdown.removeWords",
  "lockdown.setWords",
  "messages.updatePreferences",
  "notices.challenge",
  "notices.receipt",
  "notifications.updatePreferences",
  "passkeys.creation",
  "personCheck.draw",
  "personCheck.start",
  "personCheck.withdraw",
  "proofs.byPassword",
  "proofs.mail",
  "push.subscribe",
  "sessions.endAll",
  "sessions.setLock",
  "settings.setDiscreet",
  "settings.setSharing",
  "settings.update",
  "tonight.end",
  "tonight.put",
  "travel.acknowledgeStayEnd",
  "travel.choose",
  "travel.refreshStay",
  "voices.delete",
  "voices.update",
];

const mutations = listProcedures(appRouter).filter(({ type }) => type === "mutation");
const createOf = ({ name }: Procedure): Create | undefined => INPUTS[name] ?? ID_RULES[name]?.allowed;

let world: World;
let tables: string[];
beforeAll(async () => {
  world = await createWorld();
  const [found = []] = await world.worker.run({
    query: "select name from sqlite_master where type = 'table' and name not glob 'sqlite_*' and name not glob '_cf_*'",
  });
  tables = found.map(({ name }) => String(name));
});

async function countRows(): Promise<Record<string, unknown>> {
  const counts = await world.worker.run(...tables.map((name) => ({ query: `select count(*) as rows from "${name}"` })));
  return Object.fromEntries(tables.map((name, index) => [name, counts[index]?.[0]?.rows]));
}

async function send({ name }: Procedure, input: object): Promise<number> {
  const opens = name.startsWith("admin.opening.");
  const by = opens || ID_RULES[name]?.as === "admin" ? world.admin : world.me;
  const response = await by.fetch(`/trpc/${name}?batch=1`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(opens && { "x-development-opening": "checklist" }) },
    body: JSON.stringify({ 0: input }),
  });
  await response.text();
  return response.status;
}

it("knows of every call whether it creates something", () => {
  const unknown = mutations.filter((procedure) => !createOf(procedure)).map(({ name }) => name);
  expect(unknown.toSorted()).toEqual([...SPENT_BY_THE_FIRST, ...NOT_CREATING].toSorted());
});

const creating = mutations.filter((procedure) => createOf(procedure) && !(procedure.name in ADDS_EACH_TIME));
it.each(creating.map((procedure) => [procedure.name, procedure] as const))(
  "%s, repeated, adds nothing",
  async (_, procedure) => {
    const input = await createOf(procedure)!(world);
    expect(await send(procedure, input)).toBeLessThan(300);
    const before = await countRows();
    await send(procedure, input);
    const after = await countRows();
    expect(tables.filter((table) => Number(after[table]) > Number(before[table]))).toEqual([]);
  },
);
