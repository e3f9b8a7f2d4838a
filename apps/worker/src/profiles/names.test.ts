import { BRANDS } from "@lambda/brands";
import { createMember, type TestMember } from "@lambda/testing/member";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";
import { NIGHTLY } from "../schedule.ts";

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
});

const rename = (member: TestMember, profilename: string) => member.send("PUT", "/api/profile", { profilename });
const stored = (member: TestMember) =>
  worker.env.DB.prepare("select profile_name, name_skeleton, listed_on from profile where id = ?")
    .bind(member.id)
    .first<{ profile_name: string; name_skeleton: string | null; listed_on: number }>();

describe("a profile name", () => {
  it.each([
    ["\u200B", "is required"],
    ["\u2060\u3164", "is required"],
    ["\u2800", "characters that nobody sees"],
    ["\u{E0041}", "is required"],
    ["Marco\u202Enimda", "characters that nobody sees"],
    ["Marco\u0000", "characters that nobody sees"],
    ["Marco\nsays", "characters that nobody sees"],
    [`M${"\u0301".repeat(40)}`, "too many marks"],
    ["\u2713", "a letter or a digit"],
    ["Ember Team \u2713", "the site or of its staff"],
    ["\u0415mb\u0435r", "the site or of its staff"],
  ])("%j is rejected with the reason", async (name, why) => {
    const member = await createMember(worker, { name: "Before" });
    const response = await rename(member, name);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { code: "BAD_INPUT", field: "profilename", message: expect.stringContaining(why) },
    });
    expect((await stored(member))?.profile_name).toBe("Before");
  });

  it.each(BRANDS.map(({ name }) => name))("cannot be that of a brand's team: %s", async (name) => {
    expect((await rename(await createMember(worker), `${name} Team`)).status).toBe(400);
  });

  it("is stored in composed Unicode form and with single spaces", async () => {
    const member = await createMember(worker);
    expect((await rename(member, " Jose\u0301 \u00A0 Luis ")).status).toBe(200);
    expect((await stored(member))?.profile_name).toBe("José Luis");
  });

  it("may look like another member's, which staff see", async () => {
    const admin = await createMember(worker, { adminBrand: "ember" });
    const [first, twin, foreign] = [
      await createMember(worker),
      await createMember(worker),
      await createMember(worker, { brand: "harbor" }),
    ];
    expect((await rename(first, "Theodor")).status).toBe(200);
    // Cyrillic o twice, in another case.
    for (const member of [twin, foreign]) expect((await rename(member, "THE\u043ED\u043ER")).status).toBe(200);
    const fileOf = (id: number) =>
      admin.get<{ twinIds: number[]; claimsToBeStaff: boolean }>(`/api/admin/member/${id}`);
    expect(await fileOf(twin.id)).toMatchObject({ twinIds: [first.id], claimsToBeStaff: false });
    expect(await fileOf(first.id)).toMatchObject({ twinIds: [twin.id] });
    expect((await rename(twin, "Theodora")).status).toBe(200);
    expect(await fileOf(first.id)).toMatchObject({ twinIds: [] });
  });

  it("from before these rules is cleaned at night, and staff see names that claim to be staff", async () => {
    const admin = await createMember(worker, { adminBrand: "ember" });
    const [hidden, blank, posing, fine] = [
      await createMember(worker, { name: "Mar\u200Bco\u202E" }),
      await createMember(worker, { name: "\u3164" }),
      await createMember(worker, { name: "Ember Team \u2713" }),
      await createMember(worker, { name: "Émile" }),
    ];
    await worker.runCron(NIGHTLY);
    expect(await stored(hidden)).toEqual({ profile_name: "Marco", name_skeleton: "marco", listed_on: 1 });
    expect(await stored(blank)).toMatchObject({ profile_name: "", listed_on: 0 });
    expect(await stored(fine)).toMatchObject({ profile_name: "Émile", name_skeleton: "emiie" });
    expect((await stored(posing))?.profile_name).toBe("Ember Team \u2713");
    expect(await admin.get(`/api/admin/member/${posing.id}`)).toMatchObject({ claimsToBeStaff: true });
  });
});

describe("other texts", () => {
  it("lose control characters and direction overrides, and keep their lines", async () => {
    const [member, other] = [await createMember(worker), await createMember(worker)];
    const text = "Jose\u0301\u0000 says\r\n\u202Ehi\u0007 \u{1F468}\u200D\u2764\uFE0F\u200D\u{1F468}";
    const clean = "José says\nhi \u{1F468}\u200D\u2764\uFE0F\u200D\u{1F468}";
    expect((await member.send("PUT", "/api/profile", { description: text, height: "1\u00008\n0" })).status).toBe(200);
    const profile = await worker.env.DB.prepare("select description, height from profile where id = ?")
      .bind(member.id)
      .first();
    expect(profile).toEqual({ description: clean, height: "18 0" });
    const sent = await member.send("POST", "/api/message", { recipientProfileId: other.id, bodyText: text });
    expect(await sent.json()).toMatchObject({ bodyText: clean });
    const note = { aboutProfileId: other.id, bodyText: text, privateTags: ["te\u0000a\u202E"] };
    expect(await (await member.send("PUT", "/api/profile-note", note)).json()).toMatchObject({
      bodyText: clean,
      privateTags: ["tea"],
    });
  });
});

describe("a profile without a birthdate", () => {
  it("is shown to nobody until it has one", async () => {
    const [viewer, ageless] = [await createMember(worker), await createMember(worker, { birthdate: null })];
    const seen = async () => {
      const found = await viewer.get<{ profileId: number }[]>("/api/profile-briefs/nearest?size=1500");
      return [
        (await viewer.fetch(`/api/profile/${ageless.id}`)).status,
        found.some(({ profileId }) => profileId === ageless.id),
        (await ageless.get<{ hasBirthdate: boolean }>("/api/session")).hasBirthdate,
      ];
    };
    for (const member of [viewer, ageless]) {
      const report = { profileId: member.id, session: 1, use: "OVERRIDE", hide: false };
      await member.send("PUT", `/api/profile-position/${member.id}`, { ...report, overrideLat: 33, overrideLon: -112 });
    }
    expect(await seen()).toEqual([404, false, false]);
    expect((await ageless.send("PUT", "/api/profile", { birthdate: "1990-05-17" })).status).toBe(200);
    expect(await seen()).toEqual([200, true, true]);
    expect((await ageless.send("PUT", "/api/profile", { birthdate: null })).status).toBe(200);
    expect(await seen()).toEqual([404, false, false]);
  });
});
