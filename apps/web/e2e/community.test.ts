import { CONSENSUS_SPAN_MS, CONSENSUS_VOTES_MIN, DAY_MS, EXPOSURE_MESSAGES_EACH_MIN } from "@lambda/contract/limits";
import { DESKTOP, openSite, type TestSite } from "@lambda/testing/browser";
import { createJuryPool } from "@lambda/testing/jury-pool";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Actor, createActors } from "./community-scene.ts";
import { LONG_TIMEOUT } from "./page-actions.ts";

/** Plays every community game in a browser and checks its effect in the database. */
let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

const { addActor, closeActors } = createActors(() => site);
beforeEach(async () => {
  // Games draw at random from all members, so each test starts without any.
  await site.sql("delete from account");
});
afterEach(async () => {
  // The browser logs the refused socket of a suspended member even though the page handles it.
  expect((await closeActors()).filter((error) => !/\/ws' failed.* 403$/.test(error))).toEqual([]);
});

/** Returns the first row; waits for it, because the page updates before the server has stored the change. */
async function waitForRow<Row = Record<string, unknown>>(query: string, ...values: (string | number)[]): Promise<Row> {
  await expect.poll(async () => (await site.sql(query, ...values)).length, LONG_TIMEOUT).toBeGreaterThan(0);
  return (await site.sql<Row>(query, ...values))[0]!;
}

describe("the community", () => {
  it("shows ten cards, those that fewest come for last", async () => {
    const me = await addActor();
    await me.page.goto(site.url("/games"));
    await me.page.getByRole("link", { name: "GPT Buster!" }).waitFor();
    const titles = await me.page
      .locator("main li a")
      .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    expect(titles).toEqual(
      [
        "gptbuster",
        "hotornot",
        "ratinggame",
        "ishim",
        "dungeon",
        "health",
        "arbitration",
        "photocrop",
        "identify",
        "cooties",
      ].map((game) => `/games/${game}`),
    );
  });

  /** Adds a proven player to a pool large enough to decide. */
  async function addProvenActor(): Promise<Actor> {
    const actor = await addActor();
    await site.sql("update account set ts_created = ts_created - ? where id = ?", 40 * DAY_MS, actor.id);
    for (const [game, known] of [
      ["rating", { safe: [8, 8], explicit: [8, 8] }],
      ["buster", { person: [8, 8], bot: [8, 8] }],
    ] as const) {
      await site.sql("insert or replace into game_pool values (?, 300)", game);
      await site.sql(
        "insert into game_record (profile_id, game, votes, known, proven) values (?, ?, 16, ?, 1)",
        actor.id,
        game,
        JSON.stringify(known),
      );
    }
    return actor;
  }

  /** A tally of one-sided votes over the last days, one vote short of a decision. */
  const almostDecidedTally = (answer: string) =>
    JSON.stringify({
      votes: CONSENSUS_VOTES_MIN - 1,
      weights: { [answer]: CONSENSUS_VOTES_MIN - 1 },
      tsFirst: Date.now() - 2 * CONSENSUS_SPAN_MS,
      tsLast: Date.now() - DAY_MS,
    });

  it("The Rating Game: the deciding vote marks the picture, its owner asks for a review, and staff decide", async () => {
    const owner = await addActor();
    const picture = await owner.addPicture();
    await site.sql(
      "insert into game_item (game, picture_id, subject_id, version, tally, ts_created) select 'rating', id, profile_id, version, ?, 1 from picture where id = ?",
      almostDecidedTally("explicit"),
      picture,
    );
    const me = await addProvenActor();
    await me.page.goto(site.url("/games/ratinggame"));
    await me.page.getByRole("button", { name: /Explicit/ }).waitFor();
    await me.page.getByText("Counts", { exact: true }).waitFor();
    await me.page.keyboard.press("3");
    await waitForRow("select id from picture where id = ? and nsfw_community = 1", picture);
    await me.page.getByText("That's all for now").waitFor();

    await site.sql("update game_pool set voters = 10");
    await owner.page.goto(site.url("/notifications"));
    await owner.page.getByText("rated one of your pictures NSFW").waitFor();
    await owner.page.goto(site.url("/profileEdit"));
    await owner.page.getByRole("button", { name: "Show NSFW" }).click();
    await owner.page.getByRole("button", { name: /^Picture 1 of 1/ }).click();
    await owner.page.getByRole("button", { name: "Ask for another look" }).click();
    await owner.page.getByText("Others are taking another look").waitFor();
    await waitForRow("select id from game_item where staff_reason = 'owner' and picture_id = ?", picture);

    const admin = await addActor({ adminBrand: "ember" });
    await admin.page.goto(site.url("/dashboard?section=reviews"));
    await admin.page.getByText("The owner asks for another look").waitFor();
    await admin.page.getByRole("button", { name: "Suggestive" }).click();
    await waitForRow("select id from picture where id = ? and nsfw_community = 0", picture);
    await admin.page.getByText("Members' votes decided everything.").waitFor();
  });

  it("GPT Buster!: texts follow one another, and the deciding vote files a report", async () => {
    const subject = await addActor({
      description: "I am a passionate soul who truly cherishes meaningful connections and endless adventures together.",
    });
    // A pack holds ten texts, so no other member may have one.
    await site.sql("update profile set description = '' where id <> ? and description <> ''", subject.id);
    const voter = await addProvenActor();
    const drawn = (await voter.send("POST", "/api/games/gptbuster/draw", {})).json as {
      itemId: number;
      text: string;
    }[];
    const item = drawn.find((candidate) => candidate.text.includes("passionate soul who truly"))!;
    await voter.send("POST", "/api/games/gptbuster/vote", { itemId: item.itemId, answer: "bot" });
    await site.sql("update game_item set tally = ? where subject_id = ?", almostDecidedTally("bot"), subject.id);
    const last = await addProvenActor();
    await last.page.goto(site.url("/games/gptbuster"));
    const text = last.page.locator("blockquote");
    for (let round = 0; round < 4; round += 1) {
      const words = await text.innerText().catch(() => "");
      if (words === "") break;
      await last.page.getByRole("button", { name: "A bot" }).click();
      await expect.poll(() => text.innerText({ timeout: 500 }).catch(() => ""), LONG_TIMEOUT).not.toBe(words);
    }
    const report = await waitForRow<{ category: string }>(
      "select category from report where subject_id = ?",
      subject.id,
    );
    expect(report.category).toBe("bot");
  });

  it("Hot! or Not!: the button likes the picture", async () => {
    const owner = await addActor();
    const picture = await owner.addPicture();
    const me = await addActor();
    await me.page.goto(site.url("/games/hotornot"));
    await me.page.getByRole("button", { name: "Hot!", exact: true }).click();
    const like = await waitForRow<{ like_type: string }>(
      "select like_type from picture_like where liker_id = ? and picture_id = ?",
      me.id,
      picture,
    );
    expect(like.like_type).toBe("LIKE");
    await me.page.getByText("That's all for now").waitFor();
  });

  it("3 2 1 Identify!: shows a picture for three seconds and records one answer out of three", {
    tags: "slow",
  }, async () => {
    for (const name of ["Abel", "Boris", "Cosmo"]) {
      const member = await addActor({ name });
      await member.addPicture();
      await member.addPicture([40, 90, 160]);
    }
    const me = await addActor();
    await me.page.goto(site.url("/games/identify"));
    await me.page.getByRole("button", { name: "Show me" }).click();
    await me.page.getByRole("heading", { name: "Who was it?" }).waitFor();
    await me.page.keyboard.press("2");
    await me.page.getByRole("button", { name: "Next one" }).waitFor();
    const record = await waitForRow<{ votes: number }>("select votes from game_record where profile_id = ?", me.id);
    expect(record.votes).toBe(1);
    // Enter starts the next round, except on a link or a button.
    await me.page.getByRole("link", { name: "View Profile" }).press("Enter");
    await me.page.waitForURL(/\/profile\/\d+/);
  });

  it("Help my Photos: an owner asks for a crop, a helper suggests one, and the owner applies it", async () => {
    const owner = await addActor();
    const picture = await owner.addPicture();
    await owner.page.goto(site.url("/games/photocrop?tab=mine"));
    await owner.page.getByText("Ask for a better crop").click();
    await waitForRow("select id from picture where wants_crop = 1 and id = ?", picture);

    const helper = await addActor();
    await helper.page.goto(site.url("/games/photocrop"));
    const stage = helper.page.getByRole("application");
    await stage.focus();
    for (let index = 0; index < 6; index += 1) await helper.page.keyboard.press("+");
    await helper.page.keyboard.press("Shift+ArrowRight");
    await helper.page.getByRole("button", { name: "Suggest this crop" }).click();
    await waitForRow("select id from crop_suggestion where picture_id = ?", picture);

    await owner.page.reload();
    await owner.page.getByRole("button", { name: "Apply" }).click();
    await waitForRow("select id from crop_suggestion where state = 'applied'");
    const after = await waitForRow<{ width: number; wants_crop: number }>(
      "select width, wants_crop from picture where id = ?",
      picture,
    );
    expect(after.width).toBeLessThan(400);
    expect(after.wants_crop).toBe(0);
    const credits = await waitForRow<{ credits: number }>("select credits from profile where id = ?", helper.id);
    expect(credits.credits).toBe(5);
  });

  it("You got Cooties!: a member joins, catches them, and passes them on", async () => {
    const me = await addActor({ name: "Runner" });
    const other = await addActor({ name: "Chaser" });
    for (const one of [me, other]) {
      await one.send("PUT", `/api/profile-position/${one.id}`, {
        profileId: one.id,
        overrideLat: 33.45,
        overrideLon: -112.07,
        use: "OVERRIDE",
        hide: false,
      });
    }
    await me.page.goto(site.url("/games/cooties"));
    await me.page.getByRole("button", { name: "I want to play" }).click();
    await me.page.getByRole("heading", { name: "You got Cooties!", level: 2 }).waitFor();
    await other.send("PUT", "/api/games/cooties", { playing: true });
    await me.page.reload();
    await me.page.getByRole("button", { name: "Tag Chaser" }).click();
    await waitForRow("select profile_id from cooties_player where profile_id = ? and carrier = 1", other.id);
    await me.page.getByText("You're clean").waitFor();
  });

  it("Health Incident Report: sends a notice that does not record its sender", async () => {
    const me = await addActor();
    const partner = await addActor({ name: "Partner" });
    for (let written = 0; written < EXPOSURE_MESSAGES_EACH_MIN; written += 1) {
      await me.send("POST", "/api/message", { recipientProfileId: partner.id, bodyText: `hi ${written}` });
      await partner.send("POST", "/api/message", { recipientProfileId: me.id, bodyText: `hi you ${written}` });
    }
    await me.page.goto(site.url("/games/health"));
    await me.page.getByText("could still guess it was you").waitFor();
    await me.page.getByLabel("Partner").check();
    await me.page.getByRole("button", { name: "Send 1 notice" }).click();
    await me.page.getByText("nothing here remembers you sent it").waitFor();
    const notice = await waitForRow<Record<string, unknown>>("select * from exposure_notice");
    expect(notice).toMatchObject({ recipient_id: partner.id });
    expect(Object.values(notice)).not.toContain(me.id);
  });

  it("Community Arbitration and the dungeon: a jury suspends a member, who appeals and checks the audit log", async () => {
    const subject = await addActor({ name: "Loudmouth" });
    const reporter = await addActor();
    await createJuryPool(site.run);
    const sent = await subject.send("POST", "/api/message", {
      recipientProfileId: reporter.id,
      bodyText: "You will regret this",
    });
    const filed = await reporter.send("POST", "/api/report", {
      subjectProfileId: subject.id,
      source: "message",
      sourceId: (sent.json as { id: number }).id,
      category: "harassment",
      text: "Loudmouth again",
    });
    expect(filed.status).toBe(201);
    const seats = await site.sql<{ profile_id: number; jury_id: number }>("select profile_id, jury_id from juror");
    expect(seats).toHaveLength(9);
    const [mine, ...others] = seats;
    for (const seat of others) {
      const juror = await addActor({ id: seat.profile_id });
      await juror.send("POST", `/api/arbitration/${seat.jury_id}/vote`, {
        verdict: "violation",
        sanction: "suspend_3",
        reason: "A plain threat to a member.",
      });
    }
    const { page } = await addActor({ id: mine!.profile_id });
    await page.goto(site.url("/games/arbitration"));
    await page.getByText("You will regret this").waitFor();
    expect(await page.getByText("Loudmouth").count()).toBe(0);
    await page.getByLabel("It breaks the rule").check();
    await page.getByLabel("Suspend for 3 days").check();
    await page.getByLabel(/^Why\?/).fill("It is meant to frighten him.");
    await page.getByRole("button", { name: "Cast my vote" }).click();
    await waitForRow("select id from profile where id = ? and status = 'suspended'", subject.id);

    await subject.page.goto(site.url("/games/dungeon"));
    await subject.page.getByRole("heading", { name: /You're suspended until/ }).waitFor();
    await subject.page.getByRole("button", { name: "Appeal", exact: true }).click();
    await subject.page.getByRole("textbox", { name: /Appeal/ }).fill("It was a line from a song we both like.");
    await subject.page.getByRole("button", { name: "Send the appeal" }).click();
    await subject.page.getByText("Your appeal is being looked at.").waitFor();
    await waitForRow("select report_id from appeal where side = 'subject' and jury_id is not null");

    await subject.page.getByRole("link", { name: "Check my case in the audit log" }).click();
    await subject.page.getByRole("button", { name: "Check my case" }).click();
    await subject.page.getByText(/entries are about your case/).waitFor();
    await subject.page.getByRole("button", { name: "Check the whole record" }).click();
    await subject.page.getByText(/^Sound:/).waitFor();
  });
});

describe("the dashboard", () => {
  it("counts roles, creates 200 users, decides a report, handles messages, and logs every action", async () => {
    const admin = await addActor({ adminBrand: "ember", viewport: DESKTOP, name: "Chief" });
    const subject = await addActor({ name: "Culprit" });
    const reporter = await addActor();
    await reporter.send("POST", "/api/report", {
      subjectProfileId: subject.id,
      category: "threat",
      text: "He means it",
    });
    await reporter.send("POST", "/api/contactus-messages", { name: "Rob", message: "Where is the light switch?" });
    const { page } = admin;
    await page.goto(site.url("/dashboard"));
    await page.getByText("Users Count by Role").waitFor();
    // What is due stands first, and j and Enter reach the oldest of it.
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByText("He means it").waitFor();
    await page.goBack();
    await page.getByRole("link", { name: /^Reports 1 waiting/ }).waitFor();
    await page.getByRole("button", { name: "Create 200 Users" }).click();
    await page.getByText("200 test users created").first().waitFor({ timeout: 30_000 });
    await page.getByText("203", { exact: true }).first().waitFor(LONG_TIMEOUT);

    await page.getByRole("link", { name: /^Reports/ }).click();
    await page.getByRole("link", { name: /Threat of violence/ }).click();
    await page.getByText("He means it").waitFor();
    await page.getByLabel("Action", { exact: true }).selectOption("ban");
    await page.getByLabel(/^Reason/).fill("Threatened another member.");
    await page.getByRole("button", { name: "Do it" }).click();
    await waitForRow("select id from profile where id = ? and status = 'banned'", subject.id);
    expect((await subject.send("GET", "/api/profiles/mine")).status).toBe(403);

    await page.getByRole("link", { name: "Members", exact: true }).click();
    await page.getByLabel("Number, address or name").fill("Culprit");
    await page.getByRole("button", { name: "Find" }).click();
    await page.getByRole("button", { name: String(subject.id), exact: true }).click();
    await page.getByRole("button", { name: "Lift" }).click();
    await waitForRow("select id from profile where id = ? and status = 'active'", subject.id);

    await page.getByRole("link", { name: /^Messages 1 waiting/ }).click();
    const message = page.getByRole("listitem").filter({ hasText: "Where is the light switch?" });
    await message.getByRole("button", { name: "Mark as dealt with" }).click();
    await waitForRow(
      "select id from contact_message where ts_done is not null and message = 'Where is the light switch?'",
    );

    await page.getByRole("link", { name: "Audit log", exact: true }).click();
    await page.getByRole("cell", { name: "lift.ban" }).waitFor();
    await page.getByRole("cell", { name: "action.ban" }).waitFor();
    await page.getByRole("cell", { name: "Real Chief" }).first().waitFor();

    await page.getByRole("link", { name: "Health", exact: true }).click();
    await page.getByText("Nobody is told when something goes wrong").waitFor();
    const charts = page.getByRole("figure");
    const latest = (title: string) => charts.filter({ hasText: title }).locator("strong");
    const measure = async () => {
      // The cron job measures a site without requests since the last report every five minutes only.
      expect((await fetch(`http://localhost:${site.port}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`)).ok).toBe(true);
      await page.reload();
      return latest("Size of the database").textContent();
    };
    await expect.poll(measure, LONG_TIMEOUT).toMatch(/[1-9].* MB/);
    await latest("Live connections open")
      .filter({ hasText: /^[1-9]/ })
      .waitFor();
    const calls = charts.filter({ hasText: "Response times" });
    await calls.getByText("The numbers").click();
    await calls.getByRole("cell", { name: /\d ms/ }).first().waitFor();
  });

  it("lets a volunteer on a phone decide what is due first in five taps, none chosen for them, with the decision before rarer acts", async () => {
    const { page } = await addActor({ adminBrand: "ember", name: "Volunteer" });
    const [subject, reporter] = [await addActor({ name: "Shouter" }), await addActor()];
    await reporter.send("POST", "/api/report", {
      subjectProfileId: subject.id,
      category: "threat",
      text: "He shouts at me",
    });
    await page.goto(site.url("/dashboard"));
    await page.getByRole("link", { name: /^Threat of violence.*Shouter/ }).tap();
    await page.getByText("He shouts at me").waitFor();
    const heightOf = async (name: string) => (await page.getByRole("button", { name }).boundingBox())!.y;
    expect(await heightOf("Do it")).toBeLessThan(await heightOf("Hold the evidence"));
    const back = page.getByRole("link", { name: "Back to the list" });
    expect((await back.boundingBox())!.height).toBeGreaterThanOrEqual(44);
    await page.getByLabel(/^Reason/).tap();
    await page.getByLabel(/^Reason/).fill("A warning is enough this once.");
    expect(await page.getByRole("button", { name: "Do it" }).isDisabled()).toBe(true);
    await page.getByLabel("Action", { exact: true }).selectOption("warn");
    await page.getByRole("button", { name: "Do it" }).tap();
    await waitForRow("select id from moderation_action where profile_id = ? and kind = 'warn'", subject.id);
    await back.tap();
    await page.getByText("Nothing is waiting here.").waitFor();
    // The tab of a section that is open is on the screen.
    await page.goto(site.url("/dashboard?section=audit"));
    const tab = await page.getByRole("link", { name: "Audit log", exact: true }).boundingBox();
    expect(tab!.x + tab!.width).toBeLessThanOrEqual(390);
  });
});
