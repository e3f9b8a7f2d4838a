import { DESKTOP, openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import { insertMembers, insertSessions } from "@lambda/testing/members";
import { findBarriers } from "@lambda/ui/barriers";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { logIn, makeMember, PASSWORD } from "./members.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

/** Rows of the index, with the hash of their page and a text that stands on it. */
const ROWS = {
  "en-US": {
    "Who sees me": ["visibility", "Discreet"],
    "Who can write": ["contact", "Matches only"],
    Notifications: ["notifications", "Games and juries"],
    "Privacy on this phone": ["phone", "Turn the lock on"],
    Look: ["look", "Distances"],
    Login: ["login", "Real name"],
    "My data": ["data", "Download my data"],
  },
  "es-ES": {
    "Quién me ve": ["visibility", "Discreto"],
    "Quién puede escribir": ["contact", "Solo matches"],
    Avisos: ["notifications", "Juegos y jurados"],
    "Privacidad en este teléfono": ["phone", "Activar el bloqueo"],
    Aspecto: ["look", "Distancias"],
    Acceso: ["login", "Nombre real"],
    "Mis datos": ["data", "Descargar mis datos"],
  },
} as const;
/** What tells a member who hides or is discreet so. */
const HIDING = {
  "en-US": {
    discreet: "Discreet",
    hide: "Hide",
    hiding: "You're hiding: nobody sees you.",
    few: "You're discreet: only guys you like, write to or open your album to see you.",
    shownToFew: "The guys you chose can see you.",
    chat: "You're discreet: you can read here, but writing would show you to your whole area.",
    eye: "Hide",
  },
  "es-ES": {
    discreet: "Discreto",
    hide: "Ocultarme",
    hiding: "Estás oculto: nadie te ve.",
    few: "Modo discreto: solo te ven los hombres que te gustan, a quienes escribes o abres tu álbum.",
    shownToFew: "Te ven los que elegiste.",
    chat: "Modo discreto: aquí puedes leer, pero al escribir te vería toda tu zona.",
    eye: "Ocultar",
  },
} as const;
const BACK = { "en-US": "Account", "es-ES": "Cuenta" } as const;
const SCREENS_MAX = 2;

const heightOf = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight);
const index = (page: Page) => page.getByRole("main").getByRole("navigation");

/** Opens each fold of the page in turn and returns the heights of the page. */
async function heightsOf(page: Page): Promise<number[]> {
  const heights = [await heightOf(page)];
  const summaries = page.locator("main section > details > summary");
  for (const summary of await summaries.all()) {
    if (!(await summary.evaluate(({ parentElement }) => parentElement?.hasAttribute("open"))))
      await summary.click({ position: { x: 8, y: 8 } });
    for (const limits of await page.locator("main section > details[open] details > summary").all()) {
      await limits.click();
    }
    heights.push(await heightOf(page));
  }
  return heights;
}

for (const locale of ["en-US", "es-ES"] as const) {
  describe(`the account in ${locale}`, { tags: locale === "en-US" ? [] : ["slow"] }, () => {
    it("is seven rows with their values, each a page of at most two phone screens", async () => {
      const { page, context, errors } = await site.open({ viewport: PHONE, locale });
      const member = await makeMember(site);
      await logIn(site, context, member);
      await page.goto("/settings");
      const rows = index(page).getByRole("link");
      await expect.poll(() => rows.count()).toBe(7);
      await expect.poll(async () => (await rows.allInnerTexts()).every((text) => /\n\s*\S/.test(text))).toBe(true);
      const values = await rows.evaluateAll((links) => links.map((link) => link.textContent));
      expect(values[5]).toContain(member.email);
      for (const [at, name] of Object.keys(ROWS[locale]).entries()) {
        expect(values[at]?.startsWith(name), name).toBe(true);
        expect(values[at]?.slice(name.length).trim(), name).not.toBe("");
      }
      expect(await heightOf(page)).toBeLessThanOrEqual(PHONE.height * SCREENS_MAX);
      const cut = await rows
        .locator("span")
        .evaluateAll((texts) =>
          texts
            .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth && clientWidth > 0)
            .map((text) => text.textContent),
        );
      expect(cut).toEqual([]);
      for (const [name, [hash, text]] of Object.entries(ROWS[locale])) {
        await rows.filter({ hasText: name }).first().click();
        await page.getByRole("heading", { level: 2, name, exact: true }).waitFor();
        expect(new URL(page.url()).hash).toBe(`#${hash}`);
        await page.getByText(text, { exact: true }).first().waitFor();
        const heights = await heightsOf(page);
        expect(Math.max(...heights), `${name}: ${heights}`).toBeLessThanOrEqual(PHONE.height * SCREENS_MAX);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), name).toBe(0);
        expect(await findBarriers(page), name).toEqual([]);
        await page.getByRole("main").getByRole("link", { name: BACK[locale], exact: true }).click();
        await expect
          .poll(() => page.evaluate(() => document.activeElement?.getAttribute("href")))
          .toBe(`/settings#${hash}`);
      }
      expect(errors).toEqual([]);
      await context.close();
    });

    it("tells a discreet member so wherever a hidden one is told", { tags: "slow" }, async () => {
      const texts = HIDING[locale];
      const { page, context, errors } = await site.open({ viewport: PHONE, locale });
      await logIn(site, context, await makeMember(site));
      await page.goto("/settings#visibility");
      await page.getByRole("switch", { name: texts.discreet }).click();
      await page.getByRole("switch", { name: texts.discreet, checked: true }).waitFor();
      const hide = page.getByRole("switch", { name: texts.hide });
      await hide.click();
      await page.getByRole("switch", { name: texts.hide, checked: true }).waitFor();
      for (const path of ["/", "/search/tile"]) {
        await page.goto(path);
        await page.getByText(texts.hiding, { exact: true }).waitFor();
        expect(await page.getByText(texts.few).count()).toBe(0);
      }
      await page.goto("/settings#visibility");
      await hide.click();
      await page.getByText(texts.shownToFew, { exact: true }).first().waitFor();
      for (const path of ["/", "/search/tile", "/search/profile", "/search/swype"]) {
        await page.goto(path);
        await page.getByText(texts.few, { exact: true }).waitFor();
      }
      await page.goto("/chat/broadcast");
      await page.getByText(texts.chat, { exact: true }).waitFor();
      await page.goto("/search/map");
      const eye = page.getByRole("button", { name: texts.eye, exact: true });
      await expect.poll(() => eye.getAttribute("aria-description")).toBe(texts.few);
      expect(errors).toEqual([]);
      await context.close();
    });
  });
}

it("stays two phone screens long with 50 devices and 50 blocked men, of whom it shows the others on request", {
  tags: "slow",
}, async () => {
  const { page, context, errors } = await site.open({ viewport: PHONE });
  const member = await makeMember(site);
  await logIn(site, context, member);
  const others = await insertMembers(
    site.run,
    Array.from({ length: 50 }, () => ({})),
  );
  await insertSessions(
    site.run,
    Array.from({ length: 49 }, () => member.id),
  );
  await site.run(
    ...others.flatMap(({ id }) =>
      [
        [member.id, id, 1, 0],
        [id, member.id, 0, 1],
      ].map((values) => ({
        query: `insert into block (profile_id, other_id, blocked_by_profile, blocked_by_other, ts_created) values (?, ?, ?, ?, ${Date.now()})`,
        values,
      })),
    ),
  );
  for (const hash of ["sessions", "blocked"]) {
    await page.goto("/aboutus");
    await page.goto(`/settings#${hash}`);
    const all = page.getByRole("button", { name: /^Show all \d+$/ });
    await all.waitFor();
    expect(Math.max(...(await heightsOf(page))), hash).toBeLessThanOrEqual(PHONE.height * SCREENS_MAX);
    await page.goto(`/settings#${hash}`);
    await page.reload();
    await all.click();
    await expect.poll(() => page.locator(`#${hash} li`).count()).toBeGreaterThan(15);
  }
  expect(errors).toEqual([]);
  await context.close();
});

it("finds a setting by a word of its label, accents or not, and opens its section", async () => {
  const { page, context } = await site.open({ viewport: PHONE, locale: "es-ES" });
  await logIn(site, context, await makeMember(site));
  await page.goto("/settings");
  const field = page.getByRole("searchbox");
  await field.fill("recuperacion");
  await page.getByText("1 ajuste encontrado").waitFor();
  await field.fill("nada de esto");
  await page.getByText("Ningún ajuste tiene esa palabra.").waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await field.fill("neutro");
  await index(page).getByRole("link").click();
  await page.getByRole("radio", { name: "Notas" }).first().waitFor();
  expect(new URL(page.url()).hash).toBe("#disguise");
  await context.close();
});

it("opens the section that an older link names", { tags: "slow" }, async () => {
  const { page, context } = await site.open({ viewport: PHONE });
  await logIn(site, context, await makeMember(site));
  const landings = {
    visibility: "Discreet",
    notifications: "Push on your devices",
    passkeys: "Add a passkey",
    sessions: "Log out everywhere",
    lock: "Turn the lock on",
    disguise: "Weather",
    data: "Download my data",
  };
  for (const [hash, text] of Object.entries(landings)) {
    await page.goto("/aboutus");
    await page.goto(`/settings#${hash}`);
    const target = page.getByText(text, { exact: true }).first();
    await target.waitFor();
    await expect.poll(() => target.evaluate((element) => element.getBoundingClientRect().top < innerHeight)).toBe(true);
  }
  await context.close();
});

it("switches a group of notifications, and removes another device only after a proof", async () => {
  const { page, context } = await site.open({ viewport: PHONE });
  const member = await makeMember(site, { password: true });
  await logIn(site, context, member);
  await site.sql(
    `insert into push_subscription (profile_id, device_name, endpoint, auth_base64, p256dh_base64, brand, ts_created)
     values (?, 'Old phone', 'https://push.test/old', 'a', 'p', 'ember', 1)`,
    member.id,
  );
  await page.goto("/settings#notifications");
  const proof = page.getByRole("dialog", { name: "Confirm that it's you" });
  await page.getByRole("button", { name: /^Remove .*Old phone/ }).click();
  await proof.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: /^Remove .*Old phone/ }).click();
  await proof.getByLabel("Current password").fill(PASSWORD);
  await proof.getByRole("button", { name: "Confirm" }).click();
  await page.getByText("No device gets push messages.").waitFor();
  const off = async () => {
    const [row] = await site.sql<{ off: string | null }>(
      "select preferences ->> '$.notificationsOff' off from account where id = ?",
      member.id,
    );
    return row?.off;
  };
  await page.getByRole("switch", { name: "Games and juries" }).click();
  await page.getByRole("switch", { name: "Games and juries", checked: false }).waitFor();
  await expect.poll(off).toMatch(/crop/);
  await page.goto("/settings");
  await index(page).getByText("5 of 6 on, on no device").waitFor();
  await context.close();
});

it("shows the index beside the page on a desktop", async () => {
  const { page, context } = await site.open({ viewport: DESKTOP });
  await logIn(site, context, await makeMember(site));
  await page.goto("/settings");
  await page.getByLabel("Real name").waitFor();
  await index(page).getByRole("link", { name: /^Look/ }).click();
  await page.getByRole("heading", { level: 2, name: "Look" }).waitFor();
  expect(await index(page).getByRole("link").count()).toBe(7);
  expect(await page.locator("[aria-current=page]", { hasText: "Look" }).count()).toBe(1);
  await context.close();
});
