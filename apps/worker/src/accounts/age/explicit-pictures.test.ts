import type { SessionContext } from "@lambda/contract/accounts";
import type { Picture } from "@lambda/contract/pictures";
import { fromRegion, proveAge, readWebpWidth } from "@lambda/testing/age";
import { createMember, type TestMember } from "@lambda/testing/member";
import { uploadPicture } from "@lambda/testing/pictures";
import { makePng } from "@lambda/testing/png";
import { createVisitor, waitForMail } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";

let worker: TestWorker;
let owner: TestMember;
const ids = { marked: 0, unjudged: 0, judged: 0, declared: 0, both: 0, private: 0, sent: 0 };
type Kind = keyof typeof ids;
const PIXELATED_WIDTH = 14;

function sql(statement: string, ...values: unknown[]) {
  return worker.env.DB.prepare(statement)
    .bind(...values)
    .run();
}

const address = (kind: Kind, nsfw = true) => `/api/profile-pic/${nsfw ? "nsfw/" : ""}${ids[kind]}?scale_x=256`;
const judge = (id: number, answer: string) =>
  sql(
    `insert into game_item (game, picture_id, subject_id, version, answer, ts_created)
     select 'rating', id, profile_id, version, ?, 1 from picture where id = ?`,
    answer,
    id,
  );

beforeAll(async () => {
  worker = await startWorker();
  owner = await createMember(worker);
  const bytes = makePng(300, 375);
  for (const kind of ["marked", "unjudged", "judged", "declared", "both"] as const) {
    ids[kind] = (await uploadPicture(owner, { bytes, nsfw: kind === "marked" })).id;
  }
  ids.private = (await uploadPicture(owner, { bytes, audience: "private" })).id;
  ids.sent = (await uploadPicture(owner, { bytes, audience: "chat" })).id;
  await judge(ids.judged, "safe");
  for (const kind of ["declared", "both"] as const) {
    const response = await owner.send("PUT", `/api/profile-pic/${ids[kind]}`, { harmless: true });
    expect(await response.json()).toMatchObject({ harmlessByOwner: true, nsfwByOwner: false });
  }
  // The community's explicit mark overrides the owner's harmless one.
  await sql("update picture set nsfw_community = 1 where id = ?", ids.both);
});

describe("explicit pictures where a proof of age is needed", () => {
  it.each(["GB", "AU", "US-TX"])("are pixelated on every path in %s until the proof", async (place) => {
    const reader = await createMember(worker);
    await owner.send("PUT", "/api/album-grant", { memberProfileId: reader.id });
    const sending = { recipientProfileId: reader.id, bodyText: "Look", profilePicIds: [ids.sent] };
    expect((await owner.send("POST", "/api/message", sending)).status).toBe(201);
    const there = fromRegion(reader, place);
    const widths = async () =>
      Object.fromEntries(
        await Promise.all(
          (Object.keys(ids) as Kind[]).map(async (kind) => [
            kind,
            await readWebpWidth(await there.fetch(address(kind))),
          ]),
        ),
      );
    const [covered, clear] = [PIXELATED_WIDTH, 256];
    const before = { marked: covered, unjudged: covered, both: covered, private: covered, sent: covered };
    expect(await widths()).toEqual({ ...before, judged: clear, declared: clear });
    for (const path of [`/api/profile-pic/${ids.unjudged}?scale_x=2048`, `/api/profile/pic/${ids.unjudged}`]) {
      expect(await readWebpWidth(await there.fetch(path))).toBe(PIXELATED_WIDTH);
    }
    const listed = (await (await there.fetch(`/api/profile-pics/${owner.id}`)).json()) as Picture[];
    const listedAs = new Set(listed.filter((picture) => picture.covered).map(({ id }) => id));
    expect(listedAs).toEqual(new Set([ids.marked, ids.unjudged, ids.both, ids.private]));
    const session = async () => (await (await there.fetch("/api/session")).json()) as SessionContext;
    expect((await session()).explicitPictures).toBe("proof");

    await proveAge(there);
    expect(new Set(Object.values(await widths()))).toEqual(new Set([clear]));
    expect((await session()).explicitPictures).toBe("open");
  });

  it("are unchanged in other places, and always clear for their owner", async () => {
    const reader = await createMember(worker);
    expect(await readWebpWidth(await reader.fetch(address("unjudged")))).toBe(256);
    expect(await readWebpWidth(await fromRegion(reader, "US-NY").fetch(address("marked")))).toBe(256);
    expect(await readWebpWidth(await fromRegion(owner, "GB").fetch(address("marked")))).toBe(256);
  });

  it("are not served from a cache to members who travel there or remove their proof", async () => {
    const reader = await createMember(worker);
    const clear = await reader.fetch(address("unjudged"));
    expect(clear.headers.get("cache-control")).toBe("private, no-cache");
    const headers = { "if-none-match": clear.headers.get("etag") ?? "" };
    expect((await reader.fetch(address("unjudged"), { headers })).status).toBe(304);
    const there = fromRegion(reader, "GB");
    expect(await readWebpWidth(await there.fetch(address("unjudged"), { headers }))).toBe(PIXELATED_WIDTH);
    await proveAge(there);
    expect((await there.fetch(address("unjudged"), { headers })).status).toBe(304);
    expect((await there.send("DELETE", "/api/age")).status).toBe(204);
    expect(await readWebpWidth(await there.fetch(address("unjudged"), { headers }))).toBe(PIXELATED_WIDTH);
  });

  it("are left out of games, where votes on pixelated pictures mean nothing", async () => {
    const there = fromRegion(await createMember(worker), "GB");
    const draw = async () => {
      const response = await there.send("POST", "/api/games/hotornot/draw", { nsfw: true });
      return ((await response.json()) as { pictureId: number }[]).map(({ pictureId }) => pictureId);
    };
    await sql("update profile set pics_public = ? where id = ?", `[${ids.unjudged}]`, owner.id);
    expect(await draw()).not.toContain(ids.unjudged);
    await sql("update profile set pics_public = ? where id = ?", `[${ids.declared}]`, owner.id);
    expect(await draw()).toContain(ids.declared);
  });

  it("can be marked explicit or harmless by their owner, but not both", async () => {
    const path = `/api/profile-pic/${ids.unjudged}`;
    expect((await owner.send("PUT", path, { harmless: true, nsfw: true })).status).toBe(400);
    const marks = async (body: object) => {
      const { nsfwByOwner, harmlessByOwner } = (await (await owner.send("PUT", path, body)).json()) as Record<
        string,
        boolean
      >;
      return [nsfwByOwner, harmlessByOwner];
    };
    expect(await marks({ harmless: true })).toEqual([false, true]);
    expect(await marks({ nsfw: true })).toEqual([true, false]);
    expect(await marks({ nsfw: false })).toEqual([false, false]);
  });
});

describe("the rule of a place", () => {
  it("is never stored: no row contains the place of a request", async () => {
    const { results } = await worker.env.DB.prepare("select name from sqlite_master where type = 'table'").all<{
      name: string;
    }>();
    const names = results.map(({ name }) => name).filter((name) => !/^(sqlite|_cf)_/.test(name));
    const rows = await Promise.all(names.map((name) => worker.env.DB.prepare(`select * from "${name}"`).all()));
    const text = JSON.stringify(rows.map((table) => table.results));
    expect(text).toContain(owner.email);
    expect(text).not.toMatch(/"GB"|US-TX|US-NY|"AU"/);
  });

  it("lets everybody join where joining is open", async () => {
    const visitor = createVisitor(worker);
    const body = { email: "joins@example.test", acknowledgements: "cookies; adult; geolocation" };
    const response = await visitor.fetch("/api/auth/register", {
      method: "POST",
      headers: { "content-type": "application/json", "x-development-place": "GB" },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(202);
    await waitForMail(worker, body.email);
  });
});
