import { openSite, type TestSite } from "@lambda/testing/browser";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { readStoredValues } from "./chat-storage.ts";
import { type BrowserMember, logIn, makeMember, PASSWORD } from "./members.ts";
import { clickButton, LONG_TIMEOUT, waitForHydration } from "./page-actions.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

describe("login", () => {
  it("reports missing and wrong input, then logs in", async () => {
    const member = await makeMember(site, { password: true });
    const { page, context, errors } = await site.open();
    await page.goto("/login");
    await waitForHydration(page);
    await page.getByRole("button", { name: "Login" }).click();
    await page.getByText("Enter your whole email address, like name@example.com.").waitFor();
    await page.getByText("Enter your password.").waitFor();

    await page.getByLabel("Email").fill(member.email.toUpperCase());
    await page.getByLabel("Password", { exact: true }).fill("not this one");
    await page.getByRole("button", { name: "Login" }).click();
    await page.getByText("Password and/or Email address is incorrect", { exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/login");

    const password = page.getByLabel("Password", { exact: true });
    expect(await password.getAttribute("type")).toBe("password");
    await page.getByRole("button", { name: "Show password" }).click();
    expect(await password.getAttribute("type")).toBe("text");

    await password.fill(PASSWORD);
    await page.getByLabel("Remember me").check();
    await page.getByRole("button", { name: "Login" }).click();
    await page.getByRole("heading", { name: "Hello, Marco." }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/");
    const session = (await context.cookies()).find((cookie) => cookie.name === "plain_session");
    expect(session?.expires).toBeGreaterThan(Date.now() / 1000 + 86_400);
    expect(session?.httpOnly).toBe(true);
    expect(errors).toEqual([]);
    await context.close();
  });

  it("shows the status code and reason of any other failure", async () => {
    const { page, context } = await site.open();
    await page.route("**/trpc/accounts.login*", (route) =>
      route.fulfill({
        status: 429,
        contentType: "application/json",
        body: JSON.stringify([
          {
            error: {
              message: "Too many tries. Please wait a little.",
              code: -32029,
              data: {
                code: "TOO_MANY_REQUESTS",
                httpStatus: 429,
                error: { code: "TOO_MANY_REQUESTS", message: "Too many tries. Please wait a little." },
              },
            },
          },
        ]),
      }),
    );
    await page.goto("/login");
    await waitForHydration(page);
    await page.getByLabel("Email").fill("a@example.test");
    await page.getByLabel("Password", { exact: true }).fill("x");
    await page.getByRole("button", { name: "Login" }).click();
    await page.getByText("429 Too Many Requests").waitFor();
    await context.close();
  });

  it.each([
    ["en", "Login", "Email", "Password", "This browser didn't keep your session"],
    ["es", "Entrar", "Correo electrónico", "Contraseña", "Este navegador no guardó tu sesión"],
  ])("says in %s that this browser keeps no cookies", async (locale, button, email, password, text) => {
    const member = await makeMember(site, { password: true });
    const { page, context } = await site.open({ locale });
    await page.route("**/trpc/accounts.login*", async (route) => {
      // Node resolves no names under .localhost.
      const url = route.request().url().replace("ember.localhost", "localhost");
      const response = await route.fetch({
        url,
        headers: { ...route.request().headers(), origin: new URL(url).origin },
      });
      const { "set-cookie": _, ...headers } = response.headers();
      await route.fulfill({ response, headers });
    });
    await page.goto("/login");
    await waitForHydration(page);
    await page.getByLabel(email).fill(member.email);
    await page.getByLabel(password, { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: button, exact: true }).click();
    await page.getByRole("alert").filter({ hasText: text }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/login");
    await context.close();
  });

  it("links to the register page twice, and redirects members to home", async () => {
    const { page, context } = await site.open();
    for (const link of ["Need to Register?", "Forgot Password?"]) {
      await page.goto("/login");
      await page.getByRole("link", { name: link }).click();
      await page.waitForURL("**/register");
    }
    await logIn(site, context, await makeMember(site));
    await page.goto("/login");
    await page.waitForURL((url) => url.pathname === "/");
    await context.close();
  });

  it("returns a visitor to the page they had requested", async () => {
    const member = await makeMember(site, { password: true });
    const { page, context } = await site.open();
    await page.goto("/settings#notifications");
    await page.waitForURL("**/login");
    await waitForHydration(page);
    await page.getByLabel("Email").fill(member.email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Login" }).click();
    await page.waitForURL("**/settings#notifications");
    await context.close();
  });
});

describe("a mailbox with two accounts from before it had only one", { tags: "slow" }, () => {
  it("asks after the login whether both are wanted, names no spelling, and leads to where one is deleted", async () => {
    const mailbox = `twice-${Date.now()}@example.test`;
    const [first, second] = [await makeMember(site, { email: mailbox, password: true }), await makeMember(site)];
    await site.sql("update account set email = ? where id = ?", mailbox.replace("@", "+b@"), second.id);
    await site.sql("update account set mailbox = ? where id in (?, ?)", mailbox, first.id, second.id);
    const { page, context, errors } = await site.open();
    await page.goto("/login");
    await waitForHydration(page);
    await page.getByLabel("Email").fill(mailbox);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await clickButton(page, "Login");
    await page.getByRole("heading", { name: /^Hello/ }).waitFor();
    await page.goto("/notifications");
    const notice = page.getByText("A second account here has your mailbox", { exact: false });
    await notice.waitFor();
    expect(await page.getByRole("main").innerText()).not.toContain(mailbox.split("@")[0]);
    await notice.click();
    await page.waitForURL("**/settings#data");
    await page.getByRole("heading", { name: "Data", exact: false }).first().waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });
});

describe("a login request that fails in transit", () => {
  it("shows the status of a response that did not come from our server", async () => {
    const { page, context } = await site.open();
    await page.route("**/trpc/accounts.login*", (route) =>
      route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" }),
    );
    await page.goto("/login");
    await waitForHydration(page);
    await page.getByLabel("Email").fill("a@example.test");
    await page.getByLabel("Password", { exact: true }).fill("x");
    await page.getByRole("button", { name: "Login" }).click();
    await page.getByText("502 Bad Gateway: Something went wrong on our side.").waitFor();
    await context.close();
  });
});

describe("a login link for another account", { tags: "slow" }, () => {
  it("asks before it switches a logged-in member to the other account", async () => {
    const { page, context, link, other } = await openWithLinkForOther();
    await page.goto(link);
    await page.getByText(`This link opens the account of ${other.email}`).waitFor();
    await page.getByRole("button", { name: "Stay in my account" }).click();
    await page.getByRole("heading", { name: "Hello, Marco." }).waitFor();
    await page.goto(link);
    await page.getByRole("button", { name: "Open the other account" }).click();
    await page.getByRole("heading", { name: "Hello, Bruno." }).waitFor();
    await context.close();
  });

  it("reports that it is offline when the question cannot load, and asks on the next visit", async () => {
    const { page, context, link, other } = await openWithLinkForOther();
    await page.route("**/assets/link-account-*", (route) => route.abort());
    await page.goto(link);
    await page.getByRole("alert").filter({ hasText: "You seem to be offline." }).waitFor();
    await page.unroute("**/assets/link-account-*");
    await page.goto(link);
    await page.getByText(`This link opens the account of ${other.email}`).waitFor();
    await context.close();
  });
});

/** Opens a page as one member, with an unused login link of another. */
async function openWithLinkForOther() {
  const [member, other] = [await makeMember(site, { name: "Marco" }), await makeMember(site, { name: "Bruno" })];
  const { page, context } = await site.open();
  await page.goto("/aboutus");
  await page.evaluate(
    (email) =>
      fetch("/api/auth/register", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email, acknowledgements: "cookies; adult; geolocation" }),
      }),
    other.email,
  );
  const link = await site.loginLink(other.email);
  await logIn(site, context, member);
  return { page, context, link, other };
}

describe("a login link on a device that did not request it", { tags: "slow" }, () => {
  it.each([
    ["en-US", (email: string) => `Log in as ${email}?`, "No, leave it", "Yes, log in"],
    ["es-ES", (email: string) => `¿Entrar como ${email}?`, "No, dejarlo", "Sí, entrar"],
  ] as const)("asks for confirmation with the full address (%s)", async (locale, question, no, yes) => {
    const { id, email } = await makeMember(site, { name: "Bruno" });
    const member = { id, email: `somebody.whose.address.is.long.${email}` };
    await site.sql("update account set email = ? where id = ?", member.email, member.id);
    const sender = await site.open();
    await sender.page.goto("/aboutus");
    await sender.page.evaluate(
      (email) =>
        fetch("/api/auth/register", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ email, acknowledgements: "cookies; adult; geolocation" }),
        }),
      member.email,
    );
    const link = await site.loginLink(member.email);
    const { page, context, errors } = await site.open({ locale });
    const sessions = () => site.sql("select 1 from session where account_id = ?", member.id);
    await page.goto(link);
    const title = page.getByRole("heading", { name: question(member.email) });
    await title.waitFor();
    // The long address must not be cut off.
    expect(await title.evaluate((heading) => heading.getBoundingClientRect().right)).toBeLessThanOrEqual(390);
    await page.getByRole("button", { name: no }).click();
    await page.waitForURL((url) => url.pathname === "/");
    expect(await sessions()).toEqual([]);
    await page.goto(link);
    await page.getByRole("button", { name: yes }).click();
    await page.waitForURL((url) => url.pathname === "/");
    await expect.poll(sessions, LONG_TIMEOUT).toHaveLength(1);
    expect(errors).toEqual([]);
    await Promise.all([context.close(), sender.context.close()]);
  });
});

describe("a session that ends while its member is on a page", { tags: "slow" }, () => {
  it("returns the same member to that page after login, but no other member", async () => {
    const [member, other] = [await makeMember(site, { password: true }), await makeMember(site, { password: true })];
    const { page, context } = await site.open();
    const logInAs = async ({ email }: BrowserMember) => {
      await waitForHydration(page);
      await page.getByLabel("Email").fill(email);
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await page.getByRole("button", { name: "Login" }).click();
      await page.waitForURL((url) => url.pathname !== "/login");
    };
    const endSessionOnSettings = async () => {
      await page.getByRole("heading", { name: "Notifications" }).first().waitFor();
      // The page to return to belongs to the account stored here.
      await page.waitForFunction(() => localStorage.getItem("geo_account") !== null);
      // Leaves the page first, so that none of its requests notices the ended session.
      await page.goto("about:blank");
      await site.sql("delete from session where account_id = ?", member.id);
      await page.goto("/settings#notifications");
      await page.waitForURL("**/login");
    };
    await page.goto("/settings#notifications");
    await page.waitForURL("**/login");
    await logInAs(member);
    await endSessionOnSettings();
    await logInAs(member);
    await page.waitForURL("**/settings#notifications");
    await endSessionOnSettings();
    await logInAs(other);
    expect(new URL(page.url()).pathname).toBe("/");
    await context.close();
  });
});

/** Stores a draft through the page, and a location and a device setting directly; resolves when the draft is in IndexedDB. */
async function storeLocalData(page: Page, other: BrowserMember): Promise<void> {
  await page.goto(`/chat/personal?with=${other.id}`);
  await page.getByRole("textbox", { name: "Message" }).fill("what nobody else may read");
  await page.waitForFunction(async () => (await indexedDB.databases()).some(({ name }) => name === "drafts"));
  await expect.poll(() => readStoredValues(page, "drafts"), LONG_TIMEOUT).toEqual(["what nobody else may read"]);
  await page.evaluate(() => {
    localStorage.setItem("lastLocation", '{"lat":1,"lon":2}');
    localStorage.setItem("show_nsfw", "true");
  });
}

const listStorageKeys = (page: Page) => page.evaluate(() => Object.keys(localStorage).sort());

describe("a session that ends without a logout", { tags: "slow" }, () => {
  it("keeps device settings and erases the member's data when another device ended it", async () => {
    const [member, other] = [await makeMember(site), await makeMember(site, { name: "Bruno" })];
    const { page, context } = await site.open();
    await logIn(site, context, member);
    await storeLocalData(page, other);
    await site.sql("delete from session where account_id = ?", member.id);
    // This page never loads the code that stores drafts.
    await page.goto("/aboutus");
    await page.waitForURL("**/login");
    await expect.poll(() => listStorageKeys(page), LONG_TIMEOUT).toEqual(["show_nsfw"]);
    await expect.poll(() => readStoredValues(page, "drafts"), LONG_TIMEOUT).toEqual([]);
    expect(await page.evaluate(() => document.cookie)).toBe("");
    await context.close();
  });

  it("erases the member's data at the next start when the browser dropped its cookies", async () => {
    const [member, other] = [await makeMember(site), await makeMember(site, { name: "Bruno" })];
    const { page, context } = await site.open();
    await logIn(site, context, member);
    await storeLocalData(page, other);
    await page.goto("about:blank");
    await context.clearCookies();
    await page.goto("/");
    await expect.poll(() => listStorageKeys(page), LONG_TIMEOUT).toEqual(["show_nsfw"]);
    await expect.poll(() => readStoredValues(page, "drafts"), LONG_TIMEOUT).toEqual([]);
    await context.close();
  });
});

describe("a second member who logs in from another tab", { tags: "slow" }, () => {
  it("makes the first tab send nothing in the wrong name and reload as the second member", async () => {
    const [first, second] = [await makeMember(site), await makeMember(site)];
    const friend = await makeMember(site, { name: "Bruno" });
    const { page, context } = await site.open();
    await logIn(site, context, first);
    await page.goto(`/chat/personal?with=${friend.id}`);
    const field = page.getByRole("textbox", { name: "Message" });
    const send = page.getByRole("button", { name: "Send" });
    const sendMessage = async (text: string) => {
      await field.fill(text);
      await send.click();
    };
    const sent = () =>
      site.sql("select sender_id, body_text from message where recipient_id = ? order by id", friend.id);
    await sendMessage("from the first");
    const firstMessage = { sender_id: first.id, body_text: "from the first" };
    await expect.poll(sent, LONG_TIMEOUT).toEqual([firstMessage]);

    await field.fill("still from the first");
    const reloaded = page.waitForEvent("load");
    await logIn(site, context, second);
    // Another request of the page may notice the new session first.
    await send.evaluate((button: HTMLButtonElement) => button.click()).catch(() => undefined);
    await reloaded;
    await page.getByText("from the first", { exact: true }).waitFor({ state: "detached" });
    await sendMessage("from the second");
    await expect
      .poll(sent, LONG_TIMEOUT)
      .toEqual([firstMessage, { sender_id: second.id, body_text: "from the second" }]);
    await context.close();
  });
});

describe("logout", () => {
  it("erases everything on the device and ends the session", async () => {
    const member = await makeMember(site);
    const { page, context } = await site.open({ notifications: true });
    await logIn(site, context, member);
    await storeLocalData(page, await makeMember(site, { name: "Bruno" }));
    const countNotifications = () =>
      page.evaluate(async () => (await (await navigator.serviceWorker.ready).getNotifications()).length);
    await page.evaluate(async () => (await navigator.serviceWorker.ready).showNotification("New message"));
    expect(await countNotifications()).toBe(1);
    await page.goto("/logout");
    await page.waitForURL("**/login");
    await expect.poll(countNotifications, LONG_TIMEOUT).toBe(0);
    await expect.poll(() => readStoredValues(page, "drafts"), LONG_TIMEOUT).toEqual([]);
    expect(await page.evaluate(() => [Object.keys(localStorage), document.cookie])).toEqual([[], ""]);
    const sessions = await site.sql("select 1 from session where account_id = ?", member.id);
    expect(sessions).toEqual([]);
    expect((await context.cookies()).filter((cookie) => cookie.name === "plain_session")).toEqual([]);
    await context.close();
  });

  it("asks first while a plan with a friend runs, which this device could not answer any more", async () => {
    const member = await makeMember(site);
    const { page, context } = await site.open();
    await logIn(site, context, member);
    await page.goto("/");
    await page.evaluate(() => {
      const time = Date.now() + 3_600_000;
      const status = { deadline: time, alarmAt: time, latest: time };
      const plan = { id: "plan", secret: "a", owner: "b", origin: location.origin, locale: "en", status };
      localStorage.setItem("plan", JSON.stringify(plan));
    });
    await page.goto("/logout");
    await page.getByText("Your plan with a friend is still on.").waitFor();
    await page.getByRole("link", { name: "Open the plan" }).waitFor();
    expect(await site.sql("select 1 from session where account_id = ?", member.id)).toHaveLength(1);
    await page.getByRole("button", { name: "Log out anyway" }).click();
    await page.waitForURL("**/login");
    await context.close();
  });

  it("reports that the member is still logged in when the request failed", { tags: "slow" }, async () => {
    const member = await makeMember(site);
    const { page, context } = await site.open();
    await logIn(site, context, member);
    await page.goto("/");
    await page.route("**/trpc/accounts.logout*", (route) => route.abort());
    await page.goto("/logout");
    await page.getByText("You're still logged in.").waitFor();
    await page.getByRole("link", { name: "Login Again" }).waitFor();
    // A member who is still logged in must be able to hide.
    await page.getByRole("link", { name: "Home" }).first().click();
    await page.getByRole("link", { name: /Map/ }).first().click();
    await page.getByRole("button", { name: "Hide", exact: true }).click();
    // The first time on this device it asks, and one tap does it afterwards.
    await page.getByRole("dialog", { name: "Hide from everyone?" }).getByRole("button", { name: "Hide me" }).click();
    await expect
      .poll(() => site.sql("select hidden from profile where id = ?", member.id), { timeout: 20_000 })
      .toEqual([{ hidden: 1 }]);
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.getByRole("button", { name: "Hide", exact: true }).click();
    await page.getByRole("button", { name: "Show", exact: true }).waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    await context.close();
  });
});
