/** A device with passkeys, and a member who makes one and logs in by it. */
import type { CDPSession, Page } from "playwright-core";
import { expect } from "vitest";

/** Notes on the page that its fields offer passkeys. */
function tellOfOffers(): void {
  const { get } = CredentialsContainer.prototype;
  CredentialsContainer.prototype.get = function (options) {
    if (options?.mediation === "conditional") document.documentElement.setAttribute("data-passkeys", "offered");
    return get.call(this, options);
  };
}

/** A device that keeps passkeys, and unlocks by itself while `presence` is on. */
export async function addAuthenticator(cdp: CDPSession) {
  await cdp.send("WebAuthn.enable");
  await cdp.send("Page.enable");
  await cdp.send("Page.addScriptToEvaluateOnNewDocument", { source: `(${tellOfOffers})()` });
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

export const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/**
 * By the button, on a login page that was opened while the device did not unlock: what the fields offer waits already, and a device answers
 * only what is asked of it afterwards.
 */
export async function clickPasskeyLogin(page: Page, device: Awaited<ReturnType<typeof addAuthenticator>>): Promise<void> {
  await page.waitForFunction(() => document.documentElement.getAttribute("data-passkeys") === "offered");
  await device.presence(true);
  await press(page, "Log in with a passkey");
}

export async function addPasskey(page: Page, name?: string): Promise<void> {
  await press(page, "Add a passkey");
  const sheet = page.getByRole("dialog", { name: "Add a passkey" });
  const field = sheet.getByLabel("Name");
  expect(await field.inputValue()).toBe("Chrome on Linux");
  if (name) await field.fill(name);
  await sheet.getByText("Your device keeps it under the name ember.localhost.").waitFor();
  await press(page, "Make the passkey");
  await sheet.waitFor({ state: "detached" });
}

export async function openLoginWithoutSession(page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.goto("/login");
}

/** The page that comes after the login, whichever it is. */
export const waitForLogin = (page: Page) => page.waitForURL(({ pathname }) => pathname !== "/login");
