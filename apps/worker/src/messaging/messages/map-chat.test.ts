/** The pages of the map chat tell nothing of who is out of the reader's sight, and these cannot make them dear. */
import { sectorOfPoint } from "@lambda/geo/sector";
import { insertMembers } from "@lambda/testing/members";
import { createMemberAt, PHOENIX, readCost } from "@lambda/testing/scenes/positions";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, expect, it } from "vitest";

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
});

const run = (query: string, ...values: unknown[]) =>
  worker.env.DB.prepare(query)
    .bind(...values)
    .run();

const post = (by: number, count: number) =>
  run(
    `insert into message (sender_id, client_id, body_text, brand, sector, ts_created)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ?3)
      select ?1, hex(randomblob(8)), 'Hello all', 'ember', ?2, 1 from n`,
    by,
    sectorOfPoint(PHOENIX),
    count,
  );

it("answers with the same bytes whether or not members out of sight post, page by page and in both directions", async () => {
  const reader = await createMemberAt(worker, PHOENIX);
  const author = await createMemberAt(worker, PHOENIX);
  const outOfSight = (
    await insertMembers(
      worker.run,
      Array.from({ length: 15 }, (_, index) => ({ name: `Out${index}` })),
    )
  ).map(({ id }) => id);
  // More than two hundred before, between and after what the reader sees.
  for (const [part, count] of [22, 23, 0].entries()) {
    for (const id of outOfSight.slice(part * 5, part * 5 + 5)) await post(id, 50);
    if (count > 0) await post(author.id, count);
  }
  const hidden = outOfSight.filter((_, index) => index % 2 === 0);
  const ids = JSON.stringify(outOfSight);
  await run("update profile set hidden = 1 where id in (select value from json_each(?))", JSON.stringify(hidden));
  await run(
    `insert into block (profile_id, other_id, blocked_by_profile, blocked_by_other, ts_created)
      select iif(side, id, ?1), iif(side, ?1, id), side, 1 - side, 1
      from (select value as id from json_each(?2)), (select 0 as side union all select 1)`,
    reader.id,
    ids,
  );

  const paths = ["area", `by-sector/${Math.floor(PHOENIX.lat)}:${Math.floor(PHOENIX.lon)}`];
  const starts = [
    ["beforeMessageId", ""],
    ["sinceMessageId", "&sinceMessageId=0"],
  ] as const;
  /** Each list to its end, in pages of each size: what each answers and where it continues. */
  const readAll = async () => {
    const answers: string[] = [];
    for (const path of paths)
      for (const size of [6, 45, 100])
        for (const [direction, start] of starts)
          for (let next: string | undefined = start; next !== undefined; ) {
            const response: Response = await reader.fetch(`/api/messages/${path}?size=${size}${next}`);
            const cursor = response.headers.get("x-next-cursor");
            answers.push(`${path} ${size} ${direction}: ${await response.text()} ${cursor}`);
            next = cursor === null ? undefined : `&${direction}=${cursor}`;
          }
    return answers;
  };
  const withThem = await readAll();
  await run("delete from message where sender_id in (select value from json_each(?))", ids);
  expect(await readAll()).toEqual(withThem);
  expect(await reader.get("/api/messages/area?size=100")).toHaveLength(45);
});

it("keeps the newest 50 posts of each member, so that thousands of members out of sight cost a reader next to nothing", async () => {
  const reader = await createMemberAt(worker, PHOENIX);
  const author = await createMemberAt(worker, PHOENIX);
  const crew = (await insertMembers(worker.run, [{ name: "One" }, { name: "Two" }])).map(({ id }) => id);
  await post(author.id, 60);
  for (const id of crew) await post(id, 5000);
  await run("update profile set hidden = 1 where id in (?, ?)", ...crew);
  const response = await reader.fetch("/api/messages/area?size=50");
  const items = (await response.json()) as { id: number; senderProfileId: number }[];
  expect(items.map(({ senderProfileId }) => senderProfileId)).toEqual(Array.from({ length: 50 }, () => author.id));
  expect(items[0]!.id - items[49]!.id).toBe(49);
  expect(readCost(response, "rows-read")).toBeLessThan(500);
});
