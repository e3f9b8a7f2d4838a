import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/**
 * What axe finds against a page, or against the part of it that `within` selects: "rule: element, element", a line each.
 * Waits for every animation that ends, since a sheet that still fades in has colours that nobody is meant to read.
 */
export async function findBarriers(page: Page, within?: string): Promise<string[]> {
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((animation) => Number.isFinite(animation.effect?.getComputedTiming().endTime))
        .map((animation) => animation.finished),
    ),
  );
  // The site has no frames; for those the other mode opens a page at each look.
  const builder = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  if (within) builder.include(within);
  const { violations } = await builder.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(", ")}`);
}
