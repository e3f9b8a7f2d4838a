/**
 * Takes screenshots of the gallery in every brand and theme, checks for horizontal overflow and runs axe.
 * Usage: node packages/ui/gallery/take-screenshots.ts <output folder>. Exits with 1 on a violation, an overflow or a script error.
 */
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { launchChromium } from "@lambda/testing/browser";
import { createServer } from "vite";
import { findBarriers } from "./barriers.ts";

const folder = process.argv[2] ?? "gallery-shots";
mkdirSync(folder, { recursive: true });
const server = await createServer({
  configFile: fileURLToPath(new URL("./vite.config.ts", import.meta.url)),
  logLevel: "error",
});
await server.listen();
const address = server.resolvedUrls?.local[0] ?? "";
const browser = await launchChromium();
let failures = 0;
const fail = (message: string) => {
  failures += 1;
  console.error(message);
};

const SIZES = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1440, height: 900 },
  narrow: { width: 320, height: 640 },
};
try {
  for (const [size, viewport] of Object.entries(SIZES)) {
    const context = await browser.newContext({ viewport, deviceScaleFactor: 1 });
    const page = await context.newPage();
    page.on("pageerror", (error) => fail(`${size}: ${error.message}`));
    page.on("console", (message) => message.type() === "error" && fail(`${size}: ${message.text()}`));
    await page.goto(address);
    await page.getByRole("heading", { level: 1 }).waitFor();
    for (const brand of ["ember", "harbor", "bramble"]) {
      for (const theme of ["dark", "light"]) {
        await page.getByRole("radio", { name: brand, exact: false }).check();
        await page.getByRole("radio", { name: theme }).check();
        await page.evaluate(() => document.fonts.ready);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (overflow > 0) fail(`${size} ${brand} ${theme}: ${overflow} px too wide`);
        await page.screenshot({
          path: `${folder}/${brand}-${theme}-${size}.png`,
          fullPage: true,
          animations: "disabled",
        });
        if (size === "narrow") continue;
        for (const barrier of await findBarriers(page)) fail(`${size} ${brand} ${theme}: ${barrier}`);
      }
    }
    await page.getByRole("button", { name: "Report Violation" }).click();
    await page.getByRole("dialog").waitFor();
    await page.screenshot({ path: `${folder}/sheet-${size}.png`, animations: "disabled" });
    await page.keyboard.press("Escape");
    const focused = await page.evaluate(() => document.activeElement?.textContent);
    if (focused !== "Report Violation") fail(`${size}: the sheet returned the focus to ${focused}`);
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menu").waitFor();
    await page.screenshot({ path: `${folder}/menu-${size}.png`, animations: "disabled" });
    await context.close();
  }
} finally {
  await browser.close();
  await server.close();
}
console.log(failures === 0 ? "axe, overflow and console: nothing found" : `${failures} findings`);
process.exit(failures === 0 ? 0 : 1);
