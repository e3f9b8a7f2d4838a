/**
 * Opens what `npm run dev` serves: modules and styles of Vite, which the content policy of a deployment blocks.
 *
 * @module-tag slow
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { launchChromium } from "@lambda/testing/browser";
import { copyRepository } from "@lambda/testing/repository-copy";
import { freePort, spawnSite } from "@lambda/testing/site";
import { expect, it, onTestFinished } from "vitest";
import { waitForHydration } from "./page-actions.ts";

it("npm run dev renders the visitor's home with its styles, and its policy blocks nothing of it", {
  timeout: 180_000,
}, async () => {
  // With databases of its own.
  const copy = copyRepository();
  onTestFinished(() => copy[Symbol.dispose]());
  // The base map takes a minute.
  const state = join(copy.root, ".wrangler/state");
  mkdirSync(state, { recursive: true });
  writeFileSync(join(state, "map-is-here"), "");
  const port = await freePort();
  const server = await spawnSite(port, [join(copy.root, "packages/tooling/src/dev.ts")], undefined, {
    PORT: String(port),
    // Under Vitest, Vite leaves the worker out.
    VITEST: undefined,
    NODE_ENV: undefined,
  });
  onTestFinished(server.stop);
  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (/Content Security Policy/i.test(message.text())) complaints.push(message.text());
  });

  const document = await page.goto(`http://ember.localhost:${port}/`);
  expect(document?.headers()["content-security-policy"]).toContain("default-src 'none'");
  const register = page.getByRole("main").getByRole("link", { name: "Register", exact: true }).first();
  await register.waitFor({ timeout: 60_000 }).catch(() => expect.fail(`nothing is shown: ${complaints.join("; ")}`));
  await waitForHydration(page);
  const style = await register.evaluate((link) => {
    const { fontFamily, borderRadius } = getComputedStyle(link);
    return { fontFamily, borderRadius };
  });
  expect(style.fontFamily).toContain("Figtree");
  expect(style.borderRadius).not.toBe("0px");
  expect(complaints).toEqual([]);
});
