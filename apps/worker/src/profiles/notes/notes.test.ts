import type { ListedNote, ProfileNote } from "@lambda/contract/notes";
import { createMember, type TestMember } from "@lambda/testing/member";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
});

const write = (author: TestMember, about: TestMember, change: object) =>
  author.send("PUT", "/api/profile-note", { aboutProfileId: about.id, ...change });
const read = (author: TestMember, about: TestMember) =>
  author.get<ProfileNote>(`/api/profile-note?authorProfileId=${author.id}&aboutProfileId=${about.id}`);
const hide = (member: TestMember) =>
  worker.env.DB.prepare("update profile set hidden = 1 where id = ?").bind(member.id).run();

describe("a note", () => {
  it("is empty at first, and written field by field", async () => {
    const [me, other] = [await createMember(worker), await createMember(worker)];
    expect(await read(me, other)).toEqual({
      authorProfileId: me.id,
      aboutProfileId: other.id,
      bodyText: "",
      privateTags: [],
    });
    const response = await write(me, other, { bodyText: "met at the bar" });
    expect(await response.json()).toMatchObject({ bodyText: "met at the bar", privateTags: [] });
    await write(me, other, { privateTags: ["kind", "tall"] });
    expect(await read(me, other)).toMatchObject({ bodyText: "met at the bar", privateTags: ["kind", "tall"] });
    expect(
      await worker.env.DB.prepare("select body_text, private_tags from profile_note where author_id = ?")
        .bind(me.id)
        .first(),
    ).toEqual({ body_text: "met at the bar", private_tags: '["kind","tall"]' });
  });

  it("can be read and written by its author alone", async () => {
    const [me, other] = [await createMember(worker), await createMember(worker)];
    await write(me, other, { bodyText: "secret" });
    expect((await other.fetch(`/api/profile-note?authorProfileId=${me.id}&aboutProfileId=${other.id}`)).status).toBe(
      403,
    );
    expect((await other.fetch(`/api/profile-notes?authorProfileId=${me.id}`)).status).toBe(403);
    const forged = await other.send("PUT", "/api/profile-note", {
      authorProfileId: me.id,
      aboutProfileId: other.id,
      bodyText: "x",
    });
    expect(forged.status).toBe(403);
    expect((await read(me, other)).bodyText).toBe("secret");
    expect((await other.get<unknown[]>("/api/profile-notes")).length).toBe(0);
  });

  it("is deleted when it is emptied", async () => {
    const [me, other] = [await createMember(worker), await createMember(worker)];
    await write(me, other, { bodyText: "x", privateTags: ["y"] });
    await write(me, other, { bodyText: "", privateTags: [] });
    expect(
      await worker.env.DB.prepare("select count(*) n from profile_note where author_id = ?").bind(me.id).first(),
    ).toEqual({ n: 0 });
  });

  it("may have up to 4000 characters, and no duplicate or empty tags", async () => {
    const [me, other] = [await createMember(worker), await createMember(worker)];
    expect((await write(me, other, { bodyText: "a".repeat(4000) })).status).toBe(200);
    expect((await write(me, other, { bodyText: "a".repeat(4001) })).status).toBe(400);
    expect((await write(me, other, { privateTags: ["a", "a"] })).status).toBe(400);
    expect((await write(me, other, { privateTags: ["  "] })).status).toBe(400);
    expect((await write(me, other, { privateTags: [" a "] })).status).toBe(200);
    expect((await read(me, other)).privateTags).toEqual(["a"]);
  });

  it("stays with its author when the other hides, without showing them, but cannot be written about hidden strangers", async () => {
    const [me, other, stranger] = [
      await createMember(worker),
      await createMember(worker, { name: "Vanished" }),
      await createMember(worker),
    ];
    await write(me, other, { bodyText: "avoid" });
    await hide(other);
    await hide(stranger);
    expect((await read(me, other)).bodyText).toBe("avoid");
    expect((await write(me, other, { bodyText: "avoid!" })).status).toBe(200);
    const text = await (await me.fetch("/api/profile-notes")).text();
    expect(text).toContain("avoid!");
    expect(text).not.toContain("Vanished");
    expect((await me.fetch(`/api/profile-note?aboutProfileId=${stranger.id}`)).status).toBe(404);
    expect((await write(me, stranger, { bodyText: "x" })).status).toBe(404);
    expect((await write(me, me, { bodyText: "x" })).status).toBe(404);
  });
});

describe("all notes", () => {
  it("are paged and searched, and their tags counted", async () => {
    const me = await createMember(worker);
    for (let index = 0; index < 23; index++) {
      const other = await createMember(worker, { name: `Member ${index}` });
      await write(me, other, {
        bodyText: index === 3 ? "Likes GARDENING, en otoño" : `note ${index}`,
        privateTags: index % 2 ? ["odd"] : [],
      });
    }
    const first = await me.fetch("/api/profile-notes");
    const page = (await first.json()) as ListedNote[];
    expect(page).toHaveLength(20);
    expect(page[0]?.about?.profileName).toBe("Member 22");
    const rest = await me.get<ListedNote[]>(`/api/profile-notes?cursor=${first.headers.get("x-next-cursor")}`);
    expect(rest.map((note) => note.about?.profileName)).toEqual(["Member 2", "Member 1", "Member 0"]);
    expect(
      (await me.get<ListedNote[]>("/api/profile-notes?text=gardening")).map((note) => note.about?.profileName),
    ).toEqual(["Member 3"]);
    expect(await me.get(`/api/profile-notes?text=${encodeURIComponent("OTON\u0303O")}`)).toHaveLength(1);
    expect(await me.get("/api/profile-notes?tag=odd")).toHaveLength(11);
    expect(await me.get("/api/profile-notes/tags")).toEqual([{ tag: "odd", count: 11 }]);

    // As they are seen, not as they are stored.
    await write(me, await createMember(worker), { privateTags: ['the "café"'] });
    const found = async (search: string) => (await me.get<ListedNote[]>(`/api/profile-notes?${search}`)).length;
    const typed = encodeURIComponent('the "cafe\u0301"\u200B');
    expect([await found(`tag=${typed}`), await found(`text=${typed}`), await found("text=%5D")]).toEqual([1, 1, 0]);
  });
});
