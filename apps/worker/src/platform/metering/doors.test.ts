import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Billed, microdollarsOf } from "@lambda/contract/prices";
import { createMember, type TestMember, withQuotas } from "@lambda/testing/member";
import { quickHash } from "@lambda/testing/password";
import { startWorker } from "@lambda/testing/worker";
import { expect, it, vi } from "vitest";
import { DOOR_NAMES } from "./doors.ts";

const SRC = fileURLToPath(import.meta.resolve("../../"));
const sources = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
  .map((file) => ({ file, source: readFileSync(join(SRC, file), "utf8") }));
const filesWith = (pattern: RegExp) => sources.filter(({ source }) => pattern.test(source)).map(({ file }) => file);

it("is the only way to every binding, and to hashing", () => {
  const config = readFileSync(join(SRC, "../../../wrangler.toml"), "utf8").split("[env.")[0] ?? "";
  const bound = [...config.matchAll(/^(?:binding|name) = "([A-Z_0-9]+)"/gm)].map(([, name]) => name ?? "");
  expect(bound).toContain("RATE_LIMITER");
  expect(bound.filter((name) => !DOOR_NAMES.has(name) && !/^MESSAGES_\d+$/.test(name))).toEqual([]);
  // Each entry of the worker opens the doors, and hands on nothing else.
  expect(filesWith(/extends DurableObject\b/)).toEqual(["platform/metering/metered-object.ts"]);
  expect(filesWith(/\benv\b[^\n]*from "cloudflare:workers"/)).toEqual(["index.ts"]);
  const entries = /export default \{([\s\S]*)/.exec(readFileSync(join(SRC, "index.ts"), "utf8"))?.[1] ?? "";
  expect(entries.match(/\benv\b/g)).toHaveLength(6);
  expect(entries.match(/\bopenDoors\(env\)/g)).toHaveLength(3);
  expect(filesWith(/\b(scrypt|pbkdf2|argon2|bcrypt)(Sync)?\(/)).toEqual(["accounts/passwords.ts"]);
});

it("charges a member at least what the platform bills for what objects, buckets, queue, hashing and databases did", async () => {
  const worker = await startWorker();
  const password = "correct horse battery";
  const member = withQuotas(await createMember(worker, { passwordHash: quickHash(password), created: 1 }));
  const spent = async () =>
    (await (await worker.fetch(`http://ember.localhost/dev/spent.json?profileId=${member.id}`)).json()) as {
      total: Record<Billed, number>;
      charged: number;
    };
  /** What was used since the last time, once nothing more is: without the row that an object writes for each question. */
  const settled = async () => {
    let last = await spent();
    const sum = { ...last.total };
    const names = Object.keys(sum) as Billed[];
    for (let asked = 1, quiet = 0; quiet < 3; ) {
      const next = await spent();
      asked += 1;
      quiet = names.every((name) => next.total[name] === last.total[name]) ? quiet + 1 : 0;
      last = next;
      for (const name of names) sum[name] += next.total[name] - (quiet === 3 ? asked * next.total[name] : 0);
    }
    return { total: sum, charged: last.charged };
  };
  /** Paid otherwise: transformations by a budget of the site. */
  const billOf = (total: Record<Billed, number>) =>
    Object.entries(total)
      .filter(([name]) => name !== "transformations")
      .reduce((sum, [name, amount]) => sum + microdollarsOf(name as Billed, amount), 0);
  const calls: Record<string, (other: TestMember, index: number) => Promise<Response>> = {
    "a message": (other) =>
      member.send("POST", "/api/message", { recipientProfileId: other.id, bodyText: `Hi ${other.id}` }),
    "a like": (other) => member.send("PUT", "/api/profile-like", { likedProfileId: other.id, likeType: "LIKE" }),
    "an album": (other) => member.send("PUT", "/api/album-grant", { memberProfileId: other.id }),
    "a note": (other) =>
      member.send("PUT", "/api/profile-note", { aboutProfileId: other.id, bodyText: "tall", privateTags: [] }),
    "a report": (other) =>
      member.send("POST", "/api/report", { subjectProfileId: other.id, category: "spam", text: "Spam" }),
    "a guess of the password": () =>
      member.send("PUT", "/api/settings", { password: "a brand new secret", currentPassword: "a guess" }),
    "a search": () => member.fetch("/api/profile-briefs/nearest"),
    "a block": (other) => member.send("PUT", "/api/profile-like", { likedProfileId: other.id, blocked: true }),
  };
  /** What the calls of a kind cost, and what the member was charged for them; what was still under way from other tests may be among it. */
  const measure = async (name: string, call: (other: TestMember, index: number) => Promise<Response>) => {
    const others = await Promise.all(Array.from({ length: 8 }, () => createMember(worker)));
    await call(others[0]!, 0);
    const { charged: before } = await settled();
    for (const [index, other] of others.slice(1).entries())
      expect([name, (await call(other, index)).ok]).toEqual([name, name !== "a guess of the password"]);
    const { total } = await settled();
    // What a read costs is charged some time after its answer.
    const isEnough = async () => (await spent()).charged - before >= billOf(total);
    return { total, isEnough: await vi.waitUntil(isEnough, { timeout: 5_000 }).catch(() => false) };
  };
  for (const [name, call] of Object.entries(calls)) {
    const first = await measure(name, call);
    const { isEnough, total } = first.isEnough ? first : await measure(name, call);
    expect(isEnough, `${name}: ${JSON.stringify([first.total, total])}`).toBe(true);
  }
});
