/** Whose account a login link opens, and how one takes the place of another on this device. */
import * as calls from "../../api/account-calls.ts";
import { clearMemberData } from "../../device/clear-local-data.ts";
import { pauseReporting, resumeReporting } from "../../session/reporting.ts";

/** The own session ends as by logout, and the page opens the link anew as a visitor. Answers why it could not. */
export async function changeAccount(): Promise<unknown> {
  pauseReporting();
  try {
    await calls.logOut();
    await clearMemberData();
    history.replaceState({ confirmed: true }, "");
    location.reload();
    // The page is going: nothing comes after this.
    return new Promise<never>(() => {});
  } catch (refusal) {
    resumeReporting();
    return refusal;
  }
}

/** Whose a link says it is; nothing for what is no link of ours, which the server refuses. */
export function addressOf(token: string): string {
  try {
    const bytes = Uint8Array.from(atob(token.replaceAll("-", "+").replaceAll("_", "/")), (byte) => byte.charCodeAt(0));
    return new TextDecoder().decode(bytes).split(":")[0]?.trim().toLowerCase() ?? "";
  } catch {
    return "";
  }
}

export async function isOwn(address: string): Promise<boolean> {
  try {
    return (await calls.fetchOwnSettings()).email === address;
  } catch {
    return false;
  }
}
