import axe from "axe-core";
import type { Page } from "playwright-core";

/**
 * Runs axe on a page, or on the part that `within` selects. Returns each violation as "rule: element, element". First waits for all
 * finite animations, because colors are only meant to be readable after a fade-in.
 */
export async function findBarriers(page: Page, within?: string): Promise<string[]> {
  const isLoaded = await page.evaluate(async () => {
    const animations = document
      .getAnimations()
      .filter((animation) => Number.isFinite(animation.effect?.getComputedTiming().endTime))
      // In a closed fold time stands still.
      .filter(({ effect }) => effect instanceof KeyframeEffect && effect.target?.checkVisibility());
    await Promise.allSettled(animations.map((animation) => animation.finished));
    return "axe" in window;
  });
  // axe stays loaded in the document, because injecting it takes longer than a run. ";undefined" keeps the result serializable.
  if (!isLoaded) await page.evaluate(`${axe.source};undefined`);
  return page.evaluate(async (selector) => {
    const loaded = (window as unknown as { axe: typeof axe }).axe;
    const { violations } = await loaded.run(selector ?? document, { resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(", ")}`);
  }, within);
}
