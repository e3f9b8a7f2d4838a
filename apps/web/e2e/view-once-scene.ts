/** A picture to open once, as its sender sends it and as somebody with the page's tools asks for it. */
import type { Page } from "playwright-core";
import { BLUE, GREEN, makeQuartersPicture, RED, YELLOW } from "./picture-members.ts";

/** Asks from within the page, with its session: what somebody with the page's tools can do. */
export const requestOpening = (page: Page, id: number, opening: string) =>
  page.evaluate(
    async ([path, word]) => {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify({ opening: word }) });
      return answer.status;
    },
    [`/api/message/${id}/open`, opening] as const,
  );

/** From the open conversation; `look` is what a test wants to see before it is sent. */
export async function sendViewOncePicture(page: Page, look = async () => {}): Promise<void> {
  await page.getByRole("button", { name: "Add to message" }).click();
  await page.getByRole("menuitem", { name: "Picture to open once" }).click();
  await page.getByText("Nobody can prevent a screenshot").waitFor();
  const file = {
    name: "one.jpg",
    mimeType: "image/jpeg",
    buffer: await makeQuartersPicture(400, 500, [RED, GREEN, BLUE, YELLOW]),
  };
  await page.getByLabel("Choose a picture").last().setInputFiles(file);
  await page.getByRole("img", { name: "The picture you chose" }).waitFor();
  await look();
  await page.getByRole("button", { name: "Send it" }).click();
}

/** The answer to the next opening comes, and is lost on the way as soon as the server is dead. */
export const loseFirstOpenResponse = (page: Page) =>
  page.evaluate(() => {
    const real = window.fetch;
    window.fetch = async (...call) => {
      const answer = await real(...call);
      if (!String(call[0]).endsWith("/open")) return answer;
      window.fetch = real;
      document.body.dataset.answered = String(answer.status);
      await new Promise((lost) => addEventListener("dead", lost, { once: true }));
      await answer.body?.cancel();
      throw new TypeError("the connection was lost");
    };
  });
