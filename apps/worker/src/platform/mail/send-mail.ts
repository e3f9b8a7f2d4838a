import type { Brand } from "@lambda/brands";
import { DAY_MS } from "@lambda/contract/limits";
import type { Env } from "../env.ts";
import type { Mail } from "./compose.ts";
import { storeDevelopmentMail } from "./development-mails.ts";
import { deliverMail, queueForRetry } from "./waiting-mails.ts";

/**
 * Sends a mail in the brand's name. If the mail service refuses it, it is retried for as long as it is useful, and the person who
 * requested it never learns of the refusal.
 */
export async function sendMail(env: Env, brand: Brand, mail: Mail, usefulMs: number = DAY_MS): Promise<void> {
  if (__DEVELOPMENT__) await storeDevelopmentMail(env, brand, mail);
  try {
    await deliverMail(env, brand, mail);
  } catch (error) {
    await queueForRetry(env, brand, mail, usefulMs, error);
  }
}
