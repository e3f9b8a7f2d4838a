import { readFileSync } from "node:fs";
import { openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import { findBarriers } from "@lambda/ui/barriers";
import { beforeAll, describe, expect, it } from "vitest";
import { apiFor, logIn, makeMember, PASSWORD } from "./members.ts";
import { newPlace, reportPosition } from "./nearby.ts";
import { fetchLocally, LONG_TIMEOUT, waitForHydration } from "./page-actions.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

describe("the account page", () => {
  it("saves name and password, and shows a confirmation for 3 s", async () => {
    const member = await makeMember(site, { password: true });
    const { page, context, errors } = await site.open();
    await logIn(site, context, member);
    await page.clock.install();
    await page.goto("/settings#login");
    await page.getByLabel("Real name").fill("Óscar");
    await page.getByLabel("New password").fill("a brand new secret");
    await page.getByLabel("Repeat password").fill("a brand new secre");
    await page.getByText("Passwords do not match", { exact: true }).waitFor();
    await page.getByLabel("Repeat password").fill("a brand new secret");
    await page.getByRole("button", { name: "Save" }).click();
    const proof = page.getByRole("dialog", { name: "Confirm that it's you" });
    await proof.getByLabel("Current password").fill("wrong");
    await proof.getByRole("button", { name: "Confirm", exact: true }).click();
    await proof.getByText("This isn't your current password.").waitFor();
    expect(await page.getByText("Could not save your settings.").count()).toBe(0);

    await proof.getByLabel("Current password").fill(PASSWORD);
    await proof.getByRole("button", { name: "Confirm", exact: true }).click();
    const saved = page.getByText("Saved", { exact: true }).last();
    await saved.waitFor();
    await page.clock.fastForward(3100);
    await saved.waitFor({ state: "detached" });
    const [row] = await site.sql<{ name: string }>("select name from account where id = ?", member.id);
    expect(row?.name).toBe("Óscar");
    expect(errors).toEqual([]);
    await context.close();
  });

  it("asks before it uses a new address, and lists what could lock the account after a proof", {
    tags: "slow",
  }, async () => {
    const member = await makeMember(site, { password: true });
    const email = `moved-${member.id}@example.test`;
    const { page, context } = await site.open();
    await logIn(site, context, member, { freshProof: true });
    await page.goto("/settings#login");
    await page.getByLabel("Email", { exact: true }).fill(email);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(`We sent a link to ${email}.`).waitFor();
    // Meanwhile the rest of the form can be saved, without a proof and without a second mail.
    await site.sql("update session set ts_proved = 0 where account_id = ?", member.id);
    await page.reload();
    await page.getByLabel("Real name").fill("Renamed");
    await page.getByRole("button", { name: "Save" }).click();
    await expect
      .poll(() => site.sql("select name from account where id = ?", member.id))
      .toEqual([{ name: "Renamed" }]);
    const addresses = () => site.sql("select email, email_pending from account where id = ?", member.id);
    await page.goto(await site.loginLink(email));
    const question = page.getByRole("dialog", { name: `Use ${email}?` });
    await question.waitFor();
    expect(page.url()).not.toContain("confirm");
    // Opening the link sends nothing: it may be somebody else's.
    expect(await addresses()).toEqual([{ email: member.email, email_pending: email }]);
    expect(await findBarriers(page)).toEqual([]);
    await question.getByRole("button", { name: "Use this address" }).click();
    const proof = page.getByRole("dialog", { name: "Confirm that it's you" });
    await proof.getByLabel("Current password").fill(PASSWORD);
    await proof.getByRole("button", { name: "Confirm", exact: true }).click();
    await page.getByText("Your new address is in use.").waitFor();
    expect(await addresses()).toEqual([{ email, email_pending: null }]);

    await site.sql("insert into lockdown (account_id, words_hash, ts_words) values (?, 'x', 1)", member.id);
    await site.sql(
      "insert into lockdown_signal (account_id, token_hash, hours, device_label) values (?, x'01', 72, 'Old phone')",
      member.id,
    );
    await site.sql("update session set ts_proved = 0 where account_id = ?", member.id);
    await page.reload();
    await page.getByRole("heading", { name: "Where you are logged in" }).click();
    await page.getByRole("button", { name: "What can lock this account" }).click();
    await proof.getByLabel("Current password").fill(PASSWORD);
    await proof.getByRole("button", { name: "Confirm", exact: true }).click();
    await page.getByText("Its second PIN refuses every login for 3 days.").waitFor();
    await page.getByRole("button", { name: "Remove Old phone" }).click();
    await page.getByRole("button", { name: "Remove Recovery words" }).click();
    await page.getByText("Nothing can lock this account.").waitFor();
    expect(await site.sql("select 1 from lockdown_signal where account_id = ?", member.id)).toEqual([]);
    await page.goto("/settings?confirm=used");
    await page.getByText("This link has expired, was used before").waitFor();
    await context.close();
  });

  it("keeps theme, language and units on the device", async () => {
    const { page, context } = await site.open();
    await logIn(site, context, await makeMember(site));
    await page.goto("/settings#look");
    await page.getByRole("radio", { name: "Light" }).click();
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe("light");
    await page.getByLabel("Language").selectOption("es");
    await page.getByRole("heading", { level: 1, name: "Cuenta" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Cuenta" }).waitFor();
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe("light");
    await context.close();
  });

  it("says who sees the member although the answer to the change was lost", { tags: "slow" }, async () => {
    const { page, context } = await site.open();
    await logIn(site, context, await makeMember(site));
    await page.goto("/settings#visibility");
    const discreet = page.getByRole("switch", { name: "Discreet" });
    await discreet.click();
    await expect.poll(() => discreet.isChecked()).toBe(true);
    await page.route(/settings\.setDiscreet/, async (route) => {
      await fetchLocally(route);
      await route.abort();
    });
    await discreet.click();
    await page.getByText("You seem to be offline. Check your connection and try again.").first().waitFor();
    await expect.poll(() => discreet.isChecked()).toBe(false);
    await context.close();
  });

  it("asks for confirmation before it shows the exact position", async () => {
    const { page, context } = await site.open();
    const member = await makeMember(site);
    await logIn(site, context, member);
    await page.goto("/settings#position");
    await page.getByText("To show your exact spot, switch to walk mode on the map first.").waitFor();
    expect(await page.getByRole("radio", { name: /^Exact/ }).isDisabled()).toBe(true);
    // Waits for the page's own random position, which would otherwise overwrite this one.
    await expect.poll(() => site.sql("select 1 from position where profile_id = ?", member.id)).toHaveLength(1);
    await reportPosition(site, member, newPlace());
    await page.reload();
    await page.getByRole("radio", { name: /^Exact/, disabled: false }).click();
    await page.getByRole("heading", { name: "Show exactly where you are?" }).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    expect(await page.getByRole("radio", { name: /^Street/ }).isChecked()).toBe(true);
    await page.getByRole("radio", { name: /^City/ }).click();
    expect(await page.getByRole("radio", { name: /^City/ }).isChecked()).toBe(true);
    await context.close();
  });

  it("lists logged-in devices and logs them out", async () => {
    const member = await makeMember(site);
    const other = await site.open();
    await logIn(site, other.context, member);
    const { page, context } = await site.open();
    await logIn(site, context, member);
    await page.goto("/settings#sessions");
    await page.getByRole("button", { name: "End Test browser" }).click();
    await page.getByRole("button", { name: "End Test browser" }).waitFor({ state: "detached" });
    await other.page.goto("/settings");
    await other.page.waitForURL("**/login");
    await page.getByRole("button", { name: "Log out everywhere" }).click();
    await page.waitForURL("**/login");
    expect(await site.sql("select 1 from session where account_id = ?", member.id)).toEqual([]);
    await Promise.all([context.close(), other.context.close()]);
  });

  it("takes back what a borrowed phone opened, except what its owner keeps", async () => {
    const [owner, stranger, friend] = [
      await makeMember(site, { password: true }),
      await makeMember(site, { name: "Stranger" }),
      await makeMember(site, { name: "Friend" }),
    ];
    const byStranger = await apiFor(site, stranger);
    const byFriend = await apiFor(site, friend);
    const isOpen = async (by: typeof byStranger) => (await by.fetch(`/api/album/${owner.id}`)).text();
    await site.sql("insert into block values (?1, ?2, 1, 0, 1)", owner.id, stranger.id);
    await site.sql("insert into block values (?2, ?1, 0, 1, 1)", owner.id, stranger.id);
    const phone = await site.open({ viewport: PHONE });
    await logIn(site, phone.context, owner);
    await phone.page.goto("/settings#blocked");
    await phone.page.getByRole("button", { name: "Unblock Stranger" }).click();
    await phone.page.getByRole("dialog", { name: "Confirm that it's you" }).waitFor();
    await phone.page.keyboard.press("Escape");
    expect((await byStranger.fetch(`/api/profile/${owner.id}`)).status).toBe(404);
    await site.sql("delete from block where profile_id in (?1, ?2)", owner.id, stranger.id);
    for (const { id } of [stranger, friend])
      expect(
        await phone.page.evaluate(
          async (memberProfileId) =>
            (
              await fetch("/api/album-grant", {
                method: "PUT",
                headers: { "content-type": "application/json" },
                body: JSON.stringify({ memberProfileId }),
              })
            ).status,
          id,
        ),
      ).toBe(200);
    expect(await isOpen(byStranger)).toContain("granted");

    const { page, context } = await site.open({ viewport: PHONE });
    await logIn(site, context, owner, { freshProof: true });
    await page.goto("/settings#sessions");
    await page.getByRole("button", { name: "Log out everywhere" }).click();
    const sheet = page.getByRole("dialog", { name: "Take this back too?" });
    await sheet.getByRole("checkbox", { name: "Stranger sees your private pictures", checked: true }).waitFor();
    await sheet.getByRole("checkbox", { name: "Friend sees your private pictures" }).uncheck({ force: true });
    expect(await findBarriers(page)).toEqual([]);
    await sheet.getByRole("button", { name: "Log out everywhere" }).click();
    await page.waitForURL("**/login");
    expect(await isOpen(byStranger)).not.toContain("granted");
    expect(await isOpen(byFriend)).toContain("granted");
    expect(await site.sql("select 1 from disclosure where profile_id = ?", owner.id)).toEqual([]);
    await phone.page.goto("/settings");
    await phone.page.waitForURL("**/login");
    await Promise.all([context.close(), phone.context.close()]);
  });

  it("exports all data as one ZIP file, deletes the account, and restores it on registration", {
    tags: "slow",
  }, async () => {
    const member = await makeMember(site, { name: "Leaver" });
    const { page, context } = await site.open();
    await logIn(site, context, member);
    await page.goto("/settings#data");
    await page.getByRole("button", { name: "Download my data" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Download" }).click();
    const proof = page.getByRole("dialog", { name: "Confirm that it's you" });
    // While the whole site is asked for very many mails, the device works first.
    const work = { code: "PRECONDITION_FAILED", httpStatus: 428, error: { code: "WORK_NEEDED", limit: 0 } };
    const bodies: string[] = [];
    await page.route("**/trpc/proofs.mail*", async (route) => {
      bodies.push(route.request().postData() ?? "");
      if (bodies.length > 1) await route.continue();
      else
        await route.fulfill({
          status: 428,
          json: [{ error: { message: "We're swamped", code: -32_012, data: work } }],
        });
    });
    await proof.getByRole("button", { name: "Mail me a code" }).click();
    await proof.getByText("We're swamped").waitFor();
    await proof.getByLabel("Six-digit code").waitFor({ timeout: 60_000 });
    expect(bodies.map((body) => body.includes('"proof"'))).toEqual([false, true]);
    await proof.getByLabel("Six-digit code").fill(await site.loginDigits(member.email));
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      proof.getByRole("button", { name: "Confirm", exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^ember-.*\.zip$/);
    await page
      .getByText(/^Last download: /)
      .last()
      .waitFor();
    expect(
      readFileSync(await download.path())
        .subarray(0, 2)
        .toString(),
    ).toBe("PK");

    // The page notices that its session is over before its storage is cleared, and must not remember where it was.
    await page.evaluate(() => {
      const openSlowly = () => ({
        set onerror(fail: () => void) {
          setTimeout(fail, 1000);
        },
      });
      IDBFactory.prototype.open = openSlowly as unknown as typeof IDBFactory.prototype.open;
    });
    await page.getByRole("heading", { name: "Delete the account" }).click();
    await page.getByRole("button", { name: "Delete my account" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete my account" }).click();
    await page.waitForURL("**/login");
    await page.getByText("Your account has been deleted. Until").last().waitFor();
    const status = () => site.sql("select status from profile where id = ?", member.id);
    expect(await status()).toEqual([{ status: "deleted" }]);
    // The mail about the deletion must not come after the one with the login link.
    const newestMail = async () => {
      const response = await fetch(`http://localhost:${site.port}/dev/mail.json`);
      const mails = (await response.json()) as { to: string; text: string }[];
      return mails.find(({ to }) => to === member.email)?.text;
    };
    await expect.poll(newestMail, LONG_TIMEOUT).toContain("Nobody sees you now.");

    await page.goto("/register");
    await waitForHydration(page);
    await page.getByLabel("Email").fill(member.email);
    for (const box of await page.getByRole("checkbox").all()) await box.check();
    await page.getByRole("button", { name: "Send me a login link" }).click();
    await page.getByText("Check your mail").waitFor();
    await page.goto(await site.loginLink(member.email));
    await page.getByRole("heading", { name: "Hello, Leaver." }).waitFor();
    expect(await status()).toEqual([{ status: "active" }]);
    await context.close();
  });
});
