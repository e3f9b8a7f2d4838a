/** Helpers for a login link that may open a different account than the current one. Loaded on demand. */
import { asMailedToken } from "@lambda/contract/mailed-token";
import { trpcClient } from "../../api/client.ts";
import { fromBase64Url } from "../../device/base64.ts";
import { clearMemberData } from "../../device/clear-local-data.ts";
import { pauseReporting, resumeReporting } from "../../device/reporting.ts";

/** Logs out and reloads the page, so that it opens the link as a visitor. Resolves to the error if the logout failed. */
export async function switchAccount(): Promise<unknown> {
  pauseReporting();
  try {
    await trpcClient.accounts.logout.mutate();
    await clearMemberData();
    history.replaceState({ confirmed: true }, "");
    location.reload();
    // Never resolves: the page is reloading.
    return new Promise<never>(() => {});
  } catch (error) {
    resumeReporting();
    return error;
  }
}

/** The email address in a login token; empty if the token is malformed, which the server then refuses. */
export function readTokenEmail(token: string): string {
  try {
    return new TextDecoder().decode(fromBase64Url(asMailedToken(token))).split(":")[0] ?? "";
  } catch {
    return "";
  }
}

/** Whether this is the email address of the logged-in member; false if that is unknown. */
export async function isOwnEmail(address: string): Promise<boolean> {
  try {
    return (await trpcClient.settings.get.query()).email === address;
  } catch {
    return false;
  }
}
