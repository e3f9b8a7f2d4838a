import type { Brand } from "@lambda/brands";
import type { Locale } from "@lambda/contract/accounts";
import { APPEAL_WINDOW_MS } from "@lambda/contract/limits";
import { ruleCopy } from "@lambda/contract/rule-copy";
import { type Detection, statementParts } from "@lambda/contract/statement";
import { originOf } from "../../platform/http/address.ts";
import { composeMail, formatDay, type Mail } from "../../platform/mail/compose.ts";
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
  const parts = statementParts(
    {
      kind,
      rule,
      reason,
      detection,
      until: until === null ? null : formatDay(locale, until),
      byJury: by === "jury",
      appealUntil: formatDay(locale, now + APPEAL_WINDOW_MS),
    },
    ruleCopy[locale][rule],
    locale,
  );
  const subject = moderationCopy[locale].statementSubject(brand.name);
  return composeMail(brand, to.email, subject, [...parts, { link: `${originOf(brand)}/games/dungeon` }]);
}
