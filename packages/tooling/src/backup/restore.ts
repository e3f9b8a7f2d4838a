/**
 * Brings the site back from its backups, step by step. Each step is recorded in `deployment/restore.json`, so that a run that was killed
 * continues, and none replaces or deletes anything: a lost database gets a new one, whatever is left of it stays.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  ACTS_PREFIX,
  actsKey,
  type DatabaseBackup,
  databaseBackupPrefix,
  databaseOfActs,
  latestDatabaseBackupKey,
  MAINTENANCE_KEY,
  type Maintenance,
  type ProtectiveAct,
} from "@lambda/contract/backup";
import { messageSchema } from "@lambda/testing/message-databases";
import type { Account } from "../account/client.ts";
import {
  createBucket,
  createDatabase,
  enableReadReplication,
  findDatabase,
  getObject,
  hasBucket,
  listObjects,
  putObject,
  queryDatabase,
} from "../account/resources.ts";
import { migrationsFor, readMigrations, runPending } from "../deploy/numbered-migrations.ts";
import { remoteRunner } from "../deploy/target.ts";
import { messageDatabaseName } from "../deployment/config.ts";
import { DEPLOYMENT, requireSite, updateSite } from "../deployment/site-file.ts";
import { listSchemaDifferences } from "../schema-differences.ts";
import { restoreBackup } from "./drill.ts";
import {
  countLostQuery,
  FORGET_POSITIONS,
  NEWEST_MESSAGE_QUERY,
  RAISE_IDS,
  RECOPY_CONVERSATIONS,
  RESTORE_PICTURES,
  RESTORED_MARK,
  type WorkerOrder,
} from "./orders.ts";
import { doAgain, type OnRefused, parseActs, unsendAgain } from "./protective-acts.ts";

/** What is lost, or how far the site goes back. */
export const RESTORE_CASES = ["database", "everything", "time", "pictures"] as const;
export type RestoreCase = (typeof RESTORE_CASES)[number];

export interface RestoreOptions {
  readonly account: Account;
  /** The project's folder. */
  readonly root: string;
  readonly what: RestoreCase;
  /** Of the backup (a day), or of Time Travel; by default the newest backup. */
  readonly to?: string | undefined;
  /** Goes on although the backup has faults. */
  readonly despiteFaults?: boolean;
  /** Damaged files of acts, by key: goes on with what can be read of them. */
  readonly without?: readonly string[];
  /** Loads a file of SQL into a database, found by its name. */
  load(database: { readonly name: string; readonly id: string }, file: string): Promise<void>;
  /** Deploys the checked-out version with the databases of `site.json`; `pass` lets its tests through. */
  deploy(pass: string): Promise<void>;
  /** Throws with what must be fixed before anything can be deployed. */
  requireDeployable(): Promise<void>;
  /** Waits until every worker knows that members are kept out. */
  settle(): Promise<void>;
  say(line: string): void;
  /** For tests. */
  afterStep?(step: string): void;
}

interface State {
  readonly what: RestoreCase;
  readonly to?: string | undefined;
  readonly started: number;
  readonly pass: string;
  readonly done: readonly string[];
  /** Members may be kept out already. */
  readonly closed?: boolean;
  readonly without?: readonly string[];
  readonly backups?: Readonly<Record<string, DatabaseBackup>>;
  /** New databases by number; 0 is the main one. */
  readonly created?: Readonly<Record<string, { readonly name: string; readonly id: string }>>;
  readonly bookmarks?: Readonly<Record<string, string>>;
  /** ISO 8601. */
  readonly restoredTo?: string;
}

const BACKUPS = "lambda-backups";
const PICTURES = "lambda-pictures";
const ROWS_PER_FILE = 2_000;
/** Exports and clocks begin a little before they say. */
const ACTS_BEFORE_MS = 2 * 3_600_000;
const MAIN = "0";

export async function restore(it: RestoreOptions): Promise<void> {
  const progress = openProgress(it);
  const steps = STEPS[it.what];
  for (const name of steps) {
    if (progress.state.done.includes(name)) continue;
    await RUN[name](it, progress);
    progress.set({ done: [...progress.state.done, name] });
    it.afterStep?.(name);
  }
  progress.finish();
}

type StepName =
  | "find"
  | "check"
  | "close"
  | "save"
  | "download"
  | "load"
  | "migrate"
  | "travel"
  | "protect"
  | "switch"
  | "deploy"
  | "pictures"
  | "open";

// All that a restore needs is read and checked before anybody is kept out.
const FROM_BACKUP = [
  "find",
  "check",
  "download",
  "close",
  "save",
  "load",
  "migrate",
  "protect",
  "switch",
  "deploy",
] as const;
const STEPS: Readonly<Record<RestoreCase, readonly StepName[]>> = {
  database: [...FROM_BACKUP, "open"],
  everything: [...FROM_BACKUP, "pictures", "open"],
  time: ["find", "check", "close", "save", "travel", "migrate", "protect", "open"],
  pictures: ["pictures"],
};

interface Progress {
  readonly state: State;
  set(change: Partial<State>): void;
  readonly folder: string;
  finish(): void;
}

const progressFile = (root: string) => join(root, DEPLOYMENT, "restore.json");
const progressFolder = (root: string) => join(root, DEPLOYMENT, "restore");
const readProgress = (root: string) =>
  existsSync(progressFile(root)) ? (JSON.parse(readFileSync(progressFile(root), "utf8")) as State) : undefined;
const commandOf = ({ what, to }: Pick<State, "what" | "to">) =>
  `npm run recover -- ${[what, to].filter(Boolean).join(" ")}`;

function forgetProgress(root: string): void {
  rmSync(progressFolder(root), { recursive: true, force: true });
  rmSync(progressFile(root), { force: true });
}

function openProgress({ root, what, to, without = [], say }: RestoreOptions): Progress {
  const file = progressFile(root);
  let before = readProgress(root);
  if (before && (before.what !== what || before.to !== to)) {
    if (before.closed)
      throw new Error(
        `Another restore is not finished. Continue it: ${commandOf(before)}. As long as it has changed nothing, npm run recover -- open gives it up.`,
      );
    forgetProgress(root);
    before = undefined;
  }
  let state: State = before ?? { what, to, started: Date.now(), pass: crypto.randomUUID(), done: [] };
  state = { ...state, without: [...new Set([...(state.without ?? []), ...without])] };
  if (state.done.length > 0) say(`Continuing after: ${state.done.join(", ")}.`);
  return {
    get state() {
      return state;
    },
    set(change) {
      state = { ...state, ...change };
      writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
      renameSync(`${file}.new`, file);
    },
    folder: progressFolder(root),
    finish: () => forgetProgress(root),
  };
}

const RUN: Readonly<Record<StepName, (it: RestoreOptions, progress: Progress) => Promise<void>>> = {
  find: (it, progress) => (it.what === "time" ? findBookmarks(it, progress) : findBackups(it, progress)),
  check: checkActs,
  close: keepMembersOut,
  save: saveActs,
  download: download,
  load: loadAll,
  migrate,
  travel,
  protect,
  switch: switchDatabases,
  deploy: ({ deploy }, { state }) => deploy(state.pass),
  pictures: restorePictures,
  open: letMembersIn,
};

/** The ids that the site uses, by number. */
function siteDatabases({ root }: RestoreOptions): Record<string, string> {
  const { database = "", messageDatabases = {} } = requireSite(root);
  return { [MAIN]: database, ...messageDatabases };
}

async function findBackups(it: RestoreOptions, progress: Progress): Promise<void> {
  if (it.to !== undefined && !/^\d{4}-\d\d-\d\d$/.test(it.to))
    throw new Error(`"${it.to}" is no day: write it as 2026-11-20`);
  const backups: Record<string, DatabaseBackup> = {};
  for (const number of Object.keys(siteDatabases(it))) {
    const prefix = databaseBackupPrefix(Number(number));
    const key = it.to === undefined ? latestDatabaseBackupKey(Number(number)) : `${prefix}${it.to}.json`;
    const stored = await getObject(it.account, BACKUPS, locationOf(it), key);
    if (!stored) {
      const days = (await listObjects(it.account, BACKUPS, locationOf(it), prefix)).flatMap(
        (name) => /\d{4}-\d\d-\d\d(?=\.sql$)/.exec(name)?.[0] ?? [],
      );
      throw new Error(`There is no backup ${key}. There are: ${days.join(", ") || "none"}.`);
    }
    backups[number] = JSON.parse(Buffer.from(stored).toString("utf8")) as DatabaseBackup;
  }
  const restoredTo = new Date(Math.min(...Object.values(backups).map(({ ts }) => ts))).toISOString();
  it.say(`The site goes back to ${restoredTo}.`);
  progress.set({ backups, restoredTo });
}

/** Before anything is changed, for all databases. */
async function findBookmarks(it: RestoreOptions, progress: Progress): Promise<void> {
  const time = Date.parse(it.to ?? "");
  if (Number.isNaN(time) || time > Date.now())
    throw new Error("Say to which time, in UTC: npm run recover -- time 2026-11-20T18:00:00Z");
  const bookmarks: Record<string, string> = {};
  const { api, id: account_id } = it.account;
  for (const [number, id] of Object.entries(siteDatabases(it))) {
    const timestamp = new Date(time).toISOString();
    const { bookmark } = await api.d1.database.timeTravel.getBookmark(id, { account_id, timestamp });
    if (!bookmark) throw new Error(`The platform has no state of that time of ${nameOf(number)}.`);
    bookmarks[number] = bookmark;
  }
  const restoredTo = new Date(time).toISOString();
  it.say(`The site goes back to ${restoredTo}.`);
  progress.set({ bookmarks, restoredTo });
}

const nameOf = (number: string) => (number === MAIN ? "lambda" : messageDatabaseName(number));
const locationOf = ({ root }: Pick<RestoreOptions, "root">) => requireSite(root).answers.location;

async function setMaintenance(it: Pick<RestoreOptions, "account" | "root">, state: Maintenance): Promise<void> {
  await put(it, BACKUPS, { key: MAINTENANCE_KEY, body: JSON.stringify(state) });
}

const put = ({ account, root }: Pick<RestoreOptions, "account" | "root">, bucket: string, { key, body }: WorkerOrder) =>
  putObject(account, bucket, locationOf({ root }), {
    key,
    bytes: new TextEncoder().encode(body),
    type: "application/json",
  });

/** No job deletes for a day from now on, whatever becomes of this restore. */
async function keepMembersOut(it: RestoreOptions, progress: Progress): Promise<void> {
  progress.set({ closed: true });
  const { pass, restoredTo } = progress.state;
  // Whoever opens the site by hand tells members no less.
  const told = restoredTo && { restoredTo, restoredAt: new Date().toISOString() };
  await setMaintenance(it, { on: true, pass, ...told });
  it.say("Members are kept out. Waiting until every worker knows ...");
  await it.settle();
  await put(it, PICTURES, RESTORED_MARK).catch((error: Error) => {
    if (it.what !== "everything") throw error;
  });
}

async function letMembersIn(it: RestoreOptions, { state }: Progress): Promise<void> {
  const told = state.restoredTo && { restoredTo: state.restoredTo, restoredAt: new Date().toISOString() };
  await setMaintenance(it, { on: false, ...told });
  it.say(
    `Members are let in again${told ? `, and told for a week that the site went back to ${told.restoredTo}` : ""}.`,
  );
}

/** Gives up a restore that has changed nothing yet, as when another day turns out to be better, and lets members in again. */
export async function openAgain(it: Pick<RestoreOptions, "account" | "root" | "say">): Promise<void> {
  const state = readProgress(it.root);
  if (state?.done.includes(state.what === "time" ? "save" : "protect"))
    throw new Error(`The databases are of two times: only going on helps. ${commandOf(state)}`);
  const stored = await getObject(it.account, BACKUPS, locationOf(it), MAINTENANCE_KEY);
  const { on = false } = stored ? (JSON.parse(Buffer.from(stored).toString("utf8")) as Maintenance) : {};
  if (on) await setMaintenance(it, { on: false });
  forgetProgress(it.root);
  it.say(
    `${on ? "Members are let in again" : "Nobody was kept out"}. ${state ? "Nothing was restored." : "This folder knows of no restore."}`,
  );
}

/** What the hourly job has not stored yet. Nothing of a lost database can be read, and then acts of its last hour are lost. */
async function saveActs(it: RestoreOptions): Promise<void> {
  for (const [number, id] of Object.entries(siteDatabases(it))) {
    try {
      for (let after = 0; ; ) {
        const sql = `SELECT * FROM protective_act WHERE id > ${after} ORDER BY id LIMIT ${ROWS_PER_FILE}`;
        const rows = (await queryDatabase(it.account, id, sql)) as unknown as readonly (ProtectiveAct & {
          readonly id: number;
        })[];
        const last = rows.at(-1)?.id;
        if (last === undefined) break;
        const acts = rows.map(({ id: _, ...act }) => act);
        await put(it, BACKUPS, { key: actsKey(Number(number), Date.now(), last), body: JSON.stringify(acts) });
        after = last;
      }
    } catch (error) {
      if (it.what === "time") throw error;
      it.say(
        `${nameOf(number)} cannot be read: what members blocked, hid or deleted within its last hour is lost. ${(error as Error).message}`,
      );
    }
  }
}

async function download(it: RestoreOptions, { state, folder }: Progress): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const faults: string[] = [];
  for (const [number, backup] of Object.entries(state.backups ?? {})) {
    const bytes = await getObject(it.account, BACKUPS, locationOf(it), backup.key);
    if (!bytes) throw new Error(`${backup.key} is gone`);
    writeFileSync(dumpFile(folder, number), bytes, { mode: 0o600 });
    rmSync(checkedFile(folder, number), { force: true });
    const { faults: found } = await restoreBackup(dumpFile(folder, number), checkedFile(folder, number), backup);
    faults.push(...found.map((fault) => `${nameOf(number)}: ${fault}`));
  }
  if (faults.length > 0 && !it.despiteFaults)
    throw new Error(`The backup has faults. Choose another day, or add --despite-faults:\n- ${faults.join("\n- ")}`);
  it.say("The backup is complete.");
}

const dumpFile = (folder: string, number: string) => join(folder, `${number}.sql`);
const checkedFile = (folder: string, number: string) => join(folder, `${number}.sqlite`);

const TABLES =
  "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\' ORDER BY name";

async function loadAll(it: RestoreOptions, progress: Progress): Promise<void> {
  for (const number of Object.keys(progress.state.backups ?? {})) await loadOne(it, progress, number);
}

/** A load that was interrupted leaves a database that nothing uses; the next gets another. */
async function loadOne(it: RestoreOptions, progress: Progress, number: string): Promise<void> {
  const { folder } = progress;
  const expected = await countLocally(checkedFile(folder, number));
  const day = new Date(progress.state.started).toISOString().slice(0, 10).replaceAll("-", "");
  for (let attempt = 1; ; attempt += 1) {
    const name = `${nameOf(number)}-${day}-${attempt}`;
    const found = await findDatabase(it.account, name);
    const { uuid: id } = found ?? (await createDatabase(it.account, name, locationOf(it)));
    let loaded = await countRemotely(it, id);
    if (Object.keys(loaded).length === 0) {
      it.say(`Loading ${name} ...`);
      await it.load({ name, id }, dumpFile(folder, number));
      loaded = await countRemotely(it, id);
    } else if (progress.state.created?.[number]?.id === id) return;
    const differences = Object.keys({ ...expected, ...loaded }).filter((table) => expected[table] !== loaded[table]);
    if (differences.length === 0) {
      progress.set({ created: { ...progress.state.created, [number]: { name, id } } });
      return it.say(`${name} has every row of the backup.`);
    }
    it.say(`${name} differs from the backup in ${differences.join(", ")}, and is not used.`);
    if (!found) throw new Error(`${name} could not be loaded completely. Run the same command again.`);
  }
}

const countSql = (tables: readonly string[]) =>
  tables
    .map(
      (name) =>
        `SELECT '${name.replaceAll("'", "''")}' AS name, (SELECT count(*) FROM "${name.replaceAll('"', '""')}") AS n`,
    )
    .join(" UNION ALL ");

async function countRemotely({ account }: RestoreOptions, id: string): Promise<Record<string, number>> {
  const tables = (await queryDatabase(account, id, TABLES)).map(({ name }) => String(name));
  const counts: Record<string, number> = {};
  for (const name of tables) counts[name] = Number((await queryDatabase(account, id, countSql([name])))[0]?.n);
  return counts;
}

async function countLocally(file: string): Promise<Record<string, number>> {
  const { DatabaseSync } = await import("node:sqlite");
  using db = new DatabaseSync(file, { readOnly: true });
  return Object.fromEntries(
    db
      .prepare(TABLES)
      .all()
      .map(({ name }) => [String(name), Number(db.prepare(countSql([String(name)])).get()?.n)]),
  );
}

/** The databases that the site has after the restore, by number. */
function restoredDatabases(it: RestoreOptions, { state }: Progress): [string, string][] {
  return it.what === "time"
    ? Object.entries(siteDatabases(it))
    : Object.entries(state.created ?? {}).map(([number, { id }]) => [number, id]);
}

async function migrate(it: RestoreOptions, progress: Progress): Promise<void> {
  const schema = readFileSync(join(it.root, "schema.sql"), "utf8");
  for (const [number, databaseId] of restoredDatabases(it, progress)) {
    const run = remoteRunner({ account: it.account, databaseId });
    const kind = number === MAIN ? "main" : "messages";
    await runPending(migrationsFor(kind, readMigrations(join(it.root, "migrations"))), run, Date.now(), it.say);
    const differences = await listSchemaDifferences(run, kind === "main" ? schema : messageSchema(schema));
    if (differences.length > 0)
      throw new Error(`${nameOf(number)} is not what schema.sql says: ${differences.join(", ")}`);
  }
}

async function travel(it: RestoreOptions, { state }: Progress): Promise<void> {
  const { api, id: account_id } = it.account;
  for (const [number, id] of Object.entries(siteDatabases(it))) {
    const bookmark = state.bookmarks?.[number] ?? "";
    const { previous_bookmark } = await api.d1.database.timeTravel.restore(id, { account_id, bookmark });
    it.say(`${nameOf(number)} is at that time. Its bookmark before: ${previous_bookmark}`);
  }
}

async function checkActs(it: RestoreOptions, progress: Progress): Promise<void> {
  if (it.what !== "everything" && !(await hasBucket(it.account, PICTURES, locationOf(it))))
    throw new Error(
      `The bucket ${PICTURES} is lost too: ${it.what === "time" ? "begin with npm run recover -- pictures" : commandOf({ ...it, what: "everything" })}`,
    );
  if (it.what !== "time") await it.requireDeployable();
  const files = await readActs(it, progress);
  it.say(`${files.length} files of acts since then can be read.`);
}

/** No id is issued twice, and what was closed or ended since stays so. */
async function protect(it: RestoreOptions, progress: Progress): Promise<void> {
  const acts = await readActs(it, progress);
  const databases = restoredDatabases(it, progress);
  const main = remoteRunner({
    account: it.account,
    databaseId: databases.find(([number]) => number === MAIN)?.[1] ?? "",
  });
  const refused: string[] = [];
  const onRefused: OnRefused = ({ kind, member, other, ts }, { message }) =>
    refused.push(`${kind} of member ${member}, about ${other}, at ${new Date(ts).toISOString()}: ${message}`);
  for (const [number, databaseId] of databases) {
    const run = remoteRunner({ account: it.account, databaseId });
    const own = acts.filter(({ database }) => database === Number(number)).flatMap((file) => file.acts);
    await run(RAISE_IDS);
    if (number === MAIN) {
      while ((await run(FORGET_POSITIONS)).length > 0);
      const counts = await doAgain(own, run, Date.now(), onRefused);
      const list = Object.entries(counts).map(([kind, n]) => `${kind} ${n}`);
      it.say(`Done again since then: ${list.join(", ") || "nothing"}.`);
      continue;
    }
    await unsendAgain(own, run, onRefused);
    await run(RECOPY_CONVERSATIONS);
    const newest = Number((await run(NEWEST_MESSAGE_QUERY))[0]?.newest);
    const lost = (await main(countLostQuery(Number(number), newest)))[0]?.lost;
    it.say(`${nameOf(number)}: ${lost} conversations end with a message that it no longer has.`);
  }
  if (refused.length === 0) return;
  const list = `Not done again, as the database refuses it:\n- ${refused.join("\n- ")}`;
  if (!it.despiteFaults) throw new Error(`${list}\nTo let members in nevertheless: ${commandOf(it)} --despite-faults`);
  it.say(list);
}

/** Throws for damaged files but those that the operator named, of which it says what is missing. */
async function readActs({ account, root, what, to, say }: RestoreOptions, { state, folder }: Progress) {
  const location = locationOf({ root });
  const since = Date.parse(state.restoredTo ?? "") - ACTS_BEFORE_MS;
  const day = new Date(since).toISOString().slice(0, 10);
  const keys = (await listObjects(account, BACKUPS, location, ACTS_PREFIX)).filter(
    (key) => key >= `${ACTS_PREFIX}${day}`,
  );
  const files: { readonly database: number; readonly acts: readonly ProtectiveAct[] }[] = [];
  const damaged: string[] = [];
  for (const key of keys) {
    // A month has more files than the platform takes calls in five minutes: none is fetched twice.
    const file = join(folder, key.replaceAll("/", "_"));
    if (!existsSync(file)) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const bytes = (await getObject(account, BACKUPS, location, key)) ?? new Uint8Array();
      writeFileSync(`${file}.new`, bytes, { mode: 0o600 });
      renameSync(`${file}.new`, file);
    }
    const { acts, faults } = parseActs(readFileSync(file, "utf8"));
    files.push({ database: databaseOfActs(key), acts: acts.filter(({ ts }) => ts >= since) });
    if (faults.length === 0) continue;
    rmSync(file);
    if (!state.without?.includes(key)) damaged.push(`${key}: ${faults.join("; ")}`);
    else
      say(
        `Not done again: what ${key} says and cannot be read (${faults.join("; ")}), of the hour before ${storedAt(key)}.`,
      );
  }
  if (damaged.length > 0)
    throw new Error(
      `Files say what members and staff closed or ended since then, and are damaged:\n- ${damaged.join("\n- ")}\nWhat cannot be read of them would be open again. To go on nevertheless: ${commandOf({ what, to })} ${damaged.map((line) => `--without ${line.split(":")[0]}`).join(" ")}`,
    );
  return files;
}

const storedAt = (key: string) => new Date(Number(/-(\d+)-\d+\.json$/.exec(key)?.[1] ?? 0)).toISOString();

async function switchDatabases(it: RestoreOptions, progress: Progress): Promise<void> {
  const { [MAIN]: main, ...messages } = Object.fromEntries(restoredDatabases(it, progress));
  for (const [number, id] of restoredDatabases(it, progress))
    await enableReadReplication(it.account, id).catch((error: unknown) =>
      it.say(`Read replicas of ${nameOf(number)} are off: ${error}`),
    );
  updateSite(it.root, { ...(main && { database: main }), messageDatabases: messages });
  it.say("deployment/site.json names the new databases.");
}

/** The worker does it, some hundred a minute. */
async function restorePictures(it: RestoreOptions): Promise<void> {
  const location = locationOf(it);
  if (!(await hasBucket(it.account, PICTURES, location))) {
    await createBucket(it.account, PICTURES, location);
    it.say(`Created the bucket ${PICTURES} (${location}).`);
  }
  await put(it, PICTURES, RESTORED_MARK);
  await put(it, PICTURES, RESTORE_PICTURES);
  it.say("The worker copies 250 objects a minute back, and logs pictures-restored with finished: true at the end.");
}
