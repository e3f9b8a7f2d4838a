import type { HealthPanel } from "@lambda/contract/health";
import { DAY_MS } from "@lambda/contract/limits";
import type { ProfileRelation } from "@lambda/contract/profiles";
import { createMember, type TestMember } from "@lambda/testing/member";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeAll, describe, expect, it } from "vitest";
import { sendTestReminders } from "./remind.ts";
import { isFutureDay, nextReminder } from "./rules.ts";

let worker: TestWorker;
beforeAll(async () => {
  worker = await startWorker();
});

const edit = (member: TestMember, change: object) => member.send("PUT", "/api/health-panel", change);
const seen = async (viewer: TestMember, of: TestMember) =>
  (await viewer.get<ProfileRelation>(`/api/profile/${of.id}/relation`)).health;
const NIGHTLY = "17 3 * * *";

describe("the health panel", () => {
  it("shows each field only to its audience, and at first to nobody", async () => {
    const [me, match, other] = [await createMember(worker), await createMember(worker), await createMember(worker)];
    expect(await me.get<HealthPanel>("/api/health-panel")).toMatchObject({
      hivStatus: null,
      vaccines: [],
      reminderMonths: 0,
    });
    await edit(me, {
      hivStatus: "undetectable",
      prep: "no",
      doxyPep: "yes",
      vaccines: ["mpox"],
      lastTest: "2026-01-20",
    });
    expect(await seen(other, me)).toEqual({});

    for (const [a, b] of [
      [me, match],
      [match, me],
    ] as const) {
      await a.send("PUT", "/api/profile-like", { likedProfileId: b.id, likeType: "LIKE" });
    }
    await edit(me, { audiences: { hivStatus: "matches", vaccines: "members" } });
    await edit(me, { audiences: { lastTest: "members" } });
    expect(await seen(other, me)).toEqual({ vaccines: ["mpox"], lastTestMonth: "2026-01" });
    expect(await seen(match, me)).toEqual({ hivStatus: "undetectable", vaccines: ["mpox"], lastTestMonth: "2026-01" });

    await edit(me, { audiences: { vaccines: "nobody" }, lastTest: null });
    expect(await seen(other, me)).toEqual({});
    expect(await me.get<HealthPanel>("/api/health-panel")).toMatchObject({
      hivStatus: "undetectable",
      audiences: { hivStatus: "matches", prep: "nobody", doxyPep: "nobody", vaccines: "nobody", lastTest: "members" },
    });
  });

  it("rejects invalid values", async () => {
    const me = await createMember(worker);
    expect((await edit(me, { hivStatus: "maybe" })).status).toBe(400);
    expect((await edit(me, { lastTest: "2990-01-01" })).status).toBe(400);
    expect((await edit(me, { audiences: { hivStatus: "everyone" } })).status).toBe(400);
    expect((await edit(me, { reminderMonths: 5 })).status).toBe(400);
  });

  it("reminds when it is time, once, in words that do not mention health", async () => {
    const me = await createMember(worker);
    const today = new Date().toISOString().slice(0, 10);
    const panel = (await (await edit(me, { lastTest: today, reminderMonths: 3 })).json()) as HealthPanel;
    const due = Date.parse(panel.tsReminder ?? "");
    await worker.runCron(NIGHTLY, due - 1000);
    const count = () =>
      worker.env.DB.prepare("select count(*) n, min(body_text) text from notification where profile_id = ?")
        .bind(me.id)
        .first();
    expect(await count()).toMatchObject({ n: 0 });
    await worker.runCron(NIGHTLY, due + 1000);
    expect(await count()).toEqual({ n: 1, text: "This is the reminder you asked for." });
    await worker.runCron(NIGHTLY, due + 2000);
    expect(await count()).toMatchObject({ n: 1 });
  });

  it("reminds a member whose home brand no longer exists, and postpones one whom it cannot remind by a day", async () => {
    const [moved, broken] = [await createMember(worker), await createMember(worker)];
    for (const member of [moved, broken]) await edit(member, { reminderMonths: 3 });
    const { DB } = worker.env;
    await DB.exec("update health_panel set ts_reminder = null");
    await DB.exec(`update health_panel set ts_reminder = 1 where profile_id in (${moved.id}, ${broken.id})`);
    await DB.exec(`update account set home_brand = 'gone' where id = ${moved.id}`);
    await DB.exec(
      `create trigger broken before insert on notification when new.profile_id = ${broken.id} begin select raise(abort, 'broken'); end`,
    );
    const now = Date.now();
    await expect(sendTestReminders(worker.env, now, 10)).rejects.toThrow("broken");
    await DB.exec("drop trigger broken");
    const list = await moved.get<{ kind: string }[]>(`/api/notifications/${moved.id}`);
    expect(list.map(({ kind }) => kind)).toEqual(["reminder"]);
    const next = (member: TestMember) =>
      DB.prepare("select ts_reminder from health_panel where profile_id = ?").bind(member.id).first("ts_reminder");
    expect([await next(moved), await next(broken)]).toEqual([nextReminder(null, 3, now), now + DAY_MS]);
  });

  it("accepts a test of today wherever the member is", () => {
    const sydneyMorning = Date.parse("2026-03-14T21:00:00Z");
    expect(isFutureDay("2026-03-15", sydneyMorning)).toBe(false);
    expect(isFutureDay("2026-03-16", sydneyMorning)).toBe(true);
    expect(isFutureDay("2026-03-15", Date.parse("2026-03-14T09:00:00Z"))).toBe(true);
  });

  it("counts calendar months from the last test, or from now", () => {
    const now = Date.parse("2026-03-15T00:00:00Z");
    const day = (ts: number | null) => ts !== null && new Date(ts).toISOString().slice(0, 10);
    expect(day(nextReminder("2026-01-31", 3, now))).toBe("2026-04-30");
    expect(day(nextReminder("2024-01-31", 3, now))).toBe("2026-06-15");
    expect(day(nextReminder(null, 12, now))).toBe("2027-03-15");
    expect(nextReminder("2026-01-31", 0, now)).toBeNull();
  });
});
