import { DESKTOP, openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import { findBarriers } from "@lambda/ui/barriers";
import { beforeAll, describe, expect, it } from "vitest";
import { logIn, makeMember } from "./members.ts";

let site: TestSite;
beforeAll(async () => {
  site = await openSite();
});

/** Texts that each page must show, to visitors and to members. */
const OPEN_PAGES: Record<string, readonly string[]> = {
  "/register": [
    "Cookies, geolocation and logging",
    "Adult site and community guidelines",
    "A geolocation social application",
  ],
  "/aboutus": [
    "Community",
    "Safety",
    "Enjoyment",
    "Responsibility",
    "Evolution",
    "OpenStreetMap",
    "MapLibre GL JS",
    "Unsplash",
  ],
  "/tos": [
    "1. You must be 18",
    "American Arbitration Association",
    "State of Arizona",
    "Privacy Policy",
    "Transfer to the USA",
  ],
  "/safety": ["WE DO NOT CONDUCT CRIMINAL BACKGROUND SCREENINGS OF OUR MEMBERS", "For your safety"],
  "/support": ["What does the lambda mean?", "Report a problem"],
  "/sorry": [
    "Ooops! Well, this is embarassing. We're sorry, we are experiencing technical difficulties at this time. Please try again later.",
  ],
  "/no/such/page": ["Well, this is embarrassing. The feature you requested was not found."],
};
const VISITOR_PAGES: Record<string, readonly string[]> = {
  "/": ["Good men glow in the dark.", "Register or reactivate your account on this site"],
  "/login": ["Remember me", "Need to Register?", "Forgot Password?"],
};
const MEMBER_PAGES: Record<string, readonly string[]> = {
  "/": ["Gaydar Map", "Hiding NSFW"],
  "/contactus": ["Full name", "Message"],
  "/billing": [
    "$10/mo",
    "You plus 2 friends",
    "$15/mo",
    "You plus 4 friends",
    "$10 per month or $100 per year",
    "0 volunteer credits",
  ],
  "/settings": ["Who sees me", "Who can write", "Privacy on this phone", "My data"],
  "/settings#login": ["Real name", "Email", "Repeat password", "Roles"],
  "/settings#notifications": ["Push on your devices"],
  "/settings#sharing": ["Sister sites", "Your home site"],
  "/settings#deletion": ["Delete my account"],
  "/settings#version": ["Frontend", "Backend"],
  "/settings#location": ["Device location", "You're not using your device's location."],
};

for (const [device, viewport] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
  for (const state of ["visitor", "member"] as const) {
    describe(`pages for a ${state} on a ${device}`, () => {
      const tags = state === "member" && device === "phone" ? [] : ["slow"];
      it("show their texts without errors, horizontal scrolling or accessibility violations", { tags }, async () => {
        const { page, context, errors } = await site.open({ viewport });
        if (state === "member") await logIn(site, context, await makeMember(site));
        const pages = { ...OPEN_PAGES, ...(state === "member" ? MEMBER_PAGES : VISITOR_PAGES) };
        const found: Record<string, string[]> = {};
        for (const [index, [path, texts]] of Object.entries(pages).entries()) {
          // Phones load each page; desktops load the first one and then navigate within the application.
          if (device === "phone" || index === 0) await page.goto(path);
          else await page.evaluate((to) => history.pushState(null, "", to), path);
          for (const text of texts) await page.getByText(text).first().waitFor();
          // Never on a screen that fills the window.
          const banner = page.getByText("This site is under active development");
          await expect.poll(() => banner.count(), { message: path }).toBe(/^\/(search\/map|chat\/)/.test(path) ? 0 : 1);
          expect(
            await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
            path,
          ).toBeLessThanOrEqual(0);
          const violations = await findBarriers(page);
          if (violations.length > 0) found[path] = violations;
        }
        expect(found).toEqual({});
        expect(errors).toEqual([]);
        await context.close();
      });
    });
  }
}

describe("home", () => {
  it("shows the cards in order and an NSFW switch that the device remembers", async () => {
    const { page, context } = await site.open();
    await logIn(site, context, await makeMember(site));
    await page.goto("/");
    await page.getByRole("heading", { name: "Hello, Marco." }).waitFor();
    await page.getByText("More", { exact: true }).click();
    const links = await page
      .getByRole("main")
      .getByRole("link")
      .evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    // Who is new stands above, if anybody is.
    expect(links.filter((href) => !href?.includes("newHere"))).toEqual([
      "/search/map",
      "/search/tile",
      "/search/swype",
      "/search/profile",
      "/chat/personal",
      "/chat/broadcast",
      "/games",
      "/likes/profilelikedyou",
      "/profileEdit",
      "/settings",
      "/aboutus",
      "/logout",
    ]);
    const nsfw = page.getByRole("switch", { name: "Show NSFW pictures" });
    await nsfw.click();
    await nsfw.getByText("Showing NSFW").waitFor();
    expect(await page.evaluate(() => localStorage.getItem("show_nsfw"))).toBe("true");
    await page.reload();
    await nsfw.and(page.locator("[aria-checked=true]")).waitFor();
    await context.close();
  });

  it("shows every page in Spanish to a Spanish browser", async () => {
    const { page, context } = await site.open({ locale: "es-ES" });
    const words: Record<string, string> = {
      "/": "Los hombres buenos brillan en la oscuridad.",
      "/login": "¿Olvidaste la contraseña?",
      "/register": "Antes de entrar",
      "/aboutus": "Disfrute",
      "/tos": "Política de privacidad",
      "/support": "¿Qué significa la lambda?",
      "/nada": "No se encontró lo que pedías.",
    };
    for (const [path, text] of Object.entries(words)) {
      await page.goto(path);
      await page.getByText(text).first().waitFor();
      expect(await page.evaluate(() => document.documentElement.lang)).toBe("es");
    }
    await context.close();
  });
});

describe("contact messages", () => {
  it("confirm that they were sent, and are stored", async () => {
    const { page, context } = await site.open();
    const member = await makeMember(site);
    await logIn(site, context, member);
    await page.goto("/contactus");
    await page.getByRole("button", { name: "Submit" }).click();
    await page.getByText("Tell us your name.").waitFor();
    await page.getByLabel("Full name").fill("Zoë 山田");
    await page.getByLabel("Message").fill("Hello");
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/trpc/contact.send*", async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole("button", { name: "Submit" }).click();
    await page.getByText("Sending...", { exact: true }).waitFor();
    release();
    const sent = "Message Sent, you may receive a reply to the email address asscoiated with your account.";
    await page.getByText(sent, { exact: true }).waitFor();
    await page.goto("/support");
    await page.getByLabel("What happened, and what did you expect?").fill("The map is blank");
    await page.getByRole("button", { name: "Report the problem" }).click();
    await page.getByText("Thank you. A volunteer will look at it.").waitFor();
    const rows = await site.sql(
      "select kind, name, message from contact_message where profile_id = ? order by id",
      member.id,
    );
    expect(rows).toEqual([
      { kind: "contact", name: "Zoë 山田", message: "Hello" },
      { kind: "problem", name: `Member ${member.id}`, message: "The map is blank" },
    ]);
    await context.close();
  });
});
