import type { Brand } from "@lambda/brands";
import type { Locale } from "@lambda/contract/accounts";
import { APPEAL_WINDOW_MS } from "@lambda/contract/limits";
import { ruleCopy } from "@lambda/contract/rule-copy";
import { type Detection, statementParts } from "@lambda/contract/statement";
import { originOf } from "../../platform/http/address.ts";
import { escapeHtml } from "../../platform/mail/escape-html.ts";
import type { Mail } from "../../platform/mail/mail.ts";
import type { NewAction } from "./actions.ts";
import { moderationCopy } from "./copy.ts";

type StatedAction = Pick<NewAction, "kind" | "rule" | "reason" | "until" | "by">;

/** The statement of reasons as a mail, for a member who may never log in again to read it in their own record. */
export function statementMail(
  brand: Brand,
  to: { readonly email: string; readonly locale: Locale },
  { kind, rule, reason, until, by }: StatedAction,
  { detection, now }: { readonly detection: Detection; readonly now: number },
): Mail {
  const { locale } = to;
  const formatDate = (time: number) =>
    new Date(time).toLocaleDateString(locale, { dateStyle: "long", timeZone: "UTC" });
  const parts = statementParts(
    {
      kind,
      rule,
      reason,
      detection,
      until: until === null ? null : formatDate(until),
      byJury: by === "jury",
      appealUntil: formatDate(now + APPEAL_WINDOW_MS),
    },
    ruleCopy[locale][rule],
    locale,
  );
  const link = `${originOf(brand)}/games/dungeon`;
  const text = parts.map(({ heading, text }) => `${heading}\n${text}`).join("\n\n");
  const html = parts.map(({ heading, text }) => `<h2>${escapeHtml(heading)}</h2><p>${escapeHtml(text)}</p>`).join("");
  return {
    to: to.email,
    subject: moderationCopy[locale].statementSubject(brand.name),
    text: `${text}\n\n${link}\n\n${brand.legalName}`,
    html: `${html}<p><a href="${link}">${link}</a></p><p>${escapeHtml(brand.legalName)}</p>`,
  };
}
