import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";

const ORIGIN = "https://ember.test";
const SOURCE = readFileSync(new URL("../public/sw.js", import.meta.url), "utf8");

const addressOf = (request: Request | string) =>
  new URL(typeof request === "string" ? request : request.url, ORIGIN).href;
const page = (...files: string[]) =>
  new Response(files.map((file) => `<script src="${file}"></script>`).join(""), {
    headers: { "content-type": "text/html; charset=utf-8" },
  });
const script = () => new Response("export {};", { headers: { "content-type": "text/javascript" } });

/** A browser's storage, with one cache, in the order of what came first. */
class Storage {
  readonly kept = new Map<string, Response>();
  isBroken = false;
  async match(request: Request | string) {
    if (this.isBroken) throw new DOMException("no storage", "UnknownError");
    return this.kept.get(addressOf(request))?.clone();
  }
  async put(request: Request | string, answer: Response) {
    if (this.isBroken) throw new DOMException("the disk is full", "QuotaExceededError");
    this.kept.set(addressOf(request), answer);
  }
  async delete(request: Request | string) {
    return this.kept.delete(addressOf(request));
  }
  async keys() {
    return [...this.kept.keys()].map((url) => new Request(url));
  }
  async open() {
    return this;
  }
}

const storage = new Storage();
const network = new Map<string, () => Response>();
let listeners: Record<string, (event: object) => void>;

beforeEach(() => {
  storage.kept.clear();
  storage.isBroken = false;
  network.clear();
  listeners = {};
  const self = {
    location: new URL(ORIGIN),
    skipWaiting: () => {},
    addEventListener: (name: string, listener: (event: object) => void) => {
      listeners[name] = listener;
    },
  };
  const fetchFrom = async (request: Request | string) => {
    const answer = network.get(new URL(addressOf(request)).pathname);
    if (!answer) throw new TypeError("Failed to fetch");
    return answer();
  };
  new Function("self", "caches", "fetch", SOURCE)(self, storage, fetchFrom);
});

/** What the page gets, once all work behind it is done. */
async function open(path: string, mode: "navigate" | "cors" = "cors"): Promise<Response> {
  const work: Promise<unknown>[] = [];
  let answer: Promise<Response> | undefined;
  listeners.fetch?.({
    request: { url: ORIGIN + path, method: "GET", mode },
    respondWith: (given: Promise<Response>) => {
      answer = given;
    },
    waitUntil: (given: Promise<unknown>) => work.push(given),
  });
  const got = await answer;
  await Promise.all(work);
  if (!got) throw new Error(`${path} was left to the browser`);
  return got;
}

describe("the service worker", () => {
  it("answers files and documents although nothing can be kept or read", async () => {
    storage.isBroken = true;
    network.set("/assets/a.js", script).set("/", () => page("/assets/a.js"));
    expect(await (await open("/assets/a.js")).text()).toBe("export {};");
    expect((await open("/", "navigate")).status).toBe(200);
  });

  it("keeps a file, and no page, error or part under a file's name", async () => {
    network.set("/assets/a.js", script).set("/assets/gone.js", () => page());
    network.set("/assets/error.js", () => new Response("", { status: 404 }));
    network.set("/assets/part.js", () => new Response("exp", { status: 206 }));
    for (const path of ["/assets/a.js", "/assets/gone.js", "/assets/error.js", "/assets/part.js"]) await open(path);
    expect([...storage.kept.keys()]).toEqual([`${ORIGIN}/assets/a.js`]);
    network.clear();
    expect((await open("/assets/a.js")).status).toBe(200);
  });

  it("keeps a document only together with all its files", async () => {
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

  it("drops the oldest files, but never those of the kept document", async () => {
    network.set("/", () => page("/assets/shell.js")).set("/assets/shell.js", script);
    await open("/", "navigate");
    for (let count = 0; count < 320; count += 1) {
      network.set(`/assets/${count}.js`, script);
      await open(`/assets/${count}.js`);
    }
    const kept = [...storage.kept.keys()].map((url) => new URL(url).pathname);
    expect(kept).toContain("/");
    expect(kept).toContain("/assets/shell.js");
    expect(kept).toContain("/assets/319.js");
    expect(kept).not.toContain("/assets/0.js");
    expect(kept.length).toBeLessThan(320);
  });

  it("is installed although its document cannot be kept", async () => {
    const work: Promise<unknown>[] = [];
    listeners.install?.({ waitUntil: (given: Promise<unknown>) => work.push(given) });
    await expect(Promise.all(work)).resolves.toBeDefined();
  });
});
