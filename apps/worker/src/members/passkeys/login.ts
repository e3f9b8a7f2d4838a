import {
  LOGIN_ATTEMPTS_PER_IP_MAX,
  LOGIN_ATTEMPTS_PER_SITE_MAX,
  LOGIN_FAILURES_WINDOW_MS,
} from "@lambda/contract/limits";
import type { PasskeyAssertion } from "@lambda/contract/passkeys";
import type { Context } from "../../platform/context.ts";
import { limitNetwork } from "../../platform/rate-limits/limit.ts";
import { markKnownDevice } from "../accounts/login-devices.ts";
import { askAboutSecondAccount, type NotifyMember } from "../accounts/second-account.ts";
import { rememberAccountOnDevice } from "../bans/marks.ts";
import { startSession } from "../sessions/sessions.ts";
import { authenticateWithPasskey } from "./authenticate.ts";
import { loginPurpose } from "./options.ts";

/**
 * Logs in to the account whose passkey signed. Throws PASSKEY_REFUSED, also while the account is locked down, and
 * TOO_MANY_REQUESTS.
 */
export async function logInWithPasskey(
  ctx: Context,
  { assertion, remember }: { assertion: PasskeyAssertion; remember: boolean },
  notify: NotifyMember,
): Promise<void> {
  const max = { network: LOGIN_ATTEMPTS_PER_IP_MAX, site: LOGIN_ATTEMPTS_PER_SITE_MAX };
  await limitNetwork(ctx, "passkey-ip", max, LOGIN_FAILURES_WINDOW_MS);
  const { accountId, email } = await authenticateWithPasskey(ctx, loginPurpose(ctx), assertion, notify);
  await startSession(ctx, accountId, { remember, failureCode: "PASSKEY_REFUSED" });
  markKnownDevice(ctx, email);
  rememberAccountOnDevice(ctx, accountId);
  askAboutSecondAccount(ctx, accountId, notify);
}
