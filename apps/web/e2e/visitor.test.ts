import { DESKTOP, openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import { findBarriers } from "@lambda/ui/barriers";
import { beforeAll, describe, expect, it } from "vitest";

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

const RINGS = [
  { x: 0.36, y: 0.463, men: 20 },
  { x: 0.582, y: 0.463, men: 50 },
  { x: 0.582, y: 0.71, men: 20 },
];

describe.each([
  ["phone", PHONE, "en-US"],
  ["desktop", DESKTOP, "en-US"],
  ["desktop in Spanish", DESKTOP, "es"],
  ["small desktop", { width: 1000, height: 800 }, "en-US"],
] as const)("a visitor's home on a %s", (_, viewport, locale) => {
  it("shows how many men are in each district of the city, above Register", async () => {
    const { page, context, errors } = await site.open({ viewport, locale });
    await page.route("**/visitor-map.json", (route) => route.fulfill({ json: RINGS }));
    await page.goto("/");
    const rings = page.getByRole("list", { name: /^(Men on the map in the last day|Hombres en el mapa)/ });
    await rings.waitFor();
    expect(await rings.getByRole("listitem").allTextContents()).toEqual(["20+", "50+", "20+"]);
    const register = await page
      .getByRole("main")
      .getByRole("link", { name: /^(Register|Registro)$/ })
      .first()
      .boundingBox();
    const tagline = await page.getByRole("heading", { level: 2 }).evaluate((heading) => {
      const range = document.createRange();
      range.selectNodeContents(heading);
      return range.getBoundingClientRect().toJSON() as DOMRect;
    });
    for (const ring of await rings.getByRole("listitem").all()) {
      const box = (await ring.boundingBox())!;
      expect(box.y + box.height).toBeLessThan(register!.y + (viewport === PHONE ? 0 : register!.height));
      const covers = box.y + box.height > tagline.top && box.y < tagline.bottom && box.x < tagline.right;
      expect(covers, "a ring lies over the tagline").toBe(false);
    }
    expect(register!.y + register!.height).toBeLessThan(viewport.height);
    expect(await findBarriers(page)).toEqual([]);
    expect(errors).toEqual([]);
    await context.close();
  });

  it("is drawn without streets and counts where there are none", async () => {
    const { page, context, errors } = await site.open({ viewport });
    await page.goto("/");
    await page.getByRole("main").locator("svg circle").first().waitFor();
    expect(
      await page
        .getByRole("main")
        .getByText(/^\d+\+$/)
        .count(),
    ).toBe(0);
    expect(errors).toEqual([]);
    await context.close();
  });
});
