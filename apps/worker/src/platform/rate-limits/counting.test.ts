import { BATCH_CALLS_MAX } from "@lambda/contract/limits";
import { describe, expect, it } from "vitest";
import { isFlood, recordSessionCheck } from "./flood.ts";
import { SeenMembers } from "./seen-members.ts";
import { weighRequest } from "./weigh.ts";

const weightOf = (path: string, method = "GET") =>
  weighRequest({ method, path: new URL(path, "https://ember.example").pathname });

describe("what a request counts for", () => {
  it.each([
    ["/api/profile/1", "GET", 1, 0],
    ["/api/profile-note", "PUT", 1, 1],
    ["/trpc/notes.put", "POST", 1, 1],
    [`/trpc/${Array(30).fill("profiles.get").join(",")}?batch=1`, "GET", 30, 0],
    [`/trpc/${Array(30).fill("profiles.get").join("%2C")}?batch=1`, "GET", 30, 0],
    [`/trpc/${Array(500).fill("notes.put").join(",")}?batch=1`, "POST", BATCH_CALLS_MAX, BATCH_CALLS_MAX],
    ["/api/profile-pic/7?scale_x=256", "GET", 0.25, 0],
    ["/api/profile-pic/7", "DELETE", 1, 1],
    ["/ws/area", "GET", 5, 0],
  ] as const)("%s %s", (path, method, weight, changes) => {
    expect(weightOf(path, method)).toMatchObject({ weight, changes });
  });
});

describe("distinct members", () => {
  it.each([1, 40, 250, 5000, 20_000])("are estimated within 3 percent, repeated ones counted once: %i", (count) => {
    const seen = new SeenMembers();
    for (let round = 0; round < 3; round += 1) for (let id = 1; id <= count; id += 1) seen.add(id);
    expect(Math.abs(seen.estimate - count)).toBeLessThanOrEqual(Math.max(2, count * 0.03));
  });

  it("of two counters are merged without counting anybody twice", () => {
    const [one, other] = [new SeenMembers(), new SeenMembers()];
    for (let id = 1; id <= 300; id += 1) one.add(id);
    for (let id = 200; id <= 500; id += 1) other.add(id);
    expect(Math.abs(one.merge(other.bits).estimate - 500)).toBeLessThanOrEqual(15);
  });
});

describe("the flood limit of a network", () => {
  const limiter = (max: number) => {
    let used = 0;
    const count = async () => {
      used += 1;
      return { success: used <= max };
    };
    return { IP_RATE_LIMIT: { limit: count } };
  };
  const request = (cookie?: string) =>
    new Request("https://ember.example/api/ping", cookie === undefined ? {} : { headers: { cookie } });

  it("counts each call of a batch, and every token that is not known to be valid", async () => {
    const env = limiter(60);
    expect(await isFlood(env, request(), "net", 30)).toBe(false);
    expect(await isFlood(env, request("__Host-session=guess1"), "net", 30)).toBe(false);
    recordSessionCheck(request("__Host-session=guess1"), false);
    expect(await isFlood(env, request("__Host-session=guess1"), "net", 1)).toBe(true);
  });

  it("ignores verified members until their session ends, however many share the network", async () => {
    const env = limiter(0);
    const member = request("__Host-session=of-a-member");
    recordSessionCheck(member, true);
    for (let requests = 0; requests < 100; requests += 1) expect(await isFlood(env, member, "net", 30)).toBe(false);
    recordSessionCheck(member, false);
    expect(await isFlood(env, member, "net", 1)).toBe(true);
  });
});
