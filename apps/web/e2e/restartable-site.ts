/** A site of its own on the disk, whose server can be killed and started again, and browsers that outlive it. */
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { findInNewestMail, launchChromium, PHONE } from "@lambda/testing/browser";
import { messageStatements, schemaStatements } from "@lambda/testing/harness";
import { listMessageDatabases } from "@lambda/testing/message-databases";
import { freePort, type Site, startSite } from "@lambda/testing/site";
import type { Row, RunSql } from "@lambda/testing/sql";
import { readWranglerConfig } from "@lambda/testing/wrangler-config";
import type { BrowserContext, Page } from "playwright-core";
import { type BrowserMember, logIn } from "./members.ts";

export interface RestartableSite {
  readonly port: number;
  readonly run: RunSql;
  /** Runs one statement on the main database. */
  sql<Found>(query: string, ...values: (string | number)[]): Promise<Found[]>;
  /** Runs one statement on the main database and on each one for messages. */
  sqlOnAllDatabases<Found>(query: string, ...values: (string | number)[]): Promise<Found[]>;
  /** A fresh browser profile; logged in where a member is named. */
  open(member?: BrowserMember, options?: OpenOptions): Promise<OpenedBrowser>;
  /** The login link of the newest mail to an address; waits for it. */
  loginLink(email: string): Promise<string>;
  /** Keys of the objects in its buckets that begin so, read from the disk: dead or alive. */
  listObjectKeys(prefix: string): string[];
  /** As a power cut would: no signal that it could catch, and the same disk afterwards. */
  kill(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

interface OpenOptions {
  /** As if the member had just logged in. */
  readonly proved?: boolean;
  readonly geolocation?: { readonly latitude: number; readonly longitude: number };
}

export interface OpenedBrowser {
  readonly context: BrowserContext;
  readonly page: Page;
  /** What a page threw; that a dead server does not answer is none of it. */
  readonly errors: string[];
}

export const BERLIN = { latitude: 52.51234, longitude: 13.41234 };

export async function openRestartableSite(): Promise<RestartableSite> {
  const state = mkdtempSync(join(tmpdir(), "mortal-site-"));
  const port = await freePort();
  const [started, browser] = await Promise.all([startSite({ port, state }), launchChromium()]);
  let site: Site | undefined = started;
  const base = `http://localhost:${port}`;
  const run: RunSql = async (...batch) => {
    const answer = await fetch(`${base}/dev/sql`, { method: "POST", body: JSON.stringify({ batch }) });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as Row[][];
  };
  const forMessages = listMessageDatabases(readWranglerConfig().d1_databases).map(({ number }) => number);
  await run(
    ...schemaStatements().map((query) => ({ query })),
    ...forMessages.flatMap((database) => messageStatements().map((query) => ({ query, database }))),
  );
  const contexts: BrowserContext[] = [];
  return {
    port,
    run,
    sql: async <Found>(query: string, ...values: (string | number)[]) => (await run({ query, values }))[0] as Found[],
    sqlOnAllDatabases: async <Found>(query: string, ...values: (string | number)[]) =>
      (await run(...[0, ...forMessages].map((database) => ({ query, values, database })))).flat() as Found[],
    open: async (member, { proved = false, geolocation } = {}) => {
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
      if (member) await logIn({ run }, context, member, { proved });
      const page = await context.newPage();
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(String(error)));
      return { context, page, errors };
    },
    loginLink: (email) => findInNewestMail(() => fetch(`${base}/dev/mail.json`), email, /https?:\/\/\S+/),
    listObjectKeys: (prefix) => listObjects(state, prefix),
    kill: async () => {
      process.kill(-site!.process.pid!, "SIGKILL");
      await site!.stop();
      site = undefined;
    },
    start: async () => {
      site = await startSite({ port, state });
    },
    close: async () => {
      await Promise.all(contexts.map((context) => context.close()));
      await browser.close();
      await site?.stop();
      rmSync(state, { recursive: true, force: true });
    },
  };
}

/** Miniflare keeps a bucket's keys in a database of its own. */
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
