import { readFileSync } from "node:fs";
import { NOTIFICATION_KINDS, type NotificationKind, notificationRules } from "@lambda/contract/notification-kinds";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const ORIGIN = "https://ember.test";
const SOURCE = readFileSync(new URL("../public/sw.js", import.meta.url), "utf8");

const toUrl = (request: Request | string) => new URL(typeof request === "string" ? request : request.url, ORIGIN).href;
const page = (...files: string[]) =>
  new Response(files.map((file) => `<script src="${file}"></script>`).join(""), {
    headers: { "content-type": "text/html; charset=utf-8" },
  });
const script = () => new Response("export {};", { headers: { "content-type": "text/javascript" } });

/** The browser's CacheStorage with a single cache in insertion order. */
class FakeCacheStorage {
  readonly entries = new Map<string, Response>();
  isBroken = false;
  async match(request: Request | string) {
    if (this.isBroken) throw new DOMException("no storage", "UnknownError");
    return this.entries.get(toUrl(request))?.clone();
  }
  async put(request: Request | string, response: Response) {
    if (this.isBroken) throw new DOMException("the disk is full", "QuotaExceededError");
    this.entries.set(toUrl(request), response);
  }
  async delete(request: Request | string) {
    return this.entries.delete(toUrl(request));
  }
  async keys() {
    return [...this.entries.keys()].map((url) => new Request(url));
  }
  async open() {
    return this;
  }
}

const storage = new FakeCacheStorage();
const network = new Map<string, () => Response | Promise<Response>>();
const never = () => new Promise<never>(() => {});
let listeners: Record<string, (event: object) => void>;
const shown: { title: string; options: NotificationOptions }[] = [];
/** What the lock screen still shows. */
const onScreen = new Map<string, NotificationOptions>();
const skipped = vi.fn();
const claimed = vi.fn();
let windows: () => Promise<object[]>;
const opened: string[] = [];

/** Calls that are no reading. */
const sent: unknown[][] = [];
const subscription = (name: string) => ({
  toJSON: () => ({ endpoint: `https://push.test/${name}`, keys: { auth: "a", p256dh: "p" } }),
});

beforeEach(() => {
  sent.length = 0;
  shown.length = 0;
  opened.length = 0;
  onScreen.clear();
  windows = async () => [];
  storage.entries.clear();
  storage.isBroken = false;
  network.clear();
  listeners = {};
  const self = {
    location: new URL(ORIGIN),
    navigator: { language: "en-US" },
    skipWaiting: () => skipped(),
    clients: {
      matchAll: () => windows(),
      claim: () => claimed(),
      openWindow: async (url: string) => void opened.push(`new ${url.slice(ORIGIN.length)}`),
    },
    registration: {
      showNotification: async (title: string, options: NotificationOptions) => {
        shown.push({ title, options });
        onScreen.set(options.tag ?? "", options);
      },
      pushManager: { subscribe: async () => subscription("made") },
      getNotifications: async () =>
        [...onScreen.values()].map((options) => ({ ...options, close: () => onScreen.delete(options.tag ?? "") })),
    },
    addEventListener: (name: string, listener: (event: object) => void) => {
      listeners[name] = listener;
    },
  };
  const fetchFrom = async (request: Request | string, { method, body }: RequestInit = {}) => {
    if (method) sent.push([method, toUrl(request).slice(ORIGIN.length), ...(body ? [JSON.parse(String(body))] : [])]);
    const respond = network.get(new URL(toUrl(request)).pathname);
    if (!respond) throw new TypeError("Failed to fetch");
    return respond();
  };
  new Function("self", "caches", "fetch", SOURCE)(self, storage, fetchFrom);
});

/** Requests a path through the service worker; resolves after all its background work is done. */
async function open(path: string, mode: "navigate" | "cors" = "cors"): Promise<Response> {
  const work: Promise<unknown>[] = [];
  let response: Promise<Response> | undefined;
  listeners.fetch?.({
    request: { url: ORIGIN + path, method: "GET", mode },
    respondWith: (promise: Promise<Response>) => {
      response = promise;
    },
    waitUntil: (promise: Promise<unknown>) => work.push(promise),
  });
  const received = await response;
  await Promise.all(work);
  if (!received) throw new Error(`the service worker did not handle ${path}`);
  return received;
}

async function tell(name: string, event: object = {}): Promise<unknown> {
  const work: Promise<unknown>[] = [];
  listeners[name]?.({ ...event, waitUntil: (promise: Promise<unknown>) => work.push(promise) });
  return Promise.all(work);
}
const install = () => tell("install");

describe("the service worker", () => {
  it("serves files and documents even when the cache cannot be read or written", async () => {
    storage.isBroken = true;
    network.set("/assets/a.js", script).set("/", () => page("/assets/a.js"));
    expect(await (await open("/assets/a.js")).text()).toBe("export {};");
    expect((await open("/", "navigate")).status).toBe(200);
  });

  it("caches files, but no HTML page, error or partial response under a file's name", async () => {
    network.set("/assets/a.js", script).set("/assets/gone.js", () => page());
    network.set("/assets/error.js", () => new Response("", { status: 404 }));
    network.set("/assets/part.js", () => new Response("exp", { status: 206 }));
    for (const path of ["/assets/a.js", "/assets/gone.js", "/assets/error.js", "/assets/part.js"]) await open(path);
    expect([...storage.entries.keys()]).toEqual([`${ORIGIN}/assets/a.js`]);
    network.clear();
    expect((await open("/assets/a.js")).status).toBe(200);
  });

  it("caches a document only together with all its files", async () => {
    network.set("/", () => page("/assets/a.js")).set("/assets/a.js", script);
    await open("/", "navigate");
    network.set("/", () => page("/assets/b.js", "/assets/c.js")).set("/assets/b.js", script);
    network.set("/assets/c.js", () => page());
    await open("/", "navigate");
    network.clear();
    expect(await (await open("/map", "navigate")).text()).toContain("/assets/a.js");
    network.set("/", () => page("/assets/b.js", "/assets/c.js")).set("/assets/c.js", script);
    await open("/", "navigate");
    network.clear();
    expect(await (await open("/map", "navigate")).text()).toContain("/assets/c.js");
    expect((await open("/assets/b.js")).status).toBe(200);
    expect((await open("/assets/c.js")).status).toBe(200);
  });

  it("keeps what it has when something else answers in place of the site", async () => {
    network.set("/", () => page("/assets/a.js")).set("/assets/a.js", script);
    network.set("/notepad", () => new Response("My notes", { headers: { "content-type": "text/html" } }));
    await install();
    const portal = () => new Response("<h1>Welcome</h1>", { headers: { "content-type": "text/html" } });
    network.set("/", portal).set("/notepad", () => Response.json({ status: "portal" }));
    await install();
    expect(await (await open("/", "navigate")).text()).toContain("Welcome");
    network.clear();
    expect(await (await open("/", "navigate")).text()).toContain("/assets/a.js");
    expect(await (await open("/notepad", "navigate")).text()).toBe("My notes");
  });

  it("leaves a friend's page of a plan, and others that are no screens, to the browser, which asks again", async () => {
    network.set("/", () => page("/assets/a.js")).set("/assets/a.js", script);
    await open("/", "navigate");
    network.clear();
    for (const path of ["/meet/xxxxxxxxxxxxxxxxxxxxxx", "/status", "/api/export", "/.well-known/change-password"])
      await expect(open(path, "navigate")).rejects.toThrow("did not handle");
    expect((await open("/meetings", "navigate")).status).toBe(200);
  });

  it("evicts the oldest files, but never those of the cached document", async () => {
    network.set("/", () => page("/assets/shell.js")).set("/assets/shell.js", script);
    await open("/", "navigate");
    for (let count = 0; count < 320; count += 1) {
      network.set(`/assets/${count}.js`, script);
      await open(`/assets/${count}.js`);
    }
    const cached = [...storage.entries.keys()].map((url) => new URL(url).pathname);
    expect(cached).toContain("/");
    expect(cached).toContain("/assets/shell.js");
    expect(cached).toContain("/assets/319.js");
    expect(cached).not.toContain("/assets/0.js");
    expect(cached.length).toBeLessThan(320);
  });

  it("installs even when the document cannot be cached, and caches it beside the next page that opens", async () => {
    await expect(install()).resolves.toBeDefined();
    network.set("/", () => page("/assets/a.js")).set("/assets/a.js", script);
    network.set("/search/tile", () => page("/assets/a.js"));
    await open("/search/tile", "navigate");
    network.clear();
    expect(await (await open("/likes", "navigate")).text()).toContain("/assets/a.js");
  });

  it.each([
    ["replaced", subscription("given"), "https://push.test/given"],
    ["dropped", undefined, "https://push.test/made"],
  ])("renews a subscription that the browser has %s", async (_, newSubscription, endpoint) => {
    const devices = [{ id: 4 }, { id: 7, thisDevice: true, endpoint: "https://push.test/old", deviceName: "My phone" }];
    network.set("/api/push-key", () => Response.json({ applicationServerKey: "key" }));
    network.set("/api/push-subscriptions", () => Response.json({ items: devices }));
    for (const path of ["/api/push-subscription", "/api/push-subscription/7"])
      network.set(path, () => Response.json({}));
    await tell("pushsubscriptionchange", { newSubscription });
    const draft = { deviceName: "My phone", endpoint, auth_base64: "a", p256dh_base64: "p" };
    expect(sent).toEqual([
      ["POST", "/api/push-subscription", draft],
      ["DELETE", "/api/push-subscription/7"],
    ]);
    sent.length = 0;
    network.set("/api/push-subscriptions", () => Response.json({ items: [{ id: 4 }] }));
    await tell("pushsubscriptionchange", { newSubscription });
    network.clear();
    await tell("pushsubscriptionchange", { newSubscription });
    expect(sent).toEqual([]);
  });

  describe("on a line that accepts a request and never answers", () => {
    beforeEach(() => {
      vi.useFakeTimers();
      skipped.mockClear();
      claimed.mockClear();
    });
    afterEach(() => vi.useRealTimers());
    const settle = async (event: "install" | "activate") => {
      const work: Promise<unknown>[] = [];
      listeners[event]?.({ waitUntil: (promise: Promise<unknown>) => work.push(promise) });
      await vi.advanceTimersByTimeAsync(120_000);
      await Promise.all(work);
    };

    it("installs, because pushes arrive all the same, and takes over from an older one", async () => {
      network.set("/", never).set("/notepad", never);
      await settle("install");
      expect(skipped).toHaveBeenCalledOnce();
      vi.spyOn(storage, "keys").mockImplementation(never);
      await settle("activate");
      vi.restoreAllMocks();
      expect(claimed).toHaveBeenCalledOnce();
    });

    it("installs when a file of the shell never comes", async () => {
      network.set("/", () => page("/assets/a.js")).set("/assets/a.js", never);
      await settle("install");
      expect(skipped).toHaveBeenCalledOnce();
      expect([...storage.entries.keys()]).toEqual([]);
    });

    it("fails a request for a file that nothing in the cache can answer, and says so instead of a page", async () => {
      network.set("/assets/a.js", never).set("/search/tile", never);
      const failed = expect(open("/assets/a.js")).rejects.toThrow("no answer");
      const shown = open("/search/tile", "navigate");
      await vi.advanceTimersByTimeAsync(60_000);
      await failed;
      expect(await (await shown).text()).toContain("You're offline. Check your connection and try again.");
    });
  });

  const push = (json: () => unknown) => tell("push", { data: { json } });
  const MESSAGE = { kind: "message", title: "Ember", body: "You have a new message", url: "/chat/personal" };

  it.each<[string, boolean, () => unknown, () => Promise<{ visibilityState: string }[]>]>([
    ["loudly without a window", false, () => MESSAGE, async () => []],
    ["loudly behind a hidden window", false, () => MESSAGE, async () => [{ visibilityState: "hidden" }]],
    ["quietly beside a visible window", true, () => MESSAGE, async () => [{ visibilityState: "visible" }]],
    ["even if it cannot be read", false, () => JSON.parse("{"), async () => []],
    ["even if the browser does not know its windows", false, () => MESSAGE, () => Promise.reject(new Error("no"))],
  ])("shows each push, %s", async (_, silent, json, listWindows) => {
    windows = listWindows;
    for (let count = 0; count < 3; count += 1) await push(json);
    expect(shown).toHaveLength(3);
    expect(shown.every(({ options }) => options.silent === silent && options.tag)).toBe(true);
  });

  it.each([false, true])(
    "hears alarms beside a visible page, and replaces them by no other kind (disguise: %s)",
    async (disguised) => {
      if (disguised) await storage.put("/face.json", Response.json({ title: "Notes", body: "Something new" }));
      windows = async () => [{ visibilityState: "visible" }];
      const kinds = Object.keys(NOTIFICATION_KINDS) as NotificationKind[];
      for (const kind of [...kinds, ...kinds.toReversed()]) {
        const { alarm } = notificationRules(kind);
        await push(() => ({ ...MESSAGE, kind, ...(alarm && { alarm }) }));
        expect([kind, shown.at(-1)?.options]).toMatchObject([
          kind,
          { silent: !alarm, renotify: alarm, requireInteraction: alarm, ...(disguised && { body: "Something new" }) },
        ]);
      }
      await push(() => ({ ...MESSAGE, gone: true }));
      const left = [...onScreen.values()].map(({ data }) => data.kind);
      expect(left).toEqual(expect.arrayContaining(kinds.filter((kind) => notificationRules(kind).alarm)));
      expect(new Set(left).size).toBe(left.length);
    },
  );

  describe("on a disk that may hold a disguise", () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => {
      vi.useRealTimers();
      vi.restoreAllMocks();
    });

    it.each<[string, () => unknown]>([
      ["cannot be read", () => Object.assign(storage, { isBroken: true })],
      ["never answers", () => vi.spyOn(storage, "match").mockImplementation(never)],
      ["is damaged", () => storage.put("/face.json", new Response("{"))],
      ["holds none", () => undefined],
    ])("names the site only if it holds none: one that %s", async (disk, damage) => {
      const icon = "/icons/ember-192.png";
      await damage();
      for (const alarm of [false, true]) {
        const pushed = push(() => ({ ...MESSAGE, icon, ...(alarm && { kind: "security", alarm }) }));
        await vi.advanceTimersByTimeAsync(10_000);
        await pushed;
      }
      const notes = { title: "Notes", options: { body: "You have a reminder", icon: "/icons/notes-192.png" } };
      const expected = disk === "holds none" ? { title: "Ember", options: { body: MESSAGE.body, icon } } : notes;
      expect(shown).toMatchObject([expected, expected]);
    });
  });

  const postMessage = ({ path }: { path: string }, [port]: [MessagePort]) => {
    opened.push(`same ${path}`);
    port.postMessage(true);
  };
  const focus = async () => undefined;
  const url = `${ORIGIN}/chat/personal?with=7`;
  it.each<[string, string, object[]]>([
    ["in a new window without another", "new", []],
    ["in the window that is open", "same", [{ url, focus, postMessage }]],
    ["beside a friend's page of a plan", "same", [{ url: `${ORIGIN}/meet/a` }, { url, focus, postMessage }]],
    ["if there is only such a page", "new", [{ url: `${ORIGIN}/meet/a` }]],
    ["if the browser refuses the focus", "new", [{ url, focus: () => Promise.reject(new Error("no")), postMessage }]],
    ["if the window is frozen", "new", [{ url, focus: never, postMessage }]],
    ["if it does not answer, as under a lock", "new", [{ url, focus, postMessage: () => undefined }]],
  ])("opens what a notification is about, %s", async (_, where, list) => {
    windows = async () => list;
    await tell("notificationclick", { notification: { close: () => undefined, data: { url: "/chat/personal" } } });
    expect(opened).toEqual([`${where} /chat/personal`]);
  });

  it.each([false, true])(
    "takes away news that are gone, and no others, but shows something quietly (disguise: %s)",
    async (disguised) => {
      if (disguised) await storage.put("/face.json", Response.json({ title: "Notes", body: "Something new" }));
      await push(() => ({ ...MESSAGE, kind: "like" }));
      await push(() => ({ ...MESSAGE, kind: "match", gone: true }));
      expect([...onScreen.values()].map(({ data }) => data.kind)).toEqual(["like"]);
      await push(() => MESSAGE);
      await push(() => ({ ...MESSAGE, gone: true }));
      expect(shown).toHaveLength(4);
      expect(shown.at(-1)?.options.silent).toBe(true);
      expect([...onScreen.values()].map(({ data }) => data.kind)).toEqual(disguised ? [] : ["like"]);
    },
  );
});

it("the worker of a plan shows each alarm aloud, and opens the page, whatever the browser says of its windows", async () => {
  const alarms: unknown[] = [];
  let windows = (): Promise<object[]> => new Promise(() => {});
  const heard: Record<string, (event: object) => void> = {};
  const self = {
    clients: { matchAll: () => windows(), openWindow: async (url: string) => void alarms.push(url) },
    registration: {
      scope: "/meet/plan",
      showNotification: async (title: string, options: object) => void alarms.push({ title, ...options }),
    },
    addEventListener: (name: string, listener: (event: object) => void) => {
      heard[name] = listener;
    },
  };
  new Function("self", readFileSync(new URL("../public/meet/wake.js", import.meta.url), "utf8"))(self);
  heard.push?.({ data: { json: () => ({ title: "He has not answered" }) }, waitUntil: () => {} });
  await expect.poll(() => alarms).toMatchObject([{ title: "He has not answered", tag: "plan", renotify: true }]);
  windows = async () => [{ focus: () => Promise.reject(new Error("no")) }];
  heard.notificationclick?.({ notification: { close: () => {} }, waitUntil: () => {} });
  await expect.poll(() => alarms.at(-1)).toBe("/meet/plan");
});
