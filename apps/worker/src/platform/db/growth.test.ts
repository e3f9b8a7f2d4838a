/** Lists whose cost must not grow with what is not shown: decided cases, old conversations. The map chat's does with their authors. */

import { sectorOfPoint } from "@lambda/geo/sector";
import { createMember, type TestMember } from "@lambda/testing/member";
import { insertMembers } from "@lambda/testing/members";
import { createMemberAt, PHOENIX, queryRows, readCost } from "@lambda/testing/scenes/positions";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it } from "vitest";

let worker: TestWorker;
beforeEach(async () => {
  worker = await startWorker();
});

const run = (query: string, ...values: unknown[]) =>
  worker.env.DB.prepare(query)
    .bind(...values)
    .run();

const numbers = (count: number) => `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`;

describe("the desk", () => {
  it("reads the cases of its page, however many were decided", async () => {
    const admin = await createMember(worker, { adminBrand: "ember" });
    const subject = await createMember(worker);
    await run(
      `insert into report (case_ref, brand, subject_id, source, source_id, category, severity, priority, state, outcome, ts_created, ts_decided)
        ${numbers(3000)} select 'C' || i, 'ember', ?1, 'profile', ?1, 'spam', 1, i % 7, 'decided', 'none', i, i from n`,
      subject.id,
    );
    await run(
      `insert into appeal (report_id, side, profile_id, text, ts_created)
        select id, 'subject', subject_id, 'Please', 1 from report where case_ref in ('C5', 'C6', 'C20')`,
    );
    const list = async (view: string) => {
      const response = await admin.fetch(`/api/admin/reports?view=${view}`);
      const cases = (await response.json()) as { caseRef: string }[];
      return { refs: cases.map(({ caseRef }) => caseRef), rows: readCost(response, "rows-read") };
    };
    const appeals = await list("appeals");
    expect(appeals.refs).toEqual(["C6", "C20", "C5"]);
    expect(appeals.rows).toBeLessThanOrEqual(40);
    const decided = await list("decided");
    expect(decided.refs.slice(0, 2)).toEqual(["C3000", "C2999"]);
    expect(decided.rows).toBeLessThanOrEqual(200);
  });
});

interface Listed {
  readonly id: number;
  readonly bodyText: string;
}

/** Reads all pages, and what the dearest of them costs. */
async function readPages(member: TestMember, path: string, cursor: string) {
  const ids: number[] = [];
  let rows = 0;
  for (let next = ""; ; ) {
    const response = await member.fetch(`/api/messages/${path}${next}`);
    const items = (await response.json()) as (Listed & { readonly message?: Listed })[];
    ids.push(...items.map((item) => item.message?.id ?? item.id));
    rows = Math.max(rows, readCost(response, "rows-read"));
    const end = response.headers.get("x-next-cursor");
    if (!end) return { ids, rows };
    next = `&${cursor}=${end}`;
  }
}

describe("messages", () => {
  // A page that ended at posts of members who hide would tell everybody when they post (messages/map-chat.test.ts).
  it("of the map chat fill a page behind all posts of members who hide, at two rows for each of the newest 50", async () => {
    const viewer = await createMemberAt(worker, PHOENIX);
    const author = await createMemberAt(worker, PHOENIX);
    const hidden = await createMemberAt(worker, PHOENIX);
    const post = (by: TestMember, count: number) =>
      run(
        `insert into message (sender_id, client_id, body_text, brand, sector, ts_created)
          ${numbers(count)} select ?1, 'post' || i, 'Hello all', 'ember', ?2, 1 from n`,
        by.id,
        sectorOfPoint(PHOENIX),
      );
    await post(author, 45);
    await post(hidden, 2000);
    await run("update profile set hidden = 1 where id = ?", hidden.id);
    const { ids, rows } = await readPages(viewer, "area?", "beforeMessageId");
    const [expected] = await queryRows(
      worker,
      "select json_group_array(id) as ids from message where sender_id = ? order by id desc",
      author.id,
    );
    expect(ids).toEqual((JSON.parse(String(expected?.ids)) as number[]).toSorted((a, b) => b - a));
    expect(rows).toBeLessThanOrEqual(200);
  });

  it("that were missed cost what is returned, however many conversations there are", async () => {
    const me = await createMember(worker);
    const others = Array.from({ length: 600 }, (_, index) => me.id + 1000 + index);
    await insertMembers(
      worker.run,
      others.map((id) => ({ id, name: `M${id}` })),
    );
    await run(
      `insert into message (sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, ts_created)
        ${numbers(1200)} select iif(i % 2, ?1, ?1 + 999 + (i + 1) / 2), iif(i % 2, ?1 + 999 + (i + 1) / 2, ?1), ?1, ?1 + 999 + (i + 1) / 2, 'm' || i, 'Hello', 'ember', i from n`,
      me.id,
    );
    await run(
      `insert into conversation (profile_id, other_id, last_message_id, unread)
        select ?1, max(sender_id, recipient_id), max(id), 0 from message where low_id = ?1 group by high_id`,
      me.id,
    );
    const first = await me.fetch("/api/messages/missed?sinceMessageId=0");
    expect((await first.json()) as Listed[]).toHaveLength(100);
    expect(readCost(first, "rows-read")).toBeLessThanOrEqual(520);
    const ids: number[] = [];
    for (let since: string | null = "0"; since !== null; ) {
      const page: Response = await me.fetch(`/api/messages/missed?sinceMessageId=${since}`);
      ids.push(...((await page.json()) as Listed[]).map(({ id }) => id));
      since = page.headers.get("x-next-cursor");
    }
    expect(ids).toHaveLength(1200);
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
    // A wave that the reader does not have any more ends a page early, and hides nothing that came after it.
    await run("update message set ts_sender_deleted = 1, ts_recipient_deleted = 1 where id < ?", ids[900]!);
    expect((await readMissed(me)).ids).toEqual(ids.slice(900));
  });

  it("found by a search come page by page", async () => {
    const me = await createMember(worker);
    const other = await createMember(worker);
    await run(
      `insert into message (sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, ts_created)
        ${numbers(130)} select ?1, ?2, min(?1, ?2), max(?1, ?2), 'm' || i, 'Hello ' || i, 'ember', i from n`,
      other.id,
      me.id,
    );
    const first = await me.get<unknown[]>("/api/messages/search?query=hello");
    expect(first).toHaveLength(20);
    const { ids } = await readPages(me, "search?query=hello", "beforeMessageId");
    expect(ids).toHaveLength(130);
    expect(new Set(ids).size).toBe(130);
  });

  it("of years are marked as read in steps, and the count falls at once", async () => {
    const me = await createMember(worker);
    const other = await createMember(worker);
    await run(
      `insert into message (sender_id, recipient_id, low_id, high_id, client_id, body_text, brand, ts_created)
        ${numbers(1700)} select ?1, ?2, min(?1, ?2), max(?1, ?2), 'm' || i, 'Hello', 'ember', i from n`,
      other.id,
      me.id,
    );
    await run(
      `insert into conversation (profile_id, other_id, last_message_id, unread) select ?2, ?1, max(id), 1700 from message where sender_id = ?1`,
      other.id,
      me.id,
    );
    const [last] = await queryRows(worker, "select max(id) as id from message where sender_id = ?", other.id);
    const response = await me.send("PUT", "/api/messages/read", { profileId: other.id, upToMessageId: last?.id });
    expect(await response.json()).toEqual({ unread: 0 });
    expect(readCost(response, "rows-read")).toBeLessThanOrEqual(3100);
    expect(readCost(response, "rows-written")).toBeLessThanOrEqual(700);
    await expect
      .poll(() =>
        queryRows(
          worker,
          "select count(*) as unread from message where sender_id = ? and ts_recipient_read is null",
          other.id,
        ),
      )
      .toEqual([{ unread: 0 }]);
  });
});

async function readMissed(member: TestMember) {
  const ids: number[] = [];
  for (let since: string | null = "0"; since !== null; ) {
    const page: Response = await member.fetch(`/api/messages/missed?sinceMessageId=${since}`);
    ids.push(...((await page.json()) as Listed[]).map(({ id }) => id));
    since = page.headers.get("x-next-cursor");
  }
  return { ids };
}
