import { DESKTOP, openSite, PHONE, type TestSite } from "@lambda/testing/browser";
import { findBarriers } from "@lambda/ui/barriers";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { field, log } from "./chat-page.ts";
import { type ChatScene, insertConversation, makeChat } from "./chat-scene.ts";
import { logIn, makeMember } from "./members.ts";
import { LONG_TIMEOUT } from "./page-actions.ts";

let site: TestSite;
let scene: ChatScene;

beforeAll(async () => {
  site = await openSite();
  scene = await makeChat(site);
});

/** The accessible name of the focused control; empty when no control has the focus. */
const focusedName = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    const isControl = element?.matches("a, button, input, textarea");
    return isControl ? element?.getAttribute("aria-label") || element?.textContent || "" : "";
  });

describe("the chat screens", () => {
  for (const [device, viewport] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
    for (const theme of ["dark", "light"]) {
      it(`pass the accessibility checks on a ${device} in the ${theme} theme`, { tags: "slow" }, async () => {
        const { page, context, errors } = await site.open({ viewport });
        await context.addInitScript((value) => localStorage.setItem("theme", JSON.stringify(value)), theme);
        await logIn(site, context, scene.me);
        const found: Record<string, string[]> = {};
        const check = async (name: string) => {
          const barriers = await findBarriers(page);
          if (barriers.length > 0) found[name] = barriers;
          expect(
            await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
            name,
          ).toBeLessThanOrEqual(0);
        };
        await page.goto("/chat/personal");
        await page.getByRole("link", { name: /Bruno/ }).waitFor();
        await check("list");
        await page.goto(`/chat/personal?with=${scene.friend.id}`);
        await log(page).getByText("The kettle is on.").waitFor();
        await field(page).fill("Coming");
        await log(page).getByText("The kettle is on.").click();
        await page.getByRole("button", { name: "Report" }).waitFor();
        await check("conversation");
        await page.getByRole("button", { name: "Add to message" }).click();
        await check("conversation with the menu");
        await page.keyboard.press("Escape");
        await field(page).fill("");
        await page.goto(`/chat/personal?with=${scene.stranger.id}`);
        await page.getByText("Say hello").waitFor();
        await check("empty conversation");
        // An opener fills the field, once, and sends nothing.
        await page.getByRole("button", { name: "How's your day?" }).click();
        await expect.poll(() => field(page).inputValue()).toBe("How's your day?");
        expect(await log(page).count()).toBe(0);
        await field(page).fill("");
        await site.sql("delete from message where recipient_id is null");
        await page.goto("/chat/broadcast");
        await page.getByText("No messages found in your area.").waitFor();
        await check("empty map chat");
        await field(page).fill("Coffee, anybody?");
        await page.getByRole("button", { name: "Send" }).click();
        await page.getByRole("article").filter({ hasText: "Coffee" }).waitFor();
        await check("map chat");
        await site.sql("delete from message where recipient_id is null");
        expect(found).toEqual({});
        expect(errors).toEqual([]);
        await context.close();
      });
    }
  }
});

describe("the keyboard alone", () => {
  it("lets a member open a conversation, read, write, receive the reply, and return to the same row", async () => {
    const [ann, bob, other] = [
      await makeMember(site, { name: "Ansel" }),
      await makeMember(site, { name: "Bruno" }),
      await makeMember(site, { name: "Ciro" }),
    ];
    await insertConversation(site, ann, other, [[false, "elsewhere", 3_600_000]]);
    await insertConversation(site, ann, bob, [
      [true, "first words", 120_000],
      [false, "second words", 60_000],
    ]);
    await insertConversation(site, ann, other, [[false, "elsewhere again", 1000]]);
    const { page, context, errors } = await site.open({ viewport: { width: 900, height: 800 } });
    await logIn(site, context, ann);
    const theirs = await site.open();
    await logIn(site, theirs.context, bob);
    await theirs.page.goto(`/chat/personal?with=${ann.id}`);
    await log(theirs.page).getByText("second words").waitFor();

    await page.goto("/chat/personal");
    await page.getByRole("link", { name: /Bruno/ }).waitFor();
    const tabTo = async (name: RegExp, back = false) => {
      for (let presses = 0; presses < 40 && !name.test(await focusedName(page)); presses += 1) {
        await page.keyboard.press(back ? "Shift+Tab" : "Tab");
      }
      expect(await focusedName(page)).toMatch(name);
    };
    await tabTo(/Bruno/);
    await page.keyboard.press("Enter");
    await log(page).getByText("second words").waitFor();
    // Keyboard users land in the message field.
    await expect.poll(() => focusedName(page), LONG_TIMEOUT).toBe("Message");

    // The log is one tab stop, at its newest message; arrow keys move between messages, Enter shows the times.
    await tabTo(/second words/, true);
    await page.keyboard.press("ArrowUp");
    expect(await focusedName(page)).toMatch(/^You: first words/);
    await page.keyboard.press("Enter");
    await page.getByText(/^Sent \d/).waitFor();
    await page.keyboard.press("Enter");
    await page.getByText(/^Sent \d/).waitFor({ state: "detached" });
    await tabTo(/^Message$/);

    await page.keyboard.type("third words");
    await page.keyboard.press("Enter");
    await log(theirs.page).getByText("third words").waitFor();
    expect(await focusedName(page)).toBe("Message");
    await field(theirs.page).fill("fourth words");
    await theirs.page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("status").getByText("Bruno: fourth words", { exact: true }).waitFor({ state: "attached" });
    expect(await log(page).getAttribute("aria-live")).toBe("off");

    await tabTo(/^Back to conversations$/, true);
    await page.keyboard.press("Enter");
    await expect.poll(() => focusedName(page), LONG_TIMEOUT).toMatch(/Bruno.*fourth words/);
    expect(await page.getByRole("link", { name: /Bruno.*fourth words/ }).evaluate((row) => row.matches(":focus"))).toBe(
      true,
    );
    expect([...errors, ...theirs.errors]).toEqual([]);
    await context.close();
    await theirs.context.close();
  });
});
