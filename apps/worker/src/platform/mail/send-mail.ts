import type { Brand } from "@lambda/brands";
import { DAY_MS } from "@lambda/contract/limits";
import type { Env } from "../env.ts";
import { keepDevelopmentMail } from "./development-mails.ts";
import type { Mail } from "./mail.ts";
import { deliver, keepForLater } from "./waiting.ts";

/**
 * Sends one mail in the brand's name. What the mail service refuses for now is tried again for as long as it is of use, so that
 * whoever asked for the mail never learns of it.
 */
export async function sendMail(env: Env, brand: Brand, mail: Mail, usefulMs: number = DAY_MS): Promise<void> {
  if (__DEVELOPMENT__) await keepDevelopmentMail(env, brand, mail);
  try {
    await deliver(env, brand, mail);
  } catch (error) {
    await keepForLater(env, brand, mail, usefulMs, error);
  }
}
