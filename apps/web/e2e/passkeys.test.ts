/** @module-tag slow */
import { openSite, type TestSite } from "@lambda/testing/browser";
import { beforeAll, describe, expect, it } from "vitest";
import { logIn, makeMember, PASSWORD } from "./members.ts";
import { clickButton } from "./page-actions.ts";
import {
  addAuthenticator,
  addPasskey,
  clickPasskeyLogin,
  openLoginWithoutSession,
  waitForLogin,
} from "./passkey-device.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

describe("passkeys", () => {
  it("can be added only after a proof, log their owner in, and stop working when removed", async () => {
    const member = await makeMember(site, { name: "Keyholder", password: true });
    const { page, context, errors } = await site.open();
    const device = await addAuthenticator(await context.newCDPSession(page));
    await logIn(site, context, member);

    // The session is old: somebody who found the phone must prove to be its owner first.
    await page.goto("/settings#passkeys");
    await page.getByText("You have no passkey.").waitFor();
    await clickButton(page, "Add a passkey");
    const proof = page.getByRole("dialog", { name: "Confirm that it's you" });
    await proof.getByRole("button", { name: "Close" }).click();
    expect(await device.listPasskeys()).toEqual([]);
    await clickButton(page, "Add a passkey");
    await proof.getByLabel("Current password").fill(PASSWORD);
    await clickButton(page, "Confirm");
    await page.getByRole("dialog", { name: "Add a passkey" }).getByRole("button", { name: "Cancel" }).click();
    await addPasskey(page);
    await clickButton(page, "Rename Chrome on Linux");
    const renaming = page.getByRole("dialog", { name: "Rename the passkey" });
    await renaming.getByLabel("Name").fill("My phone");
    await renaming.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Rename My phone" }).waitFor();
    expect(await device.listPasskeys()).toMatchObject([{ rpId: "ember.localhost", isResidentCredential: true }]);
    // The authenticator refuses to create a second passkey for the account.
    await clickButton(page, "Add a passkey");
    await clickButton(page, "Make the passkey");
    await page.getByText("This device already has a passkey for this account.").waitFor();

    await device.setPresence(false);
    await openLoginWithoutSession(page);
    await clickPasskeyLogin(page, device);
    await waitForLogin(page);

    // The passkey serves as a fresh proof in the same session.
    await site.sql("update session set ts_proved = 0 where account_id = ?", member.id);
    await page.goto("/settings#passkeys");
    await clickButton(page, "Remove My phone");
    await page.getByRole("dialog").getByText("From then on it no longer logs you in here.").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
    await clickButton(page, "Use a passkey");
    await page.getByText("You have no passkey.").waitFor();

    const sessions = () => site.sql("select id from session where account_id = ?", member.id);
    const before = await sessions();
    // The device still has the removed passkey, but the server rejects it.
    await device.setPresence(false);
    await openLoginWithoutSession(page);
    await clickPasskeyLogin(page, device);
    await page.getByText("This passkey opens no account here").waitFor();
    expect(await sessions()).toEqual(before);
    expect(errors).toEqual([]);
  });

  it("are offered by the fields of the login page, and stop working when a copy is used", async () => {
    const member = await makeMember(site, { name: "Copied" });
    const { page, context } = await site.open();
    const device = await addAuthenticator(await context.newCDPSession(page));
    await logIn(site, context, member, { freshProof: true });
    await page.goto("/settings#passkeys");
    await addPasskey(page, "My laptop");

    await openLoginWithoutSession(page);
    // The virtual authenticator responds as soon as a login field offers passkeys.
    await waitForLogin(page);

    await device.resetCounter();
    await openLoginWithoutSession(page);
    await page.getByText("This passkey opens no account here").waitFor();
    expect(await site.sql("select 1 from passkey where account_id = ? and ts_cloned > 0", member.id)).toHaveLength(1);
    await device.setPresence(false);
    await logIn(site, context, member);
    await page.goto("/notifications");
    await page.getByText('Your passkey "My laptop" may have been copied.').click();
    await page.getByText("It may have been copied and no longer works.").waitFor();
  });

  it("do not break the login page when their code fails to load, and log in with the button afterwards", async () => {
    const member = await makeMember(site, { name: "Late" });
    const { page, context, errors } = await site.open();
    await addAuthenticator(await context.newCDPSession(page));
    await logIn(site, context, member, { freshProof: true });
    await page.goto("/settings#passkeys");
    await page.route(/\/assets\/webauthn-/, (route) => route.abort());
    await clickButton(page, "Add a passkey");
    await clickButton(page, "Make the passkey");
    await page.getByText("This device couldn't make a passkey.").waitFor();
    await page.unroute(/\/assets\/webauthn-/);
    await page.reload();
    await addPasskey(page);

    await page.route(/\/assets\/sign-in-/, (route) => route.abort());
    const lost = page.waitForEvent("requestfailed", (request) => request.url().includes("/assets/sign-in-"));
    await openLoginWithoutSession(page);
    await lost;
    await page.unroute(/\/assets\/sign-in-/);
    // Chromium never retries a failed module within a page, so the button reloads it; then the authenticator responds by itself.
    await clickButton(page, "Log in with a passkey");
    await waitForLogin(page);
    expect(errors).toEqual([]);
  });
});
