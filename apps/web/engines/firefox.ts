import puppeteer, { type ElementHandle } from "puppeteer-core";
import { type Driver, type Engine, inTime, pathBetween, SILENT_GPS } from "./driver.ts";
import { openScreen } from "./screen.ts";

const FIREFOX_PATH = process.env.FIREFOX_PATH ?? "/usr/bin/firefox-esr";

/**
 * Debian's Firefox over WebDriver BiDi. A touch over BiDi makes no click, so that its phone has a mouse. It has a window, since it has no
 * WebGL without one.
 */
export async function startFirefox(): Promise<Engine> {
  const screen = await openScreen();
  const browser = await inTime(
    "the start of Firefox",
    puppeteer.launch({
      browser: "firefox",
      executablePath: FIREFOX_PATH,
      headless: false,
      env: { ...process.env, DISPLAY: screen.display, LIBGL_ALWAYS_SOFTWARE: "1" },
      extraPrefsFirefox: {
        "media.navigator.permission.disabled": true,
        "media.navigator.streams.fake": true,
        "ui.prefersReducedMotion": 1,
        // WebGL without a graphics card.
        "webgl.force-enabled": true,
      },
    }),
  );
  return {
    name: "firefox",
    open: async ({ width, height, origin, gps, script }) => {
      const context = await browser.createBrowserContext();
      const page = await inTime("newPage", context.newPage());
      await page.setViewport({ width, height });
      await page.evaluateOnNewDocument(gps === "silent" ? `${SILENT_GPS}\n${script}` : script);
      if (gps !== "silent") {
        const state = gps === "denied" ? "denied" : "granted";
        await context.setPermission(origin, { permission: { name: "geolocation" }, state });
      }
      if (typeof gps === "object") await page.setGeolocation({ latitude: gps.lat, longitude: gps.lon, accuracy: 20 });
      const driver: Driver = {
        goto: async (url) => void (await inTime("goto", page.goto(url))),
        evaluate: (run, ...args) =>
          inTime(
            "evaluate",
            page.evaluate(`(${run})(...${JSON.stringify(args)})`) as Promise<Awaited<ReturnType<typeof run>>>,
          ),
        press: ({ x, y }) => inTime("press", page.mouse.click(x, y)),
        drag: async (from, to) => {
          await page.mouse.move(from.x, from.y);
          await page.mouse.down();
          for (const { x, y } of pathBetween(from, to)) await page.mouse.move(x, y);
          await inTime("drag", page.mouse.up());
        },
        type: (text) => inTime("type", page.keyboard.type(text)),
        key: (name) => inTime("key", page.keyboard.press(name)),
        choose: async (selector, file) => {
          const input = (await inTime("choose", page.$(selector))) as ElementHandle<HTMLInputElement> | null;
          if (!input) throw new Error(`no ${selector}`);
          await inTime("choose", input.uploadFile(file));
        },
        screenshot: async () => Buffer.from(await inTime("screenshot", page.screenshot())),
        close: () => inTime("close", context.close()),
      };
      return driver;
    },
    close: async () => {
      await inTime("close", browser.close(), 10_000).catch(() => browser.process()?.kill("SIGKILL"));
      screen.close();
    },
  };
}
