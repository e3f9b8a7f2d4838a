import type { LikedBrief } from "@lambda/contract/likes";
import { createMember } from "@lambda/testing/member";
import { uploadPicture } from "@lambda/testing/pictures";
import { findStoredJsonFaults } from "@lambda/testing/stored-json";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, expect, it } from "vitest";

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
});

const readPictureLists = async (id: number) => {
  const [rows] = await worker.run({
    query: "select pics_public, pics_private from profile where id = ?",
    values: [id],
  });
  return rows?.[0];
};

it("stores picture ids as integers, whichever way they get into an album", async () => {
  const [owner, fan] = [await createMember(worker), await createMember(worker)];
  const [one, two] = [await uploadPicture(owner), await uploadPicture(owner)];
  const closed = await uploadPicture(owner, { audience: "private" });
  expect(await readPictureLists(owner.id)).toEqual({
    pics_public: `[${one.id},${two.id}]`,
    pics_private: `[${closed.id}]`,
  });

  // Liked right after the upload, before any order was saved.
  for (const { id } of [one, two]) {
    const like = { likerProfileId: fan.id, profilePicId: id, profilePicProfileId: owner.id, likeType: "LIKE" };
    expect((await fan.send("PUT", "/api/profile-pic-like", like)).status).toBe(200);
  }
  const likedPictures = await fan.get<LikedBrief[]>("/api/profile-briefs/likes/youlikedprofilepics");
  expect(likedPictures.map(({ profilePicId }) => profilePicId).sort()).toEqual([one.id, two.id]);
});

it("rejects a malformed list of ids", async () => {
  const member = await createMember(worker);
  for (const list of ["[1,2.0]", "[1, 2]", '["1"]', "[[1]]", "[1e3]", "12", '{"a":1}', "[1,2"]) {
    for (const column of ["pics_public", "pics_private"]) {
      const query = `update profile set ${column} = ? where id = ?`;
      await expect(worker.run({ query, values: [list, member.id] }), list).rejects.toThrow(/CHECK|malformed/);
    }
  }
});

it("reports malformed JSON in any column", async () => {
  const [member, other] = [await createMember(worker), await createMember(worker)];
  expect(await findStoredJsonFaults(worker.run)).toEqual([]);
  const set = async (table: string, column: string, value: string, key: string) => {
    await worker.run({ query: `update ${table} set ${column} = ? where ${key} = ?`, values: [value, member.id] });
    const faults = await findStoredJsonFaults(worker.run);
    expect(faults).toEqual([expect.stringContaining(`${table}.${column}: `)]);
  };
  await member.send("PUT", "/api/profile-note", {
    authorProfileId: member.id,
    aboutProfileId: other.id,
    bodyText: "",
    privateTags: ["tall"],
  });
  await set("profile_note", "private_tags", "[7]", "author_id");
  await worker.run({ query: "delete from profile_note" });
  await set("account", "preferences", '{"phrases":["Hi"],"unknown":1}', "id");
  await set("account", "preferences", '{"firstContact":{"matchesOnly":true,"ageMin":21.0}}', "id");
  await worker.run({ query: "update account set preferences = '{}'" });
});

it("stores well-formed JSON through the API", async () => {
  const [one, two] = [await createMember(worker), await createMember(worker)];
  const place = { use: "OVERRIDE", overrideLat: 33.45, overrideLon: -112.07, hide: false };
  for (const member of [one, two]) {
    await member.send("PUT", `/api/profile-position/${member.id}`, { profileId: member.id, ...place });
    await uploadPicture(member);
  }
  const chat = await uploadPicture(one, { audience: "chat" });
  const write = (body: object) => one.send("POST", "/api/message", { recipientProfileId: two.id, ...body });
  const responses = [
    await write({ bodyText: "Look", profilePicIds: [chat.id] }),
    await write({ attachment: { type: "position", exact: false } }),
    await write({ attachment: { type: "album" } }),
    await two.send("PUT", "/api/health-panel", { vaccines: ["mpox"], audiences: { vaccines: "members" } }),
    await two.send("PUT", "/api/chat-preferences", {
      firstContact: { matchesOnly: false, ageMin: 21 },
      phrases: ["Hi"],
    }),
    await two.send("POST", "/api/report", {
      subjectProfileId: one.id,
      category: "harassment",
      text: "He goes on and on.",
    }),
  ];
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => expect.toSatisfy((code) => code < 300)));
  expect(await findStoredJsonFaults(worker.run)).toEqual([]);
});
