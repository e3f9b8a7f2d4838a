/** The register of all that this site stores on a device: whose it is, and what therefore ends it. */
import { globSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { clearAllLocalData, clearLeftoverData, clearMemberData, onClearLocalData } from "./clear-local-data.ts";

type Owner = "device" | "friend" | "member";

/** Local storage. Whatever is the member's is encrypted, and goes with the session. */
const LOCAL: Readonly<Record<string, Owner>> = {
  banner_hidden: "device",
  clock: "device",
  disguise: "device",
  invited_area: "device",
  locale: "device",
  lock: "device",
  login_ticket: "device",
  show_nsfw: "device",
  theme: "device",
  units: "device",
  "meet:": "friend",
  first_hints: "member",
  geo: "member",
  geo_account: "member",
  geo_precision: "member",
  hide_explained: "member",
  hide_wish: "member",
  lastLocation: "member",
  map_hint_closed: "member",
  map_still: "member",
  map_visits: "member",
  mapViewState: "member",
  places: "member",
  plan: "member",
  push_device: "member",
  "query-cache": "member",
  "search-filters": "member",
  session: "member",
  stay_opened: "member",
  tile_size: "member",
  welcome_step: "member",
};

/** Everything else, by the file and the text of the call that stores it. */
const OTHER: Readonly<Record<string, string>> = {
  "../public/sw.js caches.open(CACHE": "device: files of the build",
  "../public/sw.js caches.open(DISGUISE_CACHE": "device",
  "format/apply-disguise.ts caches.open(DISGUISE_CACHE": "device",
  "api/persisted-cache.ts textStorage(PERSISTED_CACHE).setItem(PERSISTED_CACHE": "query-cache",
  "device/cookies.ts document.cookie =": "member: the unlocked secret; a logout and an erasure expire all",
  "device/device-storage.ts textStorage(key.name).setItem(key.name": "each deviceKey",
  "device/member-store.ts localStorage.setItem(name": "each member's name",
  "device/member-store.ts createStore(database": "databases.ts, which is the register of databases",
  "device/quick-exit.ts sessionStorage[key] =": "device: times of taps, for seconds",
  "device/quick-exit.ts sessionStorage.setItem(LEAVING_KEY": "device: for seconds",
  "device/server-clock.ts localStorage.setItem(STORAGE_NAME": "clock",
  "features/messaging/meets/friend/stored-link.ts storage?.setItem(name": "meet:",
  "routing/load-chunk.ts sessionStorage.setItem(RELOADED_BUILD_KEY": "device: a build",
  "routing/navigation.ts sessionStorage.setItem(RETURN_PATH_KEY":
    "member: a path, for the same account only; a logout clears it",
};

const ROOT = new URL("../", import.meta.url).pathname;
const SOURCES = globSync(["**/*.{ts,tsx}", "../public/**/*.js"], { cwd: ROOT })
  .filter((path) => !path.includes(".test."))
  .map((path) => ({ path, text: readFileSync(ROOT + path, "utf8") }));
const WRITES =
  /(?:localStorage|sessionStorage|storage\??|textStorage\([\w.]+\))\.setItem\([\w.]+|sessionStorage\[\w+\] =|caches\.open\(\w+|createStore\(database|document\.cookie =/g;

it("names whatever is stored, with its owner", () => {
  const keys = SOURCES.flatMap(({ text }) => [...text.matchAll(/= deviceKey(?:<[^(]*>)?\(\s*("[^"]+"|\w+)/g)]);
  const names = keys.map(([, name = ""]) => (name === "GATE" ? "lock" : name.replaceAll('"', "")));
  expect([...new Set([...names, "clock", "meet:", "query-cache"])].sort()).toEqual(Object.keys(LOCAL).sort());
  const writes = SOURCES.flatMap(({ path, text }) => (text.match(WRITES) ?? []).map((call) => `${path} ${call}`));
  expect([...new Set(writes)].sort()).toEqual(Object.keys(OTHER).sort());
});

/** Its entries are its own properties, as the browser's are. */
class FakeStorage {
  readonly [name: string]: unknown;
  static fill(names: readonly string[]): FakeStorage {
    return Object.assign(new FakeStorage(), Object.fromEntries(names.map((name) => [name, "1"])));
  }
  getItem(name: string) {
    return this[name] ?? null;
  }
  removeItem(name: string) {
    delete (this as Record<string, unknown>)[name];
  }
}

const stored = Object.keys(LOCAL).map((name) => name.replace(/:$/, ":1"));
const namesOf = (...owners: Owner[]) => stored.filter((name) => owners.includes(LOCAL[name.replace("1", "")] as Owner));

beforeEach(() => {
  vi.stubGlobal("localStorage", FakeStorage.fill(stored));
  vi.stubGlobal("sessionStorage", FakeStorage.fill(["meet:1", "return_path"]));
  vi.stubGlobal("document", { cookie: "" });
  vi.stubGlobal("location", { protocol: "https:" });
  vi.stubGlobal("indexedDB", { open: () => ({}) });
});
afterEach(() => vi.unstubAllGlobals());

it.each([
  { end: "a visit after a session that ended elsewhere", clear: clearLeftoverData, kept: namesOf("device", "friend") },
  { end: "the end of a session", clear: clearMemberData, kept: namesOf("device", "friend") },
  { end: "a logout", clear: clearAllLocalData, kept: ["disguise", "meet:1"], session: ["meet:1"] },
])("clears at $end what is the member's, and never a friend's link", ({ clear, kept, session }) => {
  void clear();
  expect(Object.keys(localStorage)).toEqual(kept);
  expect(Object.keys(sessionStorage)).toEqual(session ?? ["meet:1", "return_path"]);
});

it("finds nothing left over with a visitor who keeps a friend's link", () => {
  vi.stubGlobal("localStorage", FakeStorage.fill(["meet:1", "theme"]));
  const cleared = vi.fn();
  onClearLocalData(cleared);
  clearLeftoverData();
  expect(cleared).not.toHaveBeenCalled();
  expect(Object.keys(localStorage)).toEqual(["meet:1", "theme"]);
});
