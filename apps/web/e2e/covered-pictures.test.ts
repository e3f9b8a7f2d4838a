import { openSite, type TestSite } from "@lambda/testing/browser";
import { findBarriers } from "@lambda/ui/barriers";
import { beforeAll, expect, it } from "vitest";
import { apiFor, type BrowserMember, logIn, makeMember } from "./members.ts";
import { BLUE, GREEN, makeQuartersPicture, RED, YELLOW } from "./picture-members.ts";

let site: TestSite;
let reader: BrowserMember;
let sender: BrowserMember;

beforeAll(async () => {
  site = await openSite();
  [reader, sender] = [await makeMember(site, { name: "Ansel" }), await makeMember(site, { name: "Marco" })];
});

/** Sends a message with a new picture; returns the picture's id. */
async function sendPicture(text: string): Promise<number> {
  const api = await apiFor(site, sender);
  const { id } = await api.upload(await makeQuartersPicture(400, 500, [RED, GREEN, BLUE, YELLOW]), {
    audience: "chat",
  });
  const body = JSON.stringify({ recipientProfileId: reader.id, bodyText: text, profilePicIds: [id] });
  const sent = await api.fetch("/api/message", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  expect(sent.status).toBe(201);
  return id;
}

it("does not load a stranger's picture until the reader asks, lets them decline it, and loads pictures after they have replied", async () => {
  const { page, context, errors } = await site.open();
  await logIn(site, context, reader);
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  const isRequested = (id: number) => requests.some((url) => url.includes(`/profile-pic/${id}`));

  const first = await sendPicture("Look");
  await page.goto(`/chat/personal?with=${sender.id}`);
  const log = page.getByRole("log");
  await log.getByText("A picture you didn't ask for.").waitFor();
  expect(isRequested(first)).toBe(false);
  expect(await findBarriers(page)).toEqual([]);
  await log.getByRole("button", { name: "Show" }).click();
  await log.getByRole("img", { name: "Picture" }).waitFor();
  await expect.poll(() => isRequested(first)).toBe(true);

  const second = await sendPicture("And this");
  await log.getByText("A picture you didn't ask for.").waitFor();
  await log.getByRole("button", { name: "No, thanks" }).click();
  await log.getByText("And this").waitFor({ state: "detached" });
  expect(isRequested(second)).toBe(false);

  await page.getByRole("textbox", { name: "Message" }).fill("Hello Marco");
  await page.getByRole("button", { name: "Send" }).click();
  await log.getByText("Hello Marco").waitFor();
  const third = await sendPicture("Then this");
  await log.getByText("Then this").waitFor();
  await expect.poll(() => isRequested(third)).toBe(true);
  expect(errors).toEqual([]);
  await context.close();
});
