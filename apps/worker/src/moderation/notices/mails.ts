import { type Brand, storedBrand } from "@lambda/brands";
import type { Locale } from "@lambda/contract/accounts";
import type { Context } from "../../platform/context.ts";
import type { Env } from "../../platform/env.ts";
import { originOf } from "../../platform/http/address.ts";
import {
  composeMail,
  type MailPart,
  NO_MAIL,
  type PreparedMail,
  prepareMail,
  siteLink,
} from "../../platform/mail/send-mail.ts";
import { noticeCopy } from "./copy.ts";
import { addressCode, receiptSecret } from "./keyed-hashes.ts";

/** The recipient of a mail, and the notice it is about. */
export interface NoticeRecipient {
  readonly ref: string;
  readonly brand: string;
  readonly locale: Locale;
  readonly email: string;
}

/** With a request, links lead to the site that received it; without one, to the brand's own host. */
export type MailContext = Pick<Context, "env"> & { readonly request?: Request };

/** The receipt with the code that confirms the address. */
export function prepareReceipt(
  ctx: Context,
  { ref, locale, email, kind }: Omit<NoticeRecipient, "brand"> & { readonly kind: string },
): PreparedMail {
  const copy = noticeCopy[locale].mail.receipt;
  const link = receiptLink(ctx, ctx.brand, ref, addressCode(ctx.env, ref, email));
  const disown = { link: `${link}.no`, action: copy.disown };
  const parts = [
    copy.lead(ref),
    copy.confirm,
    { link, action: copy.action },
    ...(kind === "intimate" ? [copy.due] : []),
    copy.ignore,
    disown,
  ];
  const mail = composeMail(ctx.brand, email, copy.subject(ctx.brand.name, ref), parts);
  return prepareMail(ctx.env, ctx.brand, mail, "noticeReceipt");
}

export function prepareQuestion(ctx: MailContext, to: NoticeRecipient, question: string): PreparedMail {
  const copy = noticeCopy[to.locale].mail.asked;
  return prepare(ctx, "noticeQuestion", to, copy, [copy.lead, { quote: question }]);
}

type Outcome = Exclude<
  keyof (typeof noticeCopy)["en"]["mail"]["decided"],
  "subject" | "reason" | "redress" | "automated" | "action"
>;

/** The decision, its reason and the means of redress, as Art. 16(5) of the DSA requires. */
export function prepareDecision(ctx: MailContext, to: NoticeRecipient, outcome: Outcome, reason: string): PreparedMail {
  const copy = noticeCopy[to.locale].mail.decided;
  const why = reason === "" ? [] : [copy.reason, { quote: reason }];
  return prepare(ctx, "noticeDecision", to, copy, [copy[outcome], ...why, copy.automated, copy.redress]);
}

function prepare(
  ctx: MailContext,
  kind: "noticeQuestion" | "noticeDecision",
  { ref, brand: id, email }: NoticeRecipient,
  copy: { readonly subject: (brand: string, ref: string) => string; readonly action: string },
  parts: readonly MailPart[],
): PreparedMail {
  // The notice is anonymous or its address has been erased.
  if (email === "") return NO_MAIL;
  const brand = storedBrand(id);
  const open = { link: receiptLink(ctx, brand, ref), action: copy.action };
  const mail = composeMail(brand, email, copy.subject(brand.name, ref), [...parts, open]);
  return prepareMail(ctx.env, brand, mail, kind);
}

/** Tells an admin of the notices that have waited too long. The link leads to the desk, which needs a login. */
export function prepareAlarm(
  env: Env,
  brand: Brand,
  to: { readonly email: string; readonly locale: Locale },
  notices: readonly { readonly ref: string; readonly due: string }[],
): PreparedMail {
  const copy = noticeCopy[to.locale].mail.alarm;
  const link = `${originOf(brand)}/dashboard?section=notices`;
  const lines = notices.map(({ ref, due }) => copy.line(ref, due));
  const parts = [copy.lead, ...lines, { link, action: copy.action }];
  const mail = composeMail(brand, to.email, copy.subject(brand.name, notices.length), parts);
  return prepareMail(env, brand, mail, "noticeAlarm");
}

/** The secret follows the #, so that browsers do not send it to any server. */
function receiptLink(ctx: MailContext, brand: Brand, ref: string, code?: string): string {
  const path = `/notice/${ref}#${receiptSecret(ctx.env, ref)}${code === undefined ? "" : `.${code}`}` as const;
  return ctx.request ? siteLink({ env: ctx.env, request: ctx.request, brand }, path) : `${originOf(brand)}${path}`;
}
