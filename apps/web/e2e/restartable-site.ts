/** A separate site on disk whose server can be killed and restarted, with browsers that outlive it. */
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { FEWER_PROCESSES, findInNewestMail, launchChromium, PHONE } from "@lambda/testing/browser";
import { configuredMessageDatabases, createTables } from "@lambda/testing/schema";
import { freePort, type Site, startTestSite } from "@lambda/testing/site";
import type { Row, RunSql } from "@lambda/testing/sql";
import type { BrowserContext, Page } from "playwright-core";
import { type BrowserMember, logIn } from "./members.ts";

export interface RestartableSite {
  readonly port: number;
  readonly run: RunSql;
  /** Runs one statement on the main database. */
  sql<Result>(query: string, ...values: (string | number)[]): Promise<Result[]>;
  /** Runs one statement on the main database and on every message database. */
  sqlOnAllDatabases<Result>(query: string, ...values: (string | number)[]): Promise<Result[]>;
  /** Opens a fresh browser profile, logged in as the member if one is given. */
  open(member?: BrowserMember, options?: OpenOptions): Promise<OpenedBrowser>;
  /** Waits for the newest mail to an address; returns its login link. */
  loginLink(email: string): Promise<string>;
  /** Lists R2 keys with this prefix from disk, which works while the server is down too. */
  listObjectKeys(prefix: string): string[];
  /** Kills the server like a power cut: with SIGKILL, leaving the disk as it is. */
  kill(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

interface OpenOptions {
  /** Whether the session is as new as right after a login. */
  readonly freshProof?: boolean;
  readonly geolocation?: { readonly latitude: number; readonly longitude: number };
}

export interface OpenedBrowser {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Uncaught exceptions of the page; failed requests are not included. */
  readonly errors: string[];
}

export const BERLIN = { latitude: 52.51234, longitude: 13.41234 };

export async function openRestartableSite(): Promise<RestartableSite> {
  const state = mkdtempSync(join(tmpdir(), "restartable-site-"));
  const port = await freePort();
  const [started, browser] = await Promise.all([startTestSite({ port, state }), launchChromium(FEWER_PROCESSES)]);
  let site: Site | undefined = started;
  const base = `http://localhost:${port}`;
  const run: RunSql = async (...batch) => {
    const response = await fetch(`${base}/dev/sql`, { method: "POST", body: JSON.stringify({ batch }) });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as Row[][];
  };
  const messageDatabases = configuredMessageDatabases();
  await createTables(run, messageDatabases);
  const contexts: BrowserContext[] = [];
  return {
    port,
    run,
    sql: async <Result>(query: string, ...values: (string | number)[]) => (await run({ query, values }))[0] as Result[],
    sqlOnAllDatabases: async <Result>(query: string, ...values: (string | number)[]) =>
      (await run(...[0, ...messageDatabases].map((database) => ({ query, values, database })))).flat() as Result[],
    open: async (member, { freshProof = false, geolocation } = {}) => {
      const context = await browser.newContext({
        viewport: PHONE,
        baseURL: `http://ember.localhost:${port}`,
        locale: "en-US",
        deviceScaleFactor: 0.5,
        reducedMotion: "reduce",
        serviceWorkers: "block",
        ...(geolocation && { geolocation, permissions: ["geolocation"] }),
      });
      contexts.push(context);
      if (member) await logIn({ run }, context, member, { freshProof });
      const page = await context.newPage();
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(String(error)));
      return { context, page, errors };
    },
    loginLink: (email) => findInNewestMail(() => fetch(`${base}/dev/mail.json`), email, /https?:\/\/\S+token=\S+/),
    listObjectKeys: (prefix) => listObjects(state, prefix),
    kill: async () => {
      process.kill(-site!.process.pid!, "SIGKILL");
      await site!.stop();
      site = undefined;
    },
    start: async () => {
      site = await startTestSite({ port, state });
    },
    close: async () => {
      await Promise.all(contexts.map((context) => context.close()));
      await browser.close();
      await site?.stop();
      rmSync(state, { recursive: true, force: true });
    },
  };
}

/** Reads the SQLite databases in which Miniflare keeps the keys of its buckets. */
function listObjects(state: string, prefix: string): string[] {
  return globSync(`${state}/v3/r2/*/*.sqlite`).flatMap((file) => {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      const isBucket = database.prepare("select 1 from sqlite_master where name = '_mf_objects'").get() !== undefined;
      if (!isBucket) return [];
      const rows = database
        .prepare("select key from _mf_objects where substr(key, 1, ?) = ?")
        .all(prefix.length, prefix);
      return rows.map(({ key }) => String(key));
    } finally {
      database.close();
    }
  });
}
