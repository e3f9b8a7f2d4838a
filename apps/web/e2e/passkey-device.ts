/** A virtual authenticator, and the steps to create a passkey and log in with it. */
import type { CDPSession, Page } from "playwright-core";
import { expect } from "vitest";
import { clickButton } from "./page-actions.ts";

/** Marks the document when a login field offers passkeys. Runs in the page. */
function markConditionalRequests(): void {
  const { get } = CredentialsContainer.prototype;
  CredentialsContainer.prototype.get = function (options) {
    if (options?.mediation === "conditional") document.documentElement.setAttribute("data-passkeys", "offered");
    return get.call(this, options);
  };
}

/** Adds a virtual authenticator. While `setPresence` is on, it approves requests by itself. */
export async function addAuthenticator(cdp: CDPSession) {
  await cdp.send("WebAuthn.enable");
  await cdp.send("Page.enable");
  await cdp.send("Page.addScriptToEvaluateOnNewDocument", { source: `(${markConditionalRequests})()` });
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    setPresence: (enabled: boolean) =>
      cdp.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled }),
    listPasskeys: async () => (await cdp.send("WebAuthn.getCredentials", { authenticatorId })).credentials,
    /** Resets the counter of the passkey, as on a copy made before its first use. */
    resetCounter: async () => {
      const [credential] = (await cdp.send("WebAuthn.getCredentials", { authenticatorId })).credentials;
      if (!credential) throw new Error("the device has no passkey");
      await cdp.send("WebAuthn.removeCredential", { authenticatorId, credentialId: credential.credentialId });
      await cdp.send("WebAuthn.addCredential", { authenticatorId, credential: { ...credential, signCount: 0 } });
    },
  };
}

/**
 * Logs in with the button. The authenticator must have been off when the page opened, because it would have answered
 * the request of the login field; it answers only requests made after it was turned on.
 */
export async function clickPasskeyLogin(
  page: Page,
  device: Awaited<ReturnType<typeof addAuthenticator>>,
): Promise<void> {
  await page.waitForFunction(() => document.documentElement.getAttribute("data-passkeys") === "offered");
  await device.setPresence(true);
  await clickButton(page, "Log in with a passkey");
}

export async function addPasskey(page: Page, name?: string): Promise<void> {
  await clickButton(page, "Add a passkey");
  const sheet = page.getByRole("dialog", { name: "Add a passkey" });
  const field = sheet.getByLabel("Name");
  expect(await field.inputValue()).toBe("Chrome on Linux");
  if (name) await field.fill(name);
  await sheet.getByText("Your device keeps it under the name ember.localhost.").waitFor();
  await clickButton(page, "Make the passkey");
  await sheet.waitFor({ state: "detached" });
}

export async function openLoginWithoutSession(page: Page): Promise<void> {
  await page.context().clearCookies();
  await page.goto("/login");
}

/** Waits for the page after the login, whichever it is. */
export const waitForLogin = (page: Page) => page.waitForURL(({ pathname }) => pathname !== "/login");
