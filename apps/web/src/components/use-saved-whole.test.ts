import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { QueryClient } from "@tanstack/react-query";
import { beforeEach, expect, it } from "vitest";
import { saveWhole, shownWhole } from "./use-saved-whole.ts";

const KEY = ["tags"];
let client: QueryClient;
/** What the server has; each call is answered when a test says so. */
let stored: string[];
let calls: (() => Promise<void>)[];

beforeEach(() => {
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(KEY, ["old"]);
  stored = ["old"];
  calls = [];
});

const flush = () => new Promise((resolve) => setImmediate(resolve));
const shown = () => shownWhole(KEY, client.getQueryData<string[]>(KEY) ?? []);
const add = (tag: string) => (tags: string[]) => [...tags, tag];

/** Presses a tag; its call carries the whole list, which the server has once the call was answered. */
function press(tag: string, refuses = false): Promise<boolean> {
  const send = (known: string[]) => {
    const answer = Promise.withResolvers<string[]>();
    const sent = add(tag)(known);
    calls.push(async () => {
      if (refuses) answer.reject(new Error("refused"));
      else {
        stored = sent;
        answer.resolve(sent);
      }
      await flush();
    });
    return answer.promise;
  };
  return saveWhole(client, KEY, add(tag), send).catch(() => false);
}

/** Asks what the server has at this moment; the answer comes when the test says so. */
function refetch(): () => Promise<void> {
  const answer = Promise.withResolvers<string[]>();
  const then = [...stored];
  void client.fetchQuery({ queryKey: KEY, queryFn: () => answer.promise }).catch(() => undefined);
  return async () => {
    answer.resolve(then);
    await flush();
  };
}

it("shows what was pressed last, whatever is answered and refetched meanwhile, and saves all of it", async () => {
  const early = refetch();
  const saves = [press("one"), press("two")];
  await flush();
  expect(shown()).toEqual(["old", "one", "two"]);
  await early();
  expect(shown()).toEqual(["old", "one", "two"]);
  const between = refetch();
  await calls[0]?.();
  expect(shown()).toEqual(["old", "one", "two"]);
  await between();
  expect(shown()).toEqual(["old", "one", "two"]);
  const stale = refetch();
  await calls[1]?.();
  await stale();
  expect(shown()).toEqual(["old", "one", "two"]);
  expect(stored).toEqual(["old", "one", "two"]);
  expect(await Promise.all(saves)).toEqual([false, true]);
});

it("takes back only the press that was refused", async () => {
  const saves = [press("one", true), press("two")];
  await flush();
  await calls[0]?.();
  expect(shown()).toEqual(["old", "two"]);
  await calls[1]?.();
  expect([shown(), stored]).toEqual([
    ["old", "two"],
    ["old", "two"],
  ]);
  await Promise.all(saves);
});

it("is how each screen saves what it sends as a whole", () => {
  const src = fileURLToPath(import.meta.resolve("../"));
  const wholes =
    /(notes\.put|pictures\.arrange|health\.update|\b(messages|notifications)\.updatePreferences)\.(useM|m)utat/;
  const savers = globSync("**/*.{ts,tsx}", { cwd: src })
    .map((file) => ({ file, source: readFileSync(`${src}${file}`, "utf8") }))
    // An import asks once, and shows nothing that could be pressed again.
    .filter(({ file, source }) => wholes.test(source) && !file.startsWith("features/data-rights/import/"));
  expect(savers.length).toBeGreaterThan(4);
  expect(savers.filter(({ source }) => !source.includes("useSavedWhole"))).toEqual([]);
});
