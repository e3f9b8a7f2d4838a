import { openSite, type TestSite } from "@lambda/testing/browser";
import { findBarriers } from "@lambda/ui/barriers";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { readStoredValues } from "./chat-storage.ts";
import { type BrowserMember, logIn, makeMember, PASSWORD } from "./members.ts";

/** A machine with two busy cores takes its time. */
const PATIENTLY = { timeout: 20_000 };

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

describe("login", () => {
  it("says what is missing, what is wrong, and lets them in after 250 ms", async () => {
    const member = await makeMember(site, { password: true });
    const { page, context, errors } = await site.open();
    await page.goto("/login");
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
    const session = (await context.cookies()).find((cookie) => cookie.name === "__Host-session");
    expect(session?.expires).toBeGreaterThan(Date.now() / 1000 + 86_400);
    expect(session?.httpOnly).toBe(true);
    expect(errors).toEqual([]);
    await context.close();
  });

  it("shows the status code and text of any other failure", async () => {
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
    await page.getByLabel("Email").fill("a@example.test");
    await page.getByLabel("Password", { exact: true }).fill("x");
    await page.getByRole("button", { name: "Login" }).click();
    await page.getByText("429 Too Many Requests").waitFor();
    await context.close();
  });

  it("leads both links to the register page, and members away", async () => {
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

  it("returns a visitor to the page they wanted", async () => {
    const member = await makeMember(site, { password: true });
    const { page, context } = await site.open();
    await page.goto("/settings#notifications");
    await page.waitForURL("**/login");
    await page.getByLabel("Email").fill(member.email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Login" }).click();
    await page.waitForURL("**/settings#notifications");
    await context.close();
  });
});

describe("a login that fails on its way", () => {
  it("shows the status of an answer that is not ours", async () => {
    const { page, context } = await site.open();
    await page.route("**/trpc/accounts.login*", (route) =>
      route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" }),
    );
    await page.goto("/login");
    await page.getByLabel("Email").fill("a@example.test");
    await page.getByLabel("Password", { exact: true }).fill("x");
    await page.getByRole("button", { name: "Login" }).click();
    await page.getByText("502 Bad Gateway: Something went wrong on our side.").waitFor();
    await context.close();
  });
});

describe("a login link of another account", () => {
  it("takes nobody out of their own account unasked", async () => {
    const { page, context, link, other } = await openLinkOfAnother();
    await page.goto(link);
    await page.getByText(`This link opens the account of ${other.email}`).waitFor();
    await page.getByRole("button", { name: "Stay in my account" }).click();
    await page.getByRole("heading", { name: "Hello, Marco." }).waitFor();
    await page.goto(link);
    await page.getByRole("button", { name: "Open the other account" }).click();
    await page.getByRole("heading", { name: "Hello, Bruno." }).waitFor();
    await context.close();
  });

  it("says so where the line breaks before the question, and asks it the next time", async () => {
    const { page, context, link, other } = await openLinkOfAnother();
    await page.route("**/assets/link-account-*", (route) => route.abort());
    await page.goto(link);
    await page.getByRole("alert").filter({ hasText: "You seem to be offline." }).waitFor();
    await page.unroute("**/assets/link-account-*");
    await page.goto(link);
    await page.getByText(`This link opens the account of ${other.email}`).waitFor();
    await context.close();
  });
});

/** A member's page, and an unused link of somebody else's account. */
async function openLinkOfAnother() {
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

describe("a login link on a device that did not ask for it", () => {
  it.each([
    ["en-US", (email: string) => `Log in as ${email}?`, "No, leave it", "Yes, log in"],
    ["es-ES", (email: string) => `¿Entrar como ${email}?`, "No, dejarlo", "Sí, entrar"],
  ] as const)("asks whose account it is to be (%s)", async (locale, question, no, yes) => {
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
    // Long as it is, all of the address can be read.
    expect(await title.evaluate((heading) => heading.getBoundingClientRect().right)).toBeLessThanOrEqual(390);
    await page.getByRole("button", { name: no }).click();
    await page.waitForURL((url) => url.pathname === "/");
    expect(await sessions()).toEqual([]);
    await page.goto(link);
    await page.getByRole("button", { name: yes }).click();
    await page.waitForURL((url) => url.pathname === "/");
    await expect.poll(sessions, PATIENTLY).toHaveLength(1);
    expect(errors).toEqual([]);
    await Promise.all([context.close(), sender.context.close()]);
  });
});

describe("a session that ended on a page", () => {
  it("brings its own member back there, and nobody else", async () => {
    const [member, other] = [await makeMember(site, { password: true }), await makeMember(site, { password: true })];
    const { page, context } = await site.open();
    const logInAs = async ({ email }: BrowserMember) => {
      await page.getByLabel("Email").fill(email);
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await page.getByRole("button", { name: "Login" }).click();
      await page.waitForURL((url) => url.pathname !== "/login");
    };
    const endThere = async () => {
      await page.getByRole("heading", { name: "Notifications" }).first().waitFor();
      // Away meanwhile, so that no call of this page hears of it before the page is opened again.
      await page.goto("about:blank");
      await site.sql("delete from session where account_id = ?", member.id);
      await page.goto("/settings#notifications");
      await page.waitForURL("**/login");
    };
    await page.goto("/settings#notifications");
    await page.waitForURL("**/login");
    await logInAs(member);
    await endThere();
    await logInAs(member);
    await page.waitForURL("**/settings#notifications");
    await endThere();
    await logInAs(other);
    expect(new URL(page.url()).pathname).toBe("/");
    await context.close();
  });
});

describe("register", () => {
  it("asks for all three acknowledgements, once a page load, and the link works once", async () => {
    const email = `door-${Date.now()}@example.test`;
    const { page, context, errors } = await site.open();
    await page.goto("/register");
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
    await page.getByText("This does not look like an email address. Check it and try again.").waitFor();
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
    await page.getByRole("heading", { name: "Who is coming in?" }).waitFor();
    expect(await page.evaluate(() => location.search)).toBe("");
    // Whoever leaves the welcome finds their home, and the way back.
    await page.getByRole("link", { name: "Home" }).first().click();
    await page.getByText("Nobody sees you yet: your profile has no name.").waitFor();
    const [account] = await site.sql<{ acknowledgements: string }>(
      "select acknowledgements from account where email = ?",
      email,
    );
    expect(account?.acknowledgements).toContain("about 550 metres");

    await page.getByRole("heading", { name: "Be seen on our sister sites too?" }).waitFor();
    await page.getByLabel("Harbor").check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Be seen on our sister sites too?" }).waitFor({ state: "detached" });
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
});

/** Asks for a mail on the register page; answers its digits, and as many wrong ones. */
async function askByForm(page: Page, email: string) {
  await page.goto("/register");
  await page.getByLabel("Email").fill(email);
  for (const box of await page.getByRole("checkbox").all()) await box.check();
  await page.getByRole("button", { name: "Send me a login link" }).click();
  await page.getByLabel("Six-digit code").waitFor();
  const digits = await site.loginDigits(email);
  return { digits, wrong: String((Number(digits) + 1) % 1_000_000).padStart(6, "0") };
}

describe("the page that asked for a mail", () => {
  it("takes the mail's digits, and says what is left of five tries", async () => {
    const email = `digits-${Date.now()}@example.test`;
    const { page, context, errors } = await site.open();
    const { digits, wrong } = await askByForm(page, email);
    expect(await findBarriers(page, "main")).toEqual([]);
    const field = page.getByLabel("Six-digit code");
    expect(await field.getAttribute("autocomplete")).toBe("one-time-code");
    expect(await field.getAttribute("inputmode")).toBe("numeric");
    await field.fill(wrong);
    await page.getByText("That code is not right. 4 tries are left.").waitFor();
    expect(await field.inputValue()).toBe("");
    // A page that the system threw away meanwhile, as phones do, still waits; so does the login page.
    await page.reload();
    await page.getByRole("button", { name: "Send me a login link" }).waitFor();
    await page.getByRole("link", { name: "Already in? Login" }).click();
    await field.fill(`${digits.slice(0, 3)} ${digits.slice(3)}`);
    await page.waitForURL("**/welcome");
    expect(await page.evaluate(() => localStorage.getItem("login_ticket"))).toBe("null");
    expect(errors).toEqual([]);
    await context.close();
  });

  it("asks for a new mail after the fifth wrong code, in Spanish too", async () => {
    const { page, context } = await site.open({ locale: "es-ES" });
    await page.goto("/register");
    await page.getByLabel("Correo electrónico").fill(`cinco-${Date.now()}@example.test`);
    for (const box of await page.getByRole("checkbox").all()) await box.check();
    await page.getByRole("button", { name: "Mándame un enlace" }).click();
    const field = page.getByLabel("Código de seis cifras");
    for (const left of ["quedan 4", "quedan 3", "quedan 2", "queda un"]) {
      await field.fill("000000");
      await page.getByText(`Ese código no es correcto. Te ${left}`).waitFor();
    }
    await field.fill("000000");
    await page.getByText("Era el quinto intento").waitFor();
    await page.getByRole("button", { name: "Pedir otro correo" }).click();
    await page.getByRole("button", { name: "Mándame un enlace" }).waitFor();
    expect(await field.count()).toBe(0);
    await context.close();
  });

  it("goes on by itself when the link was opened in another tab, and not in another browser", async () => {
    const email = `tab-${Date.now()}@example.test`;
    const { page, context, errors } = await site.open();
    await askByForm(page, email);
    const link = await site.loginLink(email);
    const elsewhere = await site.open();
    await elsewhere.page.goto(link);
    await elsewhere.page.getByRole("button", { name: "No, leave it" }).click();
    expect(new URL(page.url()).pathname).toBe("/register");
    const tab = await context.newPage();
    await tab.goto(link);
    await tab.waitForURL("**/welcome");
    await page.waitForURL((url) => ["/", "/welcome"].includes(url.pathname));
    await page.getByRole("heading", { name: /^(Hello\.|Who is coming in\?)$/ }).waitFor();
    expect(errors).toEqual([]);
    await Promise.all([context.close(), elsewhere.context.close()]);
  });
});

describe("the register page on a phone", () => {
  it.each([
    ["en-US", "Send me a login link", "Read", "about 550 metres"],
    ["es-ES", "Mándame un enlace", "Leer", "unos 550 metros"],
  ])(
    "has field, three boxes and button above the fold, and each text behind a press (%s)",
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

/** Something of their own on the device, by the page and beside it; resolves when the draft is on the disk. */
async function leaveTraces(page: Page, other: BrowserMember): Promise<void> {
  await page.goto(`/chat/personal?with=${other.id}`);
  await page.getByRole("textbox", { name: "Message" }).fill("what nobody else may read");
  await page.waitForFunction(async () => (await indexedDB.databases()).some(({ name }) => name === "drafts"));
  await expect.poll(() => readStoredValues(page, "drafts"), PATIENTLY).toEqual(["what nobody else may read"]);
  await page.evaluate(() => {
    localStorage.setItem("lastLocation", '{"lat":1,"lon":2}');
    localStorage.setItem("show_nsfw", "true");
  });
}

const keptOf = (page: Page) => page.evaluate(() => Object.keys(localStorage).sort());

describe("a session that ends by itself", () => {
  it("from another device: leaves the device's own choices and nothing of them", async () => {
    const [member, other] = [await makeMember(site), await makeMember(site, { name: "Bruno" })];
    const { page, context } = await site.open();
    await logIn(site, context, member);
    await leaveTraces(page, other);
    await site.sql("delete from session where account_id = ?", member.id);
    // A page of its own, which never loads what keeps drafts.
    await page.goto("/aboutus");
    await page.waitForURL("**/login");
    await expect.poll(() => keptOf(page), PATIENTLY).toEqual(["show_nsfw"]);
    await expect.poll(() => readStoredValues(page, "drafts"), PATIENTLY).toEqual([]);
    expect(await page.evaluate(() => document.cookie)).toBe("");
    await context.close();
  });

  it("with the browser: the next start finds nothing of them", async () => {
    const [member, other] = [await makeMember(site), await makeMember(site, { name: "Bruno" })];
    const { page, context } = await site.open();
    await logIn(site, context, member);
    await leaveTraces(page, other);
    await page.goto("about:blank");
    await context.clearCookies();
    await page.goto("/");
    await expect.poll(() => keptOf(page), PATIENTLY).toEqual(["show_nsfw"]);
    await expect.poll(() => readStoredValues(page, "drafts"), PATIENTLY).toEqual([]);
    await context.close();
  });
});

describe("another member in another tab", () => {
  it("is not who the first tab acts as: it sends nothing in their name and begins anew as theirs", async () => {
    const [first, second] = [await makeMember(site), await makeMember(site)];
    const friend = await makeMember(site, { name: "Bruno" });
    const { page, context } = await site.open();
    await logIn(site, context, first);
    await page.goto(`/chat/personal?with=${friend.id}`);
    const field = page.getByRole("textbox", { name: "Message" });
    const send = page.getByRole("button", { name: "Send" });
    const says = async (text: string) => {
      await field.fill(text);
      await send.click();
    };
    const sent = () =>
      site.sql("select sender_id, body_text from message where recipient_id = ? order by id", friend.id);
    await says("from the first");
    const mine = { sender_id: first.id, body_text: "from the first" };
    await expect.poll(sent, PATIENTLY).toEqual([mine]);

    await field.fill("still from the first");
    const anew = page.waitForEvent("load");
    await logIn(site, context, second);
    // Any other call of the page may be the one that tells it, even before this.
    await send.evaluate((button: HTMLButtonElement) => button.click()).catch(() => undefined);
    await anew;
    await page.getByText("from the first", { exact: true }).waitFor({ state: "detached" });
    await says("from the second");
    await expect.poll(sent, PATIENTLY).toEqual([mine, { sender_id: second.id, body_text: "from the second" }]);
    await context.close();
  });
});

describe("logout", () => {
  it("forgets everything on the device and ends the session", async () => {
    const member = await makeMember(site);
    const { page, context } = await site.open({ notifications: true });
    await logIn(site, context, member);
    await leaveTraces(page, await makeMember(site, { name: "Bruno" }));
    const notices = () =>
      page.evaluate(async () => (await (await navigator.serviceWorker.ready).getNotifications()).length);
    await page.evaluate(async () => (await navigator.serviceWorker.ready).showNotification("New message"));
    expect(await notices()).toBe(1);
    await page.goto("/logout");
    await page.waitForURL("**/login");
    await expect.poll(notices, PATIENTLY).toBe(0);
    await expect.poll(() => readStoredValues(page, "drafts"), PATIENTLY).toEqual([]);
    expect(await page.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, ""]);
    const sessions = await site.sql("select 1 from session where account_id = ?", member.id);
    expect(sessions).toEqual([]);
    expect((await context.cookies()).filter((cookie) => cookie.name === "__Host-session")).toEqual([]);
    await context.close();
  });

  it("never claims to be over when the server did not hear it", async () => {
    const member = await makeMember(site);
    const { page, context } = await site.open();
    await logIn(site, context, member);
    await page.goto("/");
    await page.route("**/trpc/accounts.logout*", (route) => route.abort());
    await page.goto("/logout");
    await page.getByText("You are still logged in.").waitFor();
    await page.getByRole("link", { name: "Login Again" }).waitFor();
    // Still logged in, they can still hide.
    await page.getByRole("link", { name: "Home" }).first().click();
    await page.getByRole("link", { name: /Map/ }).first().click();
    await page.getByRole("button", { name: "Hide", exact: true }).click();
    await expect
      .poll(() => site.sql("select hidden from profile where id = ?", member.id), { timeout: 20_000 })
      .toEqual([{ hidden: 1 }]);
    await context.close();
  });
});
