/** Rules for the boxes of a screen. Each runs in the page, and returns what breaks it. */

/** Texts that a box cuts off. An ellipsis is allowed in a link, a button or a row of one, whose name has the whole text. */
export function cutTexts(): string[] {
  const found: string[] = [];
  const isHidden = (element: Element) => {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return true;
    // What only screen readers have is one pixel large.
    for (let box: Element | null = element; box && box !== document.body; box = box.parentElement) {
      const { width, height } = box.getBoundingClientRect();
      if (width <= 1 || height <= 1) return true;
    }
    return false;
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent?.trim() ?? "";
    const parent = node.parentElement;
    if (text === "" || !parent || parent.closest("script, style, [popover]:not(:popover-open)") || isHidden(parent))
      continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const words = range.getBoundingClientRect();
    for (let box: Element | null = parent; box && box !== document.body; box = box.parentElement) {
      const style = getComputedStyle(box);
      const outer = box.getBoundingClientRect();
      if (outer.width <= 1 || outer.height <= 1) break;
      const hides = (overflow: string) => overflow === "hidden" || overflow === "clip";
      const isCut =
        (hides(style.overflowX) && (words.left < outer.left - 2 || words.right > outer.right + 2)) ||
        (hides(style.overflowY) && (words.top < outer.top - 3 || words.bottom > outer.bottom + 3));
      const isNamed = parent.closest("a, button, [title], [aria-label]") !== null;
      const isEllipsis = style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
      if (isCut && !(isEllipsis && isNamed)) found.push(`${text.slice(0, 40)} in ${box.tagName}.${box.className}`);
      if (isCut || style.overflowX === "auto" || style.overflowY === "auto" || style.position === "fixed") break;
      if (box.parentElement === document.body && (words.left < -2 || words.right > innerWidth + 2))
        found.push(`${text.slice(0, 40)} beside the screen`);
    }
  }
  return found;
}

/**
 * Controls that a bar covers once Tab has reached them.
 *
 * @param reached only the one that a key has reached
 */
export async function coveredControls(reached = false): Promise<string[]> {
  const found: string[] = [];
  const controls = document.querySelectorAll<HTMLElement>(
    `main :is(a[href], button:not(:disabled), input, select, textarea, summary)${reached ? ":focus" : ""}`,
  );
  for (const control of controls) {
    if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (control.closest("canvas, [inert], .maplibregl-canvas-container")) continue;
    if (!reached) {
      document.dispatchEvent(new KeyboardEvent("keydown", { key: "Tab", bubbles: true }));
      control.focus();
    }
    // WebKit scrolls with the next frame.
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    const { left, top, width, height } = control.getBoundingClientRect();
    if (width <= 1 || height <= 1) continue;
    const at = document.elementFromPoint(left + width / 2, top + Math.min(height / 2, innerHeight / 3));
    for (let over: Element | null = at; over && !over.contains(control); over = over.parentElement) {
      if (!["fixed", "sticky"].includes(getComputedStyle(over).position)) continue;
      found.push(`${control.textContent?.slice(0, 30) || control.outerHTML.slice(0, 80)} under ${over.className}`);
      break;
    }
  }
  if (!reached) scrollTo(0, 0);
  return found;
}

/** What is not seen at first: tabs beside the screen, an icon under its badge, a profile's name under a bar. */
export function hiddenParts(): string[] {
  const found: string[] = [];
  for (const tab of document.querySelectorAll("main nav a, nav[aria-label] a"))
    if (tab.checkVisibility() && tab.getBoundingClientRect().right > innerWidth + 1)
      found.push(`${tab.textContent} beside the screen`);
  for (const icon of document.querySelectorAll("header svg")) {
    const { left, top, width, height } = icon.getBoundingClientRect();
    const at = document.elementFromPoint(left + width / 2, top + height / 2);
    if (width > 1 && icon.checkVisibility() && !icon.contains(at) && at?.contains(icon) === false)
      found.push(`${icon.parentElement?.textContent} under ${at.className}`);
  }
  const name = document.querySelector("main h1");
  const box = name?.getBoundingClientRect();
  if (name && box && box.width > 1) {
    const at = document.elementFromPoint(box.left + 8, box.top + Math.min(box.height, 60) / 2);
    if (!name.contains(at)) found.push(`${name.textContent} under ${at?.className}`);
  }
  return found;
}

/** Controls with less than 44 px to press. Links in running text are exempt (WCAG 2.5.8). */
export function smallTargets(): string[] {
  const found: string[] = [];
  const least = 44;
  for (const control of document.querySelectorAll<HTMLElement>("a[href], button, select, summary, [role=switch]")) {
    if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (control.closest("[popover]:not(:popover-open)")) continue;
    const inText = control.closest("p, dd, li")?.textContent?.trim() !== control.textContent?.trim();
    if (control.tagName === "A" && getComputedStyle(control).display === "inline" && inText) continue;
    const label = control.closest("label");
    const box = (label ?? control).getBoundingClientRect();
    if (box.width <= 1 || box.height <= 1) continue;
    if (box.width >= least - 0.5 && box.height >= least - 0.5) continue;
    control.scrollIntoView({ block: "center" });
    const now = control.getBoundingClientRect();
    const [x, y] = [now.left + now.width / 2, now.top + now.height / 2];
    // A pseudo-element may enlarge what can be pressed.
    const isReached = (dx: number, dy: number) => control.contains(document.elementFromPoint(x + dx, y + dy));
    const half = least / 2 - 1;
    const isWide = box.width >= least - 0.5 || (isReached(-half, 0) && isReached(half, 0));
    const isHigh = box.height >= least - 0.5 || (isReached(0, -half) && isReached(0, half));
    if (!isWide || !isHigh)
      found.push(
        `${control.getAttribute("aria-label") ?? control.textContent?.slice(0, 30)} ${Math.round(box.width)}x${Math.round(box.height)}`,
      );
  }
  scrollTo(0, 0);
  return found;
}

/** How many lines a name takes in the tiles or cards of a screen. */
export function linesOf(name: string): number {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) if (walker.currentNode.textContent === name) break;
  const range = document.createRange();
  range.selectNodeContents(walker.currentNode);
  return range.getClientRects().length;
}

/** What an ellipsis shortens in the rows and tiles of members. */
export function shortenedTexts(): (string | null)[] {
  return [...document.querySelectorAll("main li a span")]
    .filter(
      ({ scrollWidth, scrollHeight, clientWidth, clientHeight }) =>
        clientWidth > 1 && (scrollWidth > clientWidth || scrollHeight > clientHeight + 1),
    )
    .map(({ textContent }) => textContent);
}
