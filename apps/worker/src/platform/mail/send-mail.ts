import type { Brand } from "@lambda/brands";
import type { Env } from "../env.ts";
import { keepDevelopmentMail } from "./development-mails.ts";
import type { Mail } from "./mail.ts";

/** Sends one mail in the brand's name; throws when the mail service refuses it. */
export async function sendMail(env: Env, brand: Brand, mail: Mail): Promise<void> {
  if (__DEVELOPMENT__) await keepDevelopmentMail(env, brand, mail);
  await env.MAIL.send({ from: { email: brand.senderAddress, name: brand.name }, ...mail });
}
