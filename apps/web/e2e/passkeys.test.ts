import { openSite, type TestSite } from "@lambda/testing/browser";
import type { CDPSession, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { logIn, makeMember, PASSWORD } from "./members.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

/** A device that keeps passkeys, and unlocks by itself while `presence` is on. */
async function addDevice(cdp: CDPSession) {
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...({ protocol: "ctap2", transport: "internal" } as const),
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  return {
    presence: (enabled: boolean) => cdp.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled }),
    passkeys: async () => (await cdp.send("WebAuthn.getCredentials", { authenticatorId })).credentials,
    /** Sets the counter of a passkey back, as on a copy that was made before it was used. */
    turnBack: async () => {
      const [kept] = (await cdp.send("WebAuthn.getCredentials", { authenticatorId })).credentials;
      if (!kept) throw new Error("the device has no passkey");
      await cdp.send("WebAuthn.removeCredential", { authenticatorId, credentialId: kept.credentialId });
      await cdp.send("WebAuthn.addCredential", { authenticatorId, credential: { ...kept, signCount: 0 } });
    },
  };
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

async function addPasskey(page: Page, name?: string): Promise<void> {
  await press(page, "Add a passkey");
  const sheet = page.getByRole("dialog", { name: "Add a passkey" });
  const field = sheet.getByLabel("Name");
  expect(await field.inputValue()).toBe("Chrome on Linux");
  if (name) await field.fill(name);
  await sheet.getByText("Your device keeps it under the name ember.localhost.").waitFor();
  await press(page, "Make the passkey");
  await sheet.waitFor({ state: "detached" });
}

async function leave(page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.goto("/login");
}

/** The page that comes after the login, whichever it is. */
const isIn = (page: Page) => page.waitForURL(({ pathname }) => pathname !== "/login");

describe("passkeys", () => {
  it("are added by their owner alone, log in by one press and by themselves, and end when copied or removed", async () => {
    const member = await makeMember(site, { name: "Keyholder", password: true });
    const { page, context, errors } = await site.open();
    const device = await addDevice(await context.newCDPSession(page));
    await logIn(site, context, member);

    // An old session: somebody who found the phone gets no further than the question.
    await page.goto("/settings#passkeys");
    await page.getByText("You have no passkey.").waitFor();
    await press(page, "Add a passkey");
    const proof = page.getByRole("dialog", { name: "Confirm that it is you" });
    await proof.getByRole("button", { name: "Close" }).click();
    expect(await device.passkeys()).toEqual([]);
    await press(page, "Add a passkey");
    await proof.getByLabel("Current password").fill(PASSWORD);
    await press(page, "Confirm");
    await page.getByRole("dialog", { name: "Add a passkey" }).getByRole("button", { name: "Cancel" }).click();
    await addPasskey(page);
    await page.getByText("Chrome on Linux").waitFor();
    await press(page, "Rename Chrome on Linux");
    const renaming = page.getByRole("dialog", { name: "Rename the passkey" });
    await renaming.getByLabel("Name").fill("My phone");
    await renaming.getByRole("button", { name: "Save" }).click();
    await page.getByText("My phone").waitFor();
    expect(await device.passkeys()).toMatchObject([{ rpId: "ember.localhost", isResidentCredential: true }]);
    // The device says that it has one, and makes no second.
    await press(page, "Add a passkey");
    await press(page, "Make the passkey");
    await page.getByText("This device has a passkey for this account already.").waitFor();

    await device.presence(false);
    await leave(page);
    await press(page, "Log in with a passkey");
    await device.presence(true);
    await isIn(page);

    // A fresh proof by passkey, in the same session.
    await site.sql("update session set ts_proved = 0 where account_id = ?", member.id);
    await page.goto("/settings");
    await press(page, "Remove My phone");
    await page.getByRole("dialog").getByText("It opens nothing here from then on.").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
    await press(page, "Use a passkey");
    await page.getByText("You have no passkey.").waitFor();

    const sessions = () => site.sql("select id from session where account_id = ?", member.id);
    const before = await sessions();
    // Removed: the device still has it, and it opens nothing.
    await device.presence(false);
    await leave(page);
    await press(page, "Log in with a passkey");
    await device.presence(true);
    await page.getByText("This passkey opens no account here").waitFor();
    expect(await sessions()).toEqual(before);
    expect(errors).toEqual([]);
  });

  it("are offered in the fields of the login page, and a copy of one ends it", async () => {
    const member = await makeMember(site, { name: "Copied" });
    const { page, context } = await site.open();
    const device = await addDevice(await context.newCDPSession(page));
    await logIn(site, context, member, { proved: true });
    await page.goto("/settings");
    await addPasskey(page, "My laptop");

    await leave(page);
    // Chromium's device answers for the member as soon as a field offers.
    await isIn(page);

    await device.turnBack();
    await leave(page);
    await page.getByText("This passkey opens no account here").waitFor();
    expect(await site.sql("select 1 from passkey where account_id = ? and ts_cloned > 0", member.id)).toHaveLength(1);
    await device.presence(false);
    await logIn(site, context, member);
    await page.goto("/notifications");
    await page.getByText('Your passkey "My laptop" may have been copied.').click();
    await page.getByText("May have been copied, and opens nothing any more.").waitFor();
  });
});
