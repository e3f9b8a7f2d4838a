import { PICTURE_PREVIEW_PX } from "@lambda/contract/limits";
import type { PicturePreview } from "@lambda/contract/pictures";
import { createMember, type TestMember } from "@lambda/testing/member";
import { uploadPicture } from "@lambda/testing/pictures";
import { makePng } from "@lambda/testing/png";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, expect, it } from "vitest";

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
});

const previews = (by: TestMember, ...of: TestMember[]) =>
  by.get<PicturePreview[]>(`/api/profile-pics/previews?profileIds=${of.map(({ id }) => id).join(",")}`);

it("returns a few pixels of first pictures, and nothing else", async () => {
  const [me, other, without] = [await createMember(worker), await createMember(worker), await createMember(worker)];
  const first = await uploadPicture(other, { bytes: makePng(400, 500) });
  await uploadPicture(other);
  await uploadPicture(without, { audience: "private" });
  const found = await previews(me, other, without);
  expect(found).toEqual([{ pictureId: first.id, preview: expect.any(String) }]);
  const bytes = Buffer.from(found[0]?.preview ?? "", "base64");
  expect(bytes.subarray(8, 12).toString()).toBe("WEBP");
  expect(bytes.length).toBeLessThan(400);
  // VP8: 14 bits of width after the start code.
  const start = bytes.indexOf(Buffer.from([0x9d, 0x01, 0x2a]));
  expect(bytes.readUInt16LE(start + 3) & 0x3fff).toBe(PICTURE_PREVIEW_PX);
  expect(bytes.toString("latin1")).not.toMatch(/EXIF|XMP |ICCP/);
});

it("follows the album order and replacements, and is gone when the picture may not be seen", async () => {
  const [me, other] = [await createMember(worker), await createMember(worker)];
  const [one, two] = [await uploadPicture(other), await uploadPicture(other)];
  const [before] = await previews(me, other);
  await uploadPicture(other, { replaceId: one.id, bytes: makePng(500, 200) });
  const [after] = await previews(me, other);
  expect(after?.pictureId).toBe(one.id);
  expect(after?.preview).not.toBe(before?.preview);
  await other.send("PUT", "/api/profile-pics", { profilePicIds: [two.id, one.id] });
  expect(await previews(me, other)).toMatchObject([{ pictureId: two.id }]);

  const set = (change: string, table = "profile", id = other.id) =>
    worker.run({ query: `update ${table} set ${change} where id = ?`, values: [id] });
  for (const [closed, opened] of [
    ["hidden = 1", "hidden = 0"],
    ["status = 'suspended'", "status = 'active'"],
  ] as const) {
    await set(closed);
    expect(await previews(me, other)).toEqual([]);
    await set(opened);
  }
  await set("hidden_by_staff = 1", "picture", two.id);
  expect(await previews(me, other)).toEqual([]);
  await set("hidden_by_staff = 0", "picture", two.id);
  expect(await previews(me, other)).toHaveLength(1);
  await other.send("PUT", "/api/profile-like", { likedProfileId: me.id, blocked: true });
  expect(await previews(me, other)).toEqual([]);
});
