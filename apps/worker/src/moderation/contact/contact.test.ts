import { getBrand } from "@lambda/brands";
import { CONTACT_MESSAGE_RETENTION_MS, CONTACT_MESSAGES_PER_HOUR_MAX } from "@lambda/contract/limits";
import { createMember } from "@lambda/testing/member";
import { createVisitor, waitForMail } from "@lambda/testing/visitor";
import { startWorker, type TestWorker } from "@lambda/testing/worker";
import { beforeEach, describe, expect, it } from "vitest";
import { EXPIRED } from "../../data-rights/retention/expired.ts";
import { openDatabase } from "../../platform/db/database.ts";

let worker: TestWorker;
beforeEach(async () => {
  worker = await startWorker();
});

function stored() {
  return worker.env.DB.prepare("select kind, profile_id, brand, name, message from contact_message").all();
}

describe("contact", () => {
  it("stores a letter and mails it to the operator, from a visitor or a member", async () => {
    const letter = { name: "Zoë", message: "<b>Hello</b> there" };
    const response = await createVisitor(worker, "harbor").send("POST", "/api/contactus-messages", letter);
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject(letter);
    expect((await stored()).results).toEqual([{ kind: "contact", profile_id: null, brand: "harbor", ...letter }]);
    const mail = await waitForMail(worker, getBrand("harbor").operatorAddress);
    expect(mail.text).toContain("<b>Hello</b> there");

    const me = await createMember(worker);
    expect((await me.send("POST", "/api/contactus-messages", { name: "Me" })).status).toBe(201);
    expect((await stored()).results[1]).toMatchObject({ profile_id: me.id, message: "" });
  });

  it("requires a name, rejects huge fields, and is rate limited", async () => {
    const visitor = createVisitor(worker);
    const nameless = await visitor.send("POST", "/api/contactus-messages", { name: " ", message: "x" });
    expect(nameless.status).toBe(400);
    expect(await nameless.json()).toMatchObject({ error: { code: "BAD_INPUT", field: "name" } });
    const huge = await visitor.send("POST", "/api/contactus-messages", { name: "x", message: "y".repeat(10_000_000) });
    expect(huge.status).toBe(400);
    expect((await stored()).results).toEqual([]);
    for (let count = 0; count < 5; count += 1) await visitor.send("POST", "/api/contactus-messages", { name: "x" });
    expect((await visitor.send("POST", "/api/contactus-messages", { name: "x" })).status).toBe(428);

    // A member is counted for themselves, from whichever network: each session has its own.
    const member = await createMember(worker);
    const write = async (message: string) => {
      const session = await member.onBrand("ember");
      return (await session.send("POST", "/api/contactus-messages", { name: "x", message })).status;
    };
    for (let count = 0; count < CONTACT_MESSAGES_PER_HOUR_MAX; count += 1) expect(await write(`${count}`)).toBe(201);
    expect(await write("last")).toBe(429);
  });
});

describe("a letter that staff closed", () => {
  it("is deleted after the retention period, but never while it is open", async () => {
    const now = CONTACT_MESSAGE_RETENTION_MS + 1_000;
    for (const [name, done] of [
      ["long done", 1_000],
      ["just done", 1_001],
      ["open", null],
    ] as const) {
      await worker.env.DB.prepare(
        "insert into contact_message (kind, brand, name, message, ts_created, ts_done) values ('contact', 'ember', ?, '', 1, ?)",
      )
        .bind(name, done)
        .run();
    }
    await EXPIRED.deleteDoneLetters(openDatabase(worker.env.DB), now)(10);
    expect((await stored()).results.map((row) => row.name)).toEqual(["just done", "open"]);
  });
});

describe("a problem report", () => {
  it("reaches the queue and the operator's mail", async () => {
    const me = await createMember(worker, { brand: "bramble" });
    const report = { message: "The map is blank", page: "/search/map" };
    expect((await me.send("POST", "/api/problem-reports", report)).status).toBe(201);
    expect((await stored()).results).toEqual([
      {
        kind: "problem",
        profile_id: me.id,
        brand: "bramble",
        name: `Member ${me.id}`,
        message: "The map is blank\n\nPage: /search/map",
      },
    ]);
    expect((await waitForMail(worker, getBrand("bramble").operatorAddress)).text).toContain("The map is blank");
    expect((await me.send("POST", "/api/problem-reports", { message: " " })).status).toBe(400);
    expect((await me.send("POST", "/api/problem-reports", { message: "x", page: "https://evil" })).status).toBe(400);
  });
});
