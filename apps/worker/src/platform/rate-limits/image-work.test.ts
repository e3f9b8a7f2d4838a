/** What a few members, or many new accounts, can take of the site's image work of a day. */
import {
  DAY_MS,
  IMAGE_WORK_FIRST,
  IMAGE_WORK_MEMBER_MAX,
  IMAGE_WORK_MEMBER_NEW_MAX,
  IMAGE_WORK_NETWORK_SHARE,
  IMAGE_WORK_NEW_SHARE,
  IMAGE_WORK_PER_DAY_MAX,
  IMAGE_WORK_PER_UPLOAD as UPLOAD,
} from "@lambda/contract/limits";
import { PICTURE_REFUSALS } from "@lambda/contract/picture-refusals";
import { createMember, withQuotas } from "@lambda/testing/member";
import { postPicture, uploadPicture } from "@lambda/testing/pictures";
import { makePng } from "@lambda/testing/png";
import { limiterOf } from "@lambda/testing/rate-limits";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { openDatabase } from "../db/database.ts";
import type { Env } from "../env.ts";
import { sha256 } from "../hash.ts";
import { spendImageWork } from "./image-work.ts";

/** Not in the database, and so new. */
const NEW = 900_000;

let worker: TestWorker;
/** A day's counter. */
const today = () => limiterOf(worker, `image-work:${Math.floor(Date.now() / DAY_MS)}`);

beforeEach(async () => {
  worker = await startWorker();
  // Objects stay from test to test.
  await today().clear();
});

const context = (env: Partial<Env> = {}) => ({
  env: Object.assign(Object.create(worker.env), env) as Env,
  db: openDatabase(worker.env.DB),
  quotas: true,
});

/** What a member gets, upload by upload, until one is refused; and by whose share. */
async function useUp(id: number, network: string): Promise<string> {
  for (let used = 0; ; used += UPLOAD) {
    const refusal = await spendImageWork(context(), id, UPLOAD, network);
    if (refusal) return `${used} by ${refusal.of}`;
  }
}

const fill = (name: string, amount: number) =>
  today().spend([{ name, amount, max: Number.MAX_SAFE_INTEGER, windowMs: DAY_MS }]);

describe("the image work of a day", () => {
  it("is a tenth for a new account, and a share for all of them and for those of a network", async () => {
    expect(IMAGE_WORK_MEMBER_NEW_MAX).toBe(IMAGE_WORK_MEMBER_MAX / 10);
    // Widths that others request take nothing from it.
    for (let width = 0; width < 3; width += 1) expect(await spendImageWork(context(), NEW, UPLOAD)).toBeUndefined();
    expect(await useUp(NEW, "home")).toBe(`${IMAGE_WORK_MEMBER_NEW_MAX} by member`);
    const left = 2 * UPLOAD;
    await fill(
      `network:${await sha256("home")}`,
      IMAGE_WORK_PER_DAY_MAX * IMAGE_WORK_NETWORK_SHARE - (IMAGE_WORK_MEMBER_NEW_MAX - IMAGE_WORK_FIRST) - left,
    );
    // Strangers of a network leave everybody there the first uploads.
    expect(await useUp(NEW + 1, "home")).toBe(`${IMAGE_WORK_FIRST + left} by site`);
    expect(await useUp(NEW + 2, "elsewhere")).toBe(`${IMAGE_WORK_MEMBER_NEW_MAX} by member`);
    await fill("new", IMAGE_WORK_PER_DAY_MAX * IMAGE_WORK_NEW_SHARE);
    expect(await useUp(NEW + 3, "third")).toBe("0 by site");
    // Old members do not notice.
    const old = await createMember(worker, { created: 1 });
    await fill(`member:${old.id}`, IMAGE_WORK_MEMBER_MAX - 4 * UPLOAD);
    expect(await useUp(old.id, "home")).toBe(`${4 * UPLOAD} by member`);
  });

  it("keeps the first uploads of each member when old accounts use up the rest", async () => {
    await fill("further", IMAGE_WORK_PER_DAY_MAX);
    const old = await createMember(worker, { created: 1 });
    expect(await useUp(old.id, "home")).toBe(`${IMAGE_WORK_FIRST} by site`);
    expect(await useUp(NEW, "home")).toBe(`${IMAGE_WORK_FIRST} by site`);
  });

  it("keeps the first uploads of newcomers when other new accounts use up the rest of theirs", async () => {
    await fill("new-further", IMAGE_WORK_PER_DAY_MAX);
    expect(await useUp(NEW, "home")).toBe(`${IMAGE_WORK_FIRST} by site`);
  });

  it("is given back for files that cannot be read: a newcomer's first good picture does not wait until tomorrow", async () => {
    const member = withQuotas(await createMember(worker, { created: Date.now() }));
    const broken = makePng(40, 50).map((byte, at) => (at > 45 && at < 60 ? byte ^ 0xff : byte));
    for (let count = 0; count < 16; count += 1) expect((await postPicture(member, broken)).status).toBe(400);
    expect((await postPicture(member, makePng(40, 50))).status).toBe(201);
  });

  it("stays counted for an upload that is refused afterwards, which costs as much as one that is stored", async () => {
    const member = withQuotas(await createMember(worker, { created: Date.now() }));
    const upload = async () => (await postPicture(member, makePng(40, 50))).json() as Promise<{ error?: object }>;
    await upload();
    const full = "update stored_bytes set pictures = 1000000000000 where profile_id = ?";
    await worker.run({ query: full, values: [member.id] });
    await fill(`member:${member.id}`, IMAGE_WORK_MEMBER_NEW_MAX - 3 * UPLOAD);
    const refusals = [await upload(), await upload(), await upload()];
    expect(refusals).toMatchObject(
      ["pictureBytesTotal", "pictureBytesTotal", "imageWork"].map((quota) => ({ error: { quota } })),
    );
  });

  it("begins again at midnight", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const midnight = (Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS;
      vi.setSystemTime(midnight - 1000);
      await fill("all", IMAGE_WORK_PER_DAY_MAX);
      expect(await spendImageWork(context(), NEW, UPLOAD)).toEqual({ of: "site", waitMs: 1000 });
      vi.setSystemTime(midnight);
      expect(await spendImageWork(context(), NEW, UPLOAD)).toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });

  it("does not stop when its counter does not respond", async () => {
    vi.stubGlobal("__DEVELOPMENT__", true);
    vi.mocked(console.error).mockImplementation(() => undefined);
    const RATE_LIMITER = { getByName: () => ({ spend: () => Promise.reject(new Error("overloaded")) }) };
    expect(await spendImageWork(context({ RATE_LIMITER } as never), NEW, UPLOAD)).toBeUndefined();
    expect(vi.mocked(console.error).mock.calls.join()).toContain('"event":"image-work"');
    vi.mocked(console.error).mockReset();
  });

  it("ends for uploads with a word about tomorrow, while pictures are served in a width that is stored", async () => {
    const owner = await createMember(worker, { created: 1 });
    const { id } = await uploadPicture(owner, { bytes: makePng(1200, 900) });
    await fill("all", IMAGE_WORK_PER_DAY_MAX);
    const viewer = withQuotas(await createMember(worker));
    const refused = await postPicture(viewer, makePng(40, 50));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    const message = `picfile: ${PICTURE_REFUSALS.TOMORROW.text}`;
    expect(await refused.json()).toMatchObject({ error: { reason: "TOMORROW", message } });
    const smaller = await viewer.fetch(`/api/profile-pic/${id}?scale_x=1024`);
    expect([smaller.status, smaller.headers.get("etag")]).toEqual([200, null]);
    const stored = await viewer.fetch(`/api/profile-pic/${id}?scale_x=256`);
    expect(stored.headers.get("etag")).toBeTruthy();
    expect(await smaller.arrayBuffer()).toEqual(await stored.arrayBuffer());
    // Whoever is not counted makes the width; then everybody gets it.
    const wide = await (await owner.fetch(`/api/profile-pic/${id}?scale_x=1024`)).arrayBuffer();
    const now = await viewer.fetch(`/api/profile-pic/${id}?scale_x=1024`);
    expect(await now.arrayBuffer()).toEqual(wide);
    expect(now.headers.get("etag")).toBeTruthy();
  });
});
