import type { Brand } from "@lambda/brands";
import { keepDevelopmentMail } from "../development/mail-page.ts";
import type { Env } from "../env.ts";

/** A mail as text and as HTML; both say the same. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly replyTo?: string;
}

/** Sends one mail in the brand's name; throws when the mail service refuses it. */
export async function sendMail(env: Env, brand: Brand, mail: Mail): Promise<void> {
  if (__DEVELOPMENT__) await keepDevelopmentMail(env, brand, mail);
  await env.MAIL.send({ from: { email: brand.senderAddress, name: brand.name }, ...mail });
}
