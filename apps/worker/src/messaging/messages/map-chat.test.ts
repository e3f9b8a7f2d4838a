/** The pages of the map chat tell nothing of who is out of the reader's sight, however much they post. */
import { sectorOfPoint } from "@lambda/geo/sector";
import type { TestMember } from "@lambda/testing/member";
import { createMemberAt, PHOENIX } from "@lambda/testing/scenes/positions";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, expect, it } from "vitest";

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
});

it("answers with the same bytes whether or not members out of sight post, page by page and in both directions", async () => {
  const run = (query: string, ...values: unknown[]) =>
    worker.env.DB.prepare(query)
      .bind(...values)
      .run();
  const reader = await createMemberAt(worker, PHOENIX);
  const author = await createMemberAt(worker, PHOENIX);
  const blocking = await createMemberAt(worker, PHOENIX);
  const hidden = await createMemberAt(worker, PHOENIX);
  const post = (by: TestMember, count: number) =>
    run(
      `insert into message (sender_id, client_id, body_text, brand, sector, ts_created)
        with recursive n(i) as (select 1 union all select i + 1 from n where i < ?3)
        select ?1, hex(randomblob(8)), 'Hello all', 'ember', ?2, 1 from n`,
      by.id,
      sectorOfPoint(PHOENIX),
      count,
    );
  await blocking.send("PUT", "/api/profile-like", { likedProfileId: reader.id, blocked: true });
  // More than two hundred before, between and after what the reader sees.
  for (const count of [22, 23, 0]) {
    await post(blocking, 150);
    await post(hidden, 60);
    if (count > 0) await post(author, count);
  }
  await run("update profile set hidden = 1 where id = ?", hidden.id);

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
  await run("delete from message where sender_id in (?, ?)", blocking.id, hidden.id);
  expect(await readAll()).toEqual(withThem);
  expect(await reader.get("/api/messages/area?size=100")).toHaveLength(45);
});
