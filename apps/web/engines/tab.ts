/** What a member does in a window, by role, label and text, the same in each engine. */
import { readFileSync } from "node:fs";
import { type BrandId, getBrand } from "@lambda/brands";
import { PHONE, type TestSite } from "@lambda/testing/browser";
import { type BrowserMember, makeMember, PASSWORD } from "../e2e/members.ts";
import type { Driver, Engine, EngineName, Gps, Point } from "./driver.ts";
import { type SiteProxy, startProxy } from "./proxy.ts";

/** Finds an element that shows. A string is the whole name or text, a pattern a part. */
export interface Target {
  readonly role?: string;
  readonly name?: string | RegExp;
  readonly label?: string | RegExp;
  readonly text?: string | RegExp;
  readonly css?: string;
  readonly within?: Target;
  /** Takes the last one that shows instead of the first. */
  readonly last?: true;
}

export const button = (name: string | RegExp, within?: Target): Target => ({
  role: "button",
  name,
  ...(within && { within }),
});
export const link = (name: string | RegExp, within?: Target): Target => ({
  role: "link",
  name,
  ...(within && { within }),
});
export const heading = (name: string | RegExp): Target => ({ role: "heading", name });
export const text = (shown: string | RegExp, within?: Target): Target => ({
  text: shown,
  ...(within && { within }),
});
export const label = (name: string | RegExp): Target => ({ label: name });

/** Long enough for two busy cores; a wait ends as soon as it can. */
const WAIT_MS = 30_000;
const STEP_BETWEEN_LOOKS_MS = 60;
/** What a failure tells of the requests. */
const LAST_REQUESTS = 12;

type Packed = Omit<Target, "name" | "label" | "text" | "within"> & {
  readonly name?: Pattern;
  readonly label?: Pattern;
  readonly text?: Pattern;
  readonly within?: Packed;
};
type Pattern = string | { readonly source: string; readonly flags: string };

function pack({ within, ...target }: Target): Packed {
  const patterns = Object.entries(target).map(([key, value]) => [
    key,
    value instanceof RegExp ? { source: value.source, flags: value.flags } : value,
  ]);
  return { ...Object.fromEntries(patterns), ...(within && { within: pack(within) }) };
}

/** How an element of the page is, or why it cannot be pressed. */
interface Look {
  readonly count: number;
  readonly point?: Point;
  readonly box?: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly obstacle?: string;
  readonly text?: string;
}

/** Runs in the page, where the script of each window has put the library that finds by role, label and text. */
function look(packed: Packed, wantsPress: boolean, option?: string): Look {
  interface Library {
    queryAllByRole(root: Element, role: string, options: object): HTMLElement[];
    queryAllByLabelText(root: Element, label: string | RegExp): HTMLElement[];
    queryAllByText(root: Element, text: string | RegExp, options: object): HTMLElement[];
  }
  const library = (window as unknown as { TestingLibraryDom: Library }).TestingLibraryDom;
  const unpack = (pattern: Pattern) =>
    typeof pattern === "string" ? pattern : new RegExp(pattern.source, pattern.flags);
  const find = ({ role, name, label, text, css, within, last }: Packed): HTMLElement[] => {
    const root = within ? find(within)[0] : document.documentElement;
    if (!root) return [];
    let found: HTMLElement[] = [];
    if (role !== undefined)
      found = library.queryAllByRole(root, role, name === undefined ? {} : { name: unpack(name) });
    else if (label !== undefined) found = library.queryAllByLabelText(root, unpack(label));
    else if (text !== undefined)
      found = library.queryAllByText(root, unpack(text), { ignore: "script, style, title, option" });
    else if (css !== undefined) found = [...root.querySelectorAll<HTMLElement>(css)];
    const shown = found.filter((element) => element.checkVisibility({ visibilityProperty: true }));
    return last ? shown.reverse() : shown;
  };
  const found = find(packed);
  const element = found[0];
  if (!element) return { count: 0 };
  const shownText = element.innerText ?? "";
  if (!wantsPress) {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { count: found.length, text: shownText, box: { x, y, width, height } };
  }
  if (option !== undefined) {
    const setValue = Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, "value")?.set;
    setValue?.call(element, option);
    element.dispatchEvent(new Event("change", { bubbles: true }));
    return { count: found.length };
  }
  // It has no event handlers yet.
  if (document.documentElement.dataset.prerendered !== undefined)
    return { count: found.length, obstacle: "the page is prerendered" };
  if (element.matches(":disabled, [aria-disabled=true]")) return { count: found.length, obstacle: "it is disabled" };
  /** @param orAncestor takes what holds the element for it, as of one that takes no pointer; one that a scrolled box cuts off is not seen */
  const isSeen = (orAncestor: boolean) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const at = document.elementFromPoint(x, y);
    const pressed = element.closest("label") ?? element;
    const isReached =
      at !== null &&
      (pressed.contains(at) ||
        (element as HTMLInputElement).labels?.[0]?.contains(at) ||
        (orAncestor && at.contains(element)));
    if (!isReached) return at;
    const guard = (window as unknown as { pressGuard: PressGuard }).pressGuard;
    guard.outcome = undefined;
    guard.allowed = [element, pressed, at];
    return { x, y };
  };
  let seen = isSeen(false);
  if (!seen || seen instanceof Element) {
    element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    seen = isSeen(true);
  }
  if (!seen || seen instanceof Element)
    return { count: found.length, obstacle: `it is under ${seen?.outerHTML.slice(0, 120) ?? "nothing"}` };
  return { count: found.length, point: seen };
}

interface PressGuard {
  allowed?: readonly Element[] | undefined;
  outcome?: "landed" | "missed" | undefined;
}

/** Keeps a press from what has moved to the point since it was looked for, and says so. */
function guardPresses(): void {
  const guard: PressGuard = {};
  Object.assign(window, { pressGuard: guard });
  for (const type of ["pointerdown", "mousedown", "touchstart", "pointerup", "mouseup", "touchend", "click"])
    addEventListener(
      type,
      (event) => {
        if (!guard.allowed) return;
        const path = event.composedPath();
        if (guard.outcome !== "missed" && guard.allowed.some((element) => path.includes(element))) {
          if (type === "click") guard.outcome = "landed";
        } else {
          guard.outcome = "missed";
          event.preventDefault();
          event.stopImmediatePropagation();
        }
        if (type === "click") guard.allowed = undefined;
      },
      { capture: true, passive: false },
    );
}

/** Keeps what the page complains about, across its pages. */
function keepComplaints(): void {
  const keep = (complaint: string) => {
    try {
      const kept = JSON.parse(sessionStorage.getItem("complaints") ?? "[]") as string[];
      sessionStorage.setItem("complaints", JSON.stringify([...kept, complaint]));
    } catch {
      // A page without storage.
    }
  };
  addEventListener("error", ({ message }) => message && keep(message));
  addEventListener("unhandledrejection", ({ reason }) => keep(`rejected: ${reason}`));
  addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    keep(`policy: ${violatedDirective} ${blockedURI}`),
  );
  const { error } = console;
  console.error = (...words) => {
    keep(words.map((word) => (word instanceof Error ? `${word.name}: ${word.message}` : String(word))).join(" "));
    error.apply(console, words);
  };
}

function takeOutcome(): PressGuard["outcome"] {
  const guard = (window as unknown as { pressGuard: PressGuard }).pressGuard;
  guard.allowed = undefined;
  return guard.outcome;
}

const LIBRARY = readFileSync(
  new URL("../../../node_modules/@testing-library/dom/dist/@testing-library/dom.umd.min.js", import.meta.url),
  "utf8",
);

export interface TabOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly brand?: BrandId;
  readonly gps?: Gps;
  readonly script?: string;
}

export class Tab {
  readonly engine: EngineName;
  readonly driver: Driver;
  readonly proxy: SiteProxy;
  readonly origin: string;

  private constructor(engine: EngineName, driver: Driver, proxy: SiteProxy, origin: string) {
    this.engine = engine;
    this.driver = driver;
    this.proxy = proxy;
    this.origin = origin;
  }

  static async open(
    site: TestSite,
    engine: Engine,
    { viewport = PHONE, brand = "ember", gps = "denied", script = "" }: TabOptions = {},
  ): Promise<Tab> {
    const proxy = await startProxy(site.port);
    const origin = `http://${getBrand(brand).id}.localhost:${proxy.port}`;
    const scripts = `${LIBRARY};\n(${keepComplaints})();\n(${guardPresses})();\n${script}`;
    const driver = await engine.open({ ...viewport, origin, gps, script: scripts }).catch(async (error) => {
      await proxy.close();
      throw error;
    });
    return new Tab(engine.name, driver, proxy, origin);
  }

  /** Creates a member and logs the window in, as the page does. */
  async logIn(site: TestSite, name: string): Promise<BrowserMember> {
    const member = await makeMember(site, { name, password: true });
    await this.logInAs(member.email);
    return member;
  }

  async logInAs(username: string): Promise<void> {
    await this.goto("/aboutus");
    const status = await this.driver.evaluate(
      async (name, password) => {
        const headers = { "content-type": "application/json" };
        const body = JSON.stringify({ username: name, password, remember: true });
        return (await fetch("/api/auth", { method: "POST", headers, body })).status;
      },
      username,
      PASSWORD,
    );
    if (status !== 200) throw new Error(`the login was answered with ${status}`);
  }

  goto(path: string): Promise<void> {
    return this.driver.goto(path.startsWith("http") ? path : this.origin + path);
  }

  /** Waits until an element shows, and returns its text. */
  async see(target: Target): Promise<string> {
    const { text } = await this.#wait(target, false, ({ count }) => count > 0);
    return text ?? "";
  }

  async gone(target: Target): Promise<void> {
    await this.#wait(target, false, ({ count }) => count === 0);
  }

  async isShown(target: Target): Promise<boolean> {
    return (await this.driver.evaluate(look, pack(target), false)).count > 0;
  }

  async press(target: Target): Promise<void> {
    const pressOnce = async () => {
      await this.driver.press(await this.find(target));
      // A press that opens another page leaves none to ask.
      return (await this.driver.evaluate(takeOutcome).catch(() => undefined)) !== "missed";
    };
    await this.until(`a press on ${describe(target)}`, pressOnce);
  }

  async drag(from: Point, to: Point): Promise<void> {
    await this.driver.evaluate(takeOutcome);
    await this.driver.drag(from, to);
  }

  /** Waits until an element can be pressed, scrolls it into view, and returns its middle. */
  async find(target: Target): Promise<Point> {
    const before = await this.#wait(target, true, ({ point }) => point !== undefined);
    // What still moves is somewhere else a moment later.
    let point = before.point!;
    const { point: after } = await this.#wait(target, true, (seen) => {
      const isStill = seen.point?.x === point.x && seen.point?.y === point.y;
      point = seen.point ?? point;
      return isStill;
    });
    return after!;
  }

  async boxOf(target: Target): Promise<NonNullable<Look["box"]>> {
    return (await this.#wait(target, false, ({ count }) => count > 0)).box!;
  }

  /** Replaces what a field holds by typing. */
  async fill(target: Target, value: string): Promise<void> {
    await this.press(target);
    await this.until(`the focus in ${describe(target)}`, () =>
      this.driver.evaluate(() => {
        const field = document.activeElement;
        if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return false;
        field.select();
        return true;
      }),
    );
    await this.driver.type(value);
  }

  /** Chooses an option of a list, whose own window no driver can press. */
  async select(target: Target, option: string): Promise<void> {
    await this.find(target);
    await this.driver.evaluate(look, pack(target), true, option);
  }

  /** Repeats a question until its answer is yes. */
  async until(what: string, ask: () => Promise<boolean>, limit = WAIT_MS): Promise<void> {
    const deadline = Date.now() + limit;
    while (!(await ask())) {
      if (Date.now() > deadline) throw await this.#failure(`waited in vain for ${what}`);
      await new Promise((resolve) => setTimeout(resolve, STEP_BETWEEN_LOOKS_MS));
    }
  }

  async at(path: RegExp): Promise<void> {
    // A page that is being left answers nothing.
    await this.until(`the address ${path}`, async () => path.test(await this.path().catch(() => "")));
  }

  path(): Promise<string> {
    return this.driver.evaluate(() => location.pathname + location.search + location.hash);
  }

  async back(): Promise<void> {
    await this.driver.evaluate(() => history.back());
  }

  /** What the page complained about so far. */
  complaints(): Promise<string[]> {
    return this.driver.evaluate(() => JSON.parse(sessionStorage.getItem("complaints") ?? "[]") as string[]);
  }

  async close(): Promise<void> {
    await this.driver.close();
    await this.proxy.close();
  }

  async #wait(target: Target, wantsPress: boolean, isDone: (seen: Look) => boolean): Promise<Look> {
    let seen: Look = { count: 0 };
    const deadline = Date.now() + WAIT_MS;
    while (Date.now() < deadline) {
      // A page that is being left answers nothing.
      seen = await this.driver.evaluate(look, pack(target), wantsPress).catch((error: Error) => {
        if (error.name === "DriverHung") throw error;
        return { count: -1, obstacle: error.message };
      });
      if (isDone(seen)) return seen;
      await new Promise((resolve) => setTimeout(resolve, STEP_BETWEEN_LOOKS_MS));
    }
    throw await this.#failure(`${describe(target)}: ${seen.count} shown, ${seen.obstacle ?? ""}`);
  }

  async #failure(what: string): Promise<Error> {
    const shown = await this.driver
      .evaluate(() => `${location.href}\n${document.body?.innerText.slice(0, 1500)}`)
      .catch((error: Error) => error.message);
    const complaints = await this.complaints().catch(() => []);
    const asked = this.proxy.requests.slice(-LAST_REQUESTS);
    return new Error([`${this.engine}: ${what}`, shown, ...complaints, ...asked].join("\n"));
  }
}

const describe = (target: Target): string =>
  JSON.stringify(target, (_key, value) => (value instanceof RegExp ? String(value) : (value as unknown)));
