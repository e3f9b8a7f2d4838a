/** Sends and opens view-once pictures, through the page and by raw requests. */
import type { Page } from "playwright-core";
import { BLUE, GREEN, makeQuartersPicture, RED, YELLOW } from "./picture-members.ts";

/** Sends a raw open request with the page's session, as somebody with the developer tools could; returns the status. */
export const requestOpening = (page: Page, id: number, opening: string) =>
  page.evaluate(
    async ([path, openingId]) => {
      const headers = { "content-type": "application/json" };
      const response = await fetch(path, { method: "POST", headers, body: JSON.stringify({ opening: openingId }) });
      return response.status;
    },
    [`/api/message/${id}/open`, opening] as const,
  );

/** Sends a view-once picture from the open conversation; `beforeSend` runs when the picture is chosen. */
export async function sendViewOncePicture(
  page: Page,
  beforeSend = async () => {},
  chosen?: { name: string; type: string; bytes: Buffer },
): Promise<void> {
  await page.getByRole("button", { name: "Add to message" }).click();
  await page.getByRole("menuitem", { name: "Picture to open once" }).click();
  await page.getByText("Nobody can stop a screenshot").waitFor();
  const file = {
    name: chosen?.name ?? "one.jpg",
    mimeType: chosen?.type ?? "image/jpeg",
    buffer: chosen?.bytes ?? (await makeQuartersPicture(400, 500, [RED, GREEN, BLUE, YELLOW])),
  };
  await page.getByLabel("Choose a picture").last().setInputFiles(file);
  await page.getByRole("img", { name: "The picture you chose" }).waitFor();
  await beforeSend();
  await page.getByRole("button", { name: "Send it" }).click();
}

/** Lets the server process the next opening, but loses its response when the page gets a "dead" event. */
export const loseFirstOpenResponse = (page: Page) =>
  page.evaluate(() => {
    const real = window.fetch;
    window.fetch = async (...call) => {
      const response = await real(...call);
      if (!String(call[0]).endsWith("/open")) return response;
      window.fetch = real;
      document.body.dataset.answered = String(response.status);
      await new Promise((resolve) => addEventListener("dead", resolve, { once: true }));
      await response.body?.cancel();
      throw new TypeError("the connection was lost");
    };
  });
