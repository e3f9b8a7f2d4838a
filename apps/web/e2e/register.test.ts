/** Registering, and the page that waits for the mail of a login. */
import { openSite, type TestSite } from "@lambda/testing/browser";
import { findBarriers } from "@lambda/ui/barriers";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { waitForHydration } from "./page-actions.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

describe("register", () => {
  it("requires all three acknowledgements, sends one mail per page load, and its link works once", async () => {
    const email = `door-${Date.now()}@example.test`;
    const { page, context, errors } = await site.open();
    await page.goto("/register");
    await waitForHydration(page);
    const send = page.getByRole("button", { name: "Send me a login link" });
    expect(await send.isDisabled()).toBe(true);
    await page.getByLabel("Email").fill("notanaddress");
    expect(await send.isDisabled()).toBe(true);
    await page.getByText("Acceptance of all of the acknowledgements above are required.", { exact: true }).waitFor();
    const boxes = await page.getByRole("checkbox").all();
    expect(boxes).toHaveLength(3);
    for (const box of boxes) await box.check();
    expect(await send.isDisabled()).toBe(false);
    await send.click();
    await page.getByText("That doesn't look like an email address. Check it and try again.").waitFor();
    await page.getByLabel("Email").fill(email);

    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/trpc/accounts.register*", async (route) => {
      await held;
      await route.continue();
    });
    await send.click();
    await page.getByText("Requesting...", { exact: true }).waitFor();
    expect(await send.count()).toBe(0);
    release();
    await page.getByText("Check your mail").waitFor();
    await page.getByRole("link", { name: "Already in? Login" }).click();
    await page.getByRole("link", { name: "Need to Register?" }).click();
    await page.getByText("Check your mail").waitFor();
    expect(await send.count()).toBe(0);
    await page.reload();
    await send.waitFor();

    const link = await site.loginLink(email);
    await page.goto(link);
    await page.getByRole("heading", { name: "Who's coming in?" }).waitFor();
    expect(await page.evaluate(() => location.search)).toBe("");
    // Leaving the welcome screens leads to home, which links back to them.
    await page.getByRole("link", { name: "Home" }).first().click();
    await page.getByText("Nobody sees you yet: you have no name.").waitFor();
    const [account] = await site.sql<{ acknowledgements: string }>(
      "select acknowledgements from account where email = ?",
      email,
    );
    expect(account?.acknowledgements).toContain("about 550 meters");

    await page.getByRole("heading", { name: "Be seen on our sister sites too?" }).waitFor();
    await page.getByLabel("Harbor").check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Be seen on our sister sites too?" }).waitFor({ state: "detached" });
    // The hints beside the question stay until they are closed, for good.
    await page.reload();
    await page.getByRole("heading", { name: "Gone in a blink" }).waitFor();
    await page.getByRole("button", { name: "Got it" }).click();
    await page.getByRole("heading", { name: "Gone in a blink" }).waitFor({ state: "detached" });
    const [profile] = await site.sql<{ shared_on: number }>(
      "select p.shared_on from profile p join account a using (id) where a.email = ?",
      email,
    );
    expect(profile?.shared_on).toBe(3);
    expect(errors).toEqual([]);

    const other = await site.open();
    await other.page.goto(link);
    await other.page.getByText("This link has expired or was used before. Request a new one.").waitFor();
    await other.page.goto("/login?token=%F0%9F%92%A9");
    await other.page.getByText("This link has expired or was used before. Request a new one.").waitFor();
    await Promise.all([context.close(), other.context.close()]);
  });

  it("does the work for its link while the whole site is asked for very many, and says so", {
    tags: "slow",
  }, async () => {
    const { page, context } = await site.open();
    await page.goto("/register");
    await waitForHydration(page);
    await page.getByLabel("Email").fill(`work-${Date.now()}@example.test`);
    for (const box of await page.getByRole("checkbox").all()) await box.check();
    const data = { code: "PRECONDITION_FAILED", httpStatus: 428, error: { code: "WORK_NEEDED", limit: 0 } };
    const bodies: string[] = [];
    await page.route("**/trpc/accounts.register*", async (route) => {
      bodies.push(route.request().postData() ?? "");
      if (bodies.length > 1) await route.continue();
      else await route.fulfill({ status: 428, json: [{ error: { message: "We're swamped", code: -32_012, data } }] });
    });
    await page.getByRole("button", { name: "Send me a login link" }).click();
    await page.getByText("We're swamped").waitFor();
    await page.getByText("Check your mail").waitFor({ timeout: 60_000 });
    expect(bodies.map((body) => body.includes('"proof"'))).toEqual([false, true]);
    await context.close();
  });
});

it("a login from a network that strangers flood does the work by itself", { tags: "slow" }, async () => {
  const { page, context } = await site.open();
  await page.goto("/login");
  await waitForHydration(page);
  const data = { code: "PRECONDITION_FAILED", httpStatus: 428, error: { code: "WORK_NEEDED", limit: 0 } };
  const work: (string | undefined)[] = [];
  await page.route("**/trpc/accounts.login*", async (route) => {
    work.push(route.request().headers()["x-work"]);
    if (work.length > 1) await route.continue();
    else await route.fulfill({ status: 428, json: [{ error: { message: "We're swamped", code: -32_012, data } }] });
  });
  await page.getByLabel("Email").fill("nobody@example.test");
  await page.getByLabel("Password", { exact: true }).fill("not the password");
  await page.getByRole("button", { name: "Login" }).click();
  await page.getByText("Password and/or Email address is incorrect").waitFor({ timeout: 60_000 });
  expect(work).toEqual([undefined, expect.stringContaining('"challenge"')]);
  await context.close();
});

/** Requests a login mail on the register page; returns its code and a wrong code of the same length. */
async function requestLoginMail(page: Page, email: string) {
  await page.goto("/register");
  await page.getByLabel("Email").fill(email);
  for (const box of await page.getByRole("checkbox").all()) await box.check();
  await page.getByRole("button", { name: "Send me a login link" }).click();
  await page.getByLabel("Six-digit code").waitFor();
  const digits = await site.loginDigits(email);
  return { digits, wrong: String((Number(digits) + 1) % 1_000_000).padStart(6, "0") };
}

describe("the page that requested a login mail", () => {
  it("accepts the code from the mail, and counts down five tries", async () => {
    const email = `digits-${Date.now()}@example.test`;
    const { page, context, errors } = await site.open();
    const { digits, wrong } = await requestLoginMail(page, email);
    expect(await findBarriers(page, "main")).toEqual([]);
    const field = page.getByLabel("Six-digit code");
    expect(await field.getAttribute("autocomplete")).toBe("one-time-code");
    expect(await field.getAttribute("inputmode")).toBe("numeric");
    await field.fill(wrong);
    await page.getByText("That code isn't right. 4 tries are left.").waitFor();
    await expect.poll(() => field.inputValue()).toBe("");
    // The code field survives a reload, because phones discard background pages; the login page shows it too.
    await page.reload();
    await page.getByRole("button", { name: "Send me a login link" }).waitFor();
    await page.getByRole("link", { name: "Already in? Login" }).click();
    await field.fill(`${digits.slice(0, 3)} ${digits.slice(3)}`);
    await page.waitForURL("**/welcome");
    expect(await page.evaluate(() => localStorage.getItem("login_ticket"))).toBe("null");
    expect(errors).toEqual([]);
    await context.close();
  });

  it("requires a new mail after the fifth wrong code, in Spanish too", { tags: "slow" }, async () => {
    const { page, context } = await site.open({ locale: "es-ES" });
    await page.goto("/register");
    await page.getByLabel("Correo electrónico").fill(`cinco-${Date.now()}@example.test`);
    for (const box of await page.getByRole("checkbox").all()) await box.check();
    await page.getByRole("button", { name: "Mándame un enlace" }).click();
    const field = page.getByLabel("Código de seis números");
    for (const left of ["quedan 4", "quedan 3", "quedan 2", "queda un"]) {
      await field.fill("000000");
      await page.getByText(`Ese código no es correcto. Te ${left}`).waitFor();
    }
    await field.fill("000000");
    await page.getByText("Ese fue el quinto intento").waitFor();
    await page.getByRole("button", { name: "Pedir otro correo" }).click();
    await page.getByRole("button", { name: "Mándame un enlace" }).waitFor();
    expect(await field.count()).toBe(0);
    await context.close();
  });

  it("continues when the link is opened in another tab, but not when it is opened in another browser", {
    tags: "slow",
  }, async () => {
    const email = `tab-${Date.now()}@example.test`;
    const { page, context, errors } = await site.open();
    await requestLoginMail(page, email);
    const link = await site.loginLink(email);
    const elsewhere = await site.open();
    await elsewhere.page.goto(link);
    await elsewhere.page.getByRole("button", { name: "No, leave it" }).click();
    expect(new URL(page.url()).pathname).toBe("/register");
    const tab = await context.newPage();
    await tab.goto(link);
    await tab.waitForURL("**/welcome");
    await page.waitForURL((url) => ["/", "/welcome"].includes(url.pathname));
    await page.getByRole("heading", { name: /^(Hello\.|Who's coming in\?)$/ }).waitFor();
    expect(errors).toEqual([]);
    await Promise.all([context.close(), elsewhere.context.close()]);
  });
});

describe("the register page on a phone", () => {
  it.each([
    ["en-US", "Send me a login link", "Read", "about 550 meters"],
    ["es-ES", "Mándame un enlace", "Leer", "unos 550 metros"],
  ])(
    "shows the field, three checkboxes and the button above the fold, with each text collapsed (%s)",
    async (locale, send, read, words) => {
      const { page, context } = await site.open({ locale });
      await page.goto("/register");
      const button = await page.getByRole("button", { name: send }).boundingBox();
      expect((button?.y ?? 9999) + (button?.height ?? 0)).toBeLessThanOrEqual(844);
      for (const box of await page.getByRole("checkbox").all()) expect(await box.isChecked()).toBe(false);
      expect(await page.getByText(words).isVisible()).toBe(false);
      await page.getByText(read, { exact: true }).first().click();
      expect(await page.getByText(words).isVisible()).toBe(true);
      expect(await findBarriers(page, "main")).toEqual([]);
      await context.close();
    },
  );
});
