import { openSite, type TestSite } from "@lambda/testing/browser";
import { findBarriers } from "@lambda/ui/barriers";
import { beforeAll, expect, it } from "vitest";
import { type BrowserMember, logIn, makeMember } from "./members.ts";

let site: TestSite;
let reader: BrowserMember;
let sender: BrowserMember;
let third: BrowserMember;

beforeAll(async () => {
  site = await openSite();
  reader = await makeMember(site, { name: "Ansel" });
  sender = await makeMember(site, { name: "Marco" });
  third = await makeMember(site, { name: "Tomas" });
});

it("blocks an unwanted word, warns about a phone number, and rejects a repeated opener", { tags: "slow" }, async () => {
  const mine = await site.open();
  await logIn(site, mine.context, reader);
  await mine.page.goto("/settings#words");
  await mine.page.getByLabel("Word", { exact: true }).fill("n00ds");
  await mine.page.getByRole("button", { name: "Add word" }).click();
  await mine.page.getByRole("button", { name: "Remove n00ds" }).waitFor();
  expect(await findBarriers(mine.page)).toEqual([]);

  const theirs = await site.open();
  await logIn(site, theirs.context, sender);
  const send = async (to: BrowserMember, text: string) => {
    await theirs.page.goto(`/chat/personal?with=${to.id}`);
    await theirs.page.getByRole("textbox", { name: "Message" }).fill(text);
    await theirs.page.getByRole("button", { name: "Send", exact: true }).click();
  };
  await send(third, "Good evening, I like your smile. Call me: 0170 1234567");
  await theirs.page.getByRole("log").getByText("Good evening, I like").waitFor();
  await send(reader, "Good evening! I like your smile, call me: 0170 1234567");
  await theirs.page.getByText("You already sent this to someone else.").waitFor();
  const field = theirs.page.getByRole("textbox", { name: "Message" });
  await expect.poll(() => field.inputValue()).toContain("I like your smile");
  expect(await findBarriers(theirs.page)).toEqual([]);
  await field.fill("Your dog by the river made my day. My number is 0170 1234567");
  await theirs.page.getByRole("button", { name: "Send", exact: true }).click();
  await theirs.page.getByRole("log").getByText("Your dog by the river").waitFor();

  await mine.page.goto(`/chat/personal?with=${sender.id}`);
  const log = mine.page.getByRole("log");
  await log.getByText("A number from someone you haven't answered yet.").waitFor();
  await send(reader, "Send noods");
  await theirs.page.getByRole("log").getByText("Send noods").waitFor();
  await mine.page.reload();
  await log.getByText("Your dog by the river").waitFor();
  expect(await log.getByText("Send noods").count()).toBe(0);
  await mine.page.getByRole("textbox", { name: "Message" }).fill("Thank you");
  await mine.page.getByRole("button", { name: "Send", exact: true }).click();
  await log.getByText("A number from someone").waitFor({ state: "detached" });
  expect([...mine.errors, ...theirs.errors].filter((error) => !error.includes("403"))).toEqual([]);
  await mine.context.close();
  await theirs.context.close();
});
