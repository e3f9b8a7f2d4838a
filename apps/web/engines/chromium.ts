import { FEWER_PROCESSES, launchChromium } from "@lambda/testing/browser";
import { type Driver, type Engine, inTime, pathBetween, SILENT_GPS } from "./driver.ts";

export async function startChromium(): Promise<Engine> {
  const browser = await launchChromium(FEWER_PROCESSES);
  return {
    name: "chromium",
    open: async ({ width, height, origin, gps, script }) => {
      const isPhone = width < 600;
      const context = await browser.newContext({
        viewport: { width, height },
        reducedMotion: "reduce",
        hasTouch: isPhone,
        isMobile: isPhone,
        ...(typeof gps === "object" && { geolocation: { latitude: gps.lat, longitude: gps.lon } }),
      });
      await context.grantPermissions([...(typeof gps === "object" ? ["geolocation"] : []), "microphone"], { origin });
      await context.addInitScript(gps === "silent" ? `${SILENT_GPS}\n${script}` : script);
      const page = await context.newPage();
      const driver: Driver = {
        goto: async (url) => void (await inTime("goto", page.goto(url))),
        evaluate: (run, ...args) =>
          inTime(
            "evaluate",
            page.evaluate(`(${run})(...${JSON.stringify(args)})`) as Promise<Awaited<ReturnType<typeof run>>>,
          ),
        press: ({ x, y }) => inTime("press", isPhone ? page.touchscreen.tap(x, y) : page.mouse.click(x, y)),
        drag: async (from, to) => {
          await page.mouse.move(from.x, from.y);
          await page.mouse.down();
          for (const { x, y } of pathBetween(from, to)) await page.mouse.move(x, y);
          await page.mouse.up();
        },
        type: (text) => inTime("type", page.keyboard.type(text)),
        key: (name) => inTime("key", page.keyboard.press(name)),
        choose: (selector, file) => inTime("choose", page.locator(selector).first().setInputFiles(file)),
        screenshot: () => inTime("screenshot", page.screenshot()),
        close: () => inTime("close", context.close()),
      };
      return driver;
    },
    close: () => browser.close(),
  };
}
