import {
  LOGIN_LINKS_PER_EMAIL_MAX,
  LOGIN_LINKS_PER_KNOWN_DEVICE_MAX,
  LOGIN_LINKS_PER_MAILBOX_MAX,
  LOGIN_LINKS_WINDOW_MS,
} from "@lambda/contract/limits";
import type { Context } from "../platform/context.ts";
import { isWithinLimit } from "../platform/rate-limits/limit.ts";
import { mailboxOf } from "./mailbox.ts";

/**
 * Counts one requested mail to an address and returns whether it may be sent. Requests from a device of that account
 * (`known`) have their own allowance, which strangers cannot use up.
 */
export async function isWithinMailLimits(
  ctx: Pick<Context, "env" | "ip">,
  email: string,
  { known }: { known: boolean },
): Promise<boolean> {
  const mailbox = mailboxOf(email);
  const within = (name: string, max: number) => isWithinLimit(ctx.env, name, max, LOGIN_LINKS_WINDOW_MS);
  if (known && (await within(`link-known:${mailbox}`, LOGIN_LINKS_PER_KNOWN_DEVICE_MAX))) return true;
  return (
    (await within(`link:${ctx.ip}:${mailbox}`, LOGIN_LINKS_PER_EMAIL_MAX)) &&
    (await within(`link-mailbox:${mailbox}`, LOGIN_LINKS_PER_MAILBOX_MAX))
  );
}
