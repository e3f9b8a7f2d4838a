/** A site of its own on the disk, whose server can be killed and started again, with members who are logged in. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launchChromium, PHONE } from "@lambda/testing/browser";
import { createMember, createSession } from "@lambda/testing/members";
import { createDatabase, freePort, type Site, startSite } from "@lambda/testing/site";
import type { Row, RunSql } from "@lambda/testing/sql";
import type { BrowserContext, Page } from "playwright-core";

export interface MortalSite {
  readonly port: number;
  readonly run: RunSql;
  makeMember(name: string): Promise<number>;
  /** A fresh browser profile; logged in where a member is named. */
  open(account?: number): Promise<{ context: BrowserContext; page: Page }>;
  /** As a power cut would: no signal that it could catch, and the same disk afterwards. */
  kill(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

const BERLIN = { latitude: 52.51234, longitude: 13.41234 };

export async function openMortalSite(): Promise<MortalSite> {
  const state = mkdtempSync(join(tmpdir(), "meets-"));
  createDatabase(state);
  const port = await freePort();
  let site: Site | undefined = await startSite({ port, state });
  const browser = await launchChromium();
  const run: RunSql = async (...batch) => {
    const answer = await fetch(`http://localhost:${port}/dev/sql`, { method: "POST", body: JSON.stringify({ batch }) });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as Row[][];
  };
  return {
    port,
    run,
    makeMember: async (name) => (await createMember(run, { name, sharingChosen: Date.now() })).id,
    open: async (account) => {
      const context = await browser.newContext({
        viewport: PHONE,
        baseURL: `http://ember.localhost:${port}`,
        locale: "en-US",
        serviceWorkers: "block",
        ...(account !== undefined && { geolocation: BERLIN, permissions: ["geolocation"] }),
      });
      if (account !== undefined) {
        const token = await createSession(run, account, { brand: "ember", device: "Test browser" });
        const shared = { domain: "ember.localhost", path: "/", secure: true, sameSite: "Lax" as const };
        await context.addCookies([
          { name: "__Host-session", value: token, httpOnly: true, ...shared },
          { name: "logged_in", value: "1", ...shared },
        ]);
      }
      return { context, page: await context.newPage() };
    },
    kill: async () => {
      process.kill(-site!.process.pid!, "SIGKILL");
      await site!.stop();
      site = undefined;
    },
    start: async () => {
      site = await startSite({ port, state });
    },
    close: async () => {
      await browser.close();
      await site?.stop();
      rmSync(state, { recursive: true, force: true });
    },
  };
}
