import type { Brand } from "@lambda/brands";
import type { Locale } from "@lambda/contract/accounts";

/** A mail as text and as HTML with the same content. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly replyTo?: string;
}

/** A paragraph, a link, a login code, a section with a heading, or text that a person wrote. */
export type MailPart =
  | string
  | { readonly link: string; readonly action?: string }
  | { readonly code: string }
  | { readonly heading: string; readonly text: string }
  | { readonly quote: string };

/** The parts as text and HTML, ending with the operator's legal name. */
export function composeMail(
  { legalName }: Pick<Brand, "legalName">,
  to: string,
  subject: string,
  parts: readonly MailPart[],
): Mail {
  const all = [...parts, legalName];
  return { to, subject, text: all.map(toText).join("\n\n"), html: all.map(toHtml).join("") };
}

function toText(part: MailPart): string {
  if (typeof part === "string") return part;
  if ("link" in part) return part.link;
  if ("code" in part) return part.code;
  if ("heading" in part) return `${part.heading}\n${part.text}`;
  return part.quote.replace(/^/gm, "> ");
}

function toHtml(part: MailPart): string {
  if (typeof part === "string") return `<p>${escapeHtml(part)}</p>`;
  if ("link" in part) return `<p><a href="${escapeHtml(part.link)}">${escapeHtml(part.action ?? part.link)}</a></p>`;
  if ("code" in part)
    return `<p style="font-size:28px;font-weight:bold;letter-spacing:4px">${escapeHtml(part.code)}</p>`;
  if ("heading" in part) return `<h2>${escapeHtml(part.heading)}</h2><p>${escapeHtml(part.text)}</p>`;
  return `<blockquote style="white-space:pre-line">${escapeHtml(part.quote)}</blockquote>`;
}

/** A day for the text of a mail, such as "March 5, 2027". In UTC, because nobody's time zone is known. */
export function formatDay(locale: Locale, time: number): string {
  return new Date(time).toLocaleDateString(locale, { dateStyle: "long", timeZone: "UTC" });
}

/** Escapes text for use between tags or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
