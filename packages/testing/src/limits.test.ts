import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { OWN_LIMITS, SHARED_LIMITS } from "./limits.ts";
import { ROOT } from "./site.ts";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
/** Limits that count; those of a length, size or time concern one thing. */
const COUNTING = /^export const (\w+_(?:MAX|NORMAL|SHARE|RESERVE|PER_STEP|PER_DAY))\b/gm;

it("says of each limit whose it is", () => {
  const limits = [...read("packages/contract/src/limits.ts").matchAll(COUNTING)].map(([, name]) => name!);
  const bindings = [
    ...new Set([...read("wrangler.toml").matchAll(/^name = "(\w+_RATE_LIMIT)"/gm)].map(([, name]) => name!)),
  ];
  const shared = SHARED_LIMITS.flatMap(({ names }) => names);
  expect([...OWN_LIMITS, ...shared].toSorted()).toEqual([...limits, ...bindings].toSorted());
});

/** Names of limits in calls that count for a network, or for no member. */
const SHARED_CALL = /(?:limitNetwork|limitNetworkByWork|isNetworkWithinLimit)\(\s*ctx,\s*["`]([\w-]+)/g;

it("knows every limit by network", () => {
  const root = join(ROOT, "apps/worker/src");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  );
  const names = files.flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(SHARED_CALL)].map(([, name]) => name!),
  );
  expect([...new Set(names)].toSorted()).toEqual([
    "age-ip",
    "contact",
    "link-ip",
    "login-digits-ip",
    "login-ip",
    "passkey-ip",
    "safe-meet",
    "unlock-ip",
  ]);
});

it.each(SHARED_LIMITS)("attacks $names", ({ attack: [file, name] }) => {
  expect(read(`apps/worker/src/${file}`)).toContain(name);
});
