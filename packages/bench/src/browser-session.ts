import { insertMember, insertSession } from "@lambda/testing/members";
import type { RunSql } from "@lambda/testing/sql";
import type { BrowserContext } from "playwright-core";

/** Logs a browser in as a new member, whose id it returns. */
export async function logInAsNewMember(run: RunSql, context: BrowserContext, origin: string): Promise<number> {
  const { id } = await insertMember(run, { characteristics: 5, sharingChosen: Date.now() });
  const shared = { url: origin, sameSite: "Lax" as const };
  await context.addCookies([
    { name: "plain_session", value: await insertSession(run, id), httpOnly: true, ...shared },
    { name: "logged_in", value: "1", ...shared },
  ]);
  return id;
}
