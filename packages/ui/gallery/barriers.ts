import axe from "axe-core";
import type { Page } from "playwright-core";

/**
 * What axe finds against a page, or against the part of it that `within` selects: "rule: element, element", a line each.
 * Waits for every animation that ends, since a sheet that still fades in has colours that nobody is meant to read.
 */
export async function findBarriers(page: Page, within?: string): Promise<string[]> {
  const isLoaded = await page.evaluate(async () => {
    const animations = document
      .getAnimations()
      .filter((animation) => Number.isFinite(animation.effect?.getComputedTiming().endTime));
    await Promise.allSettled(animations.map((animation) => animation.finished));
    return "axe" in window;
  });
  // It stays with the document: reading it takes longer than a look. Nothing of it is to be answered.
  if (!isLoaded) await page.evaluate(`${axe.source};undefined`);
  return page.evaluate(async (selector) => {
    const loaded = (window as unknown as { axe: typeof axe }).axe;
    const { violations } = await loaded.run(selector ?? document, { resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(", ")}`);
  }, within);
}
