import type { Locale } from "@lambda/contract/accounts";
import type { YearlyReport, YearlySection } from "@lambda/contract/transparency";
import { escapeHtml } from "../../../platform/mail/escape-html.ts";

/** One line per figure: section, id, label, value. */
export function toCsv(sections: readonly YearlySection[]): string {
  const lines = sections.flatMap(({ id, rows }) => rows.map((row) => [id, row.id, row.label, row.value ?? ""]));
  return [["section", "id", "label", "value"], ...lines].map((line) => line.map(quote).join(",")).join("\r\n");
}

/** Quotes a value for CSV. A leading apostrophe keeps spreadsheets from evaluating text as a formula. */
function quote(value: string | number): string {
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

type ReportBody = Pick<YearlyReport, "title" | "note" | "head" | "sections">;

/** A self-contained HTML page. */
export function toHtml({ title, note, head, sections }: ReportBody, locale: Locale, legalName: string): string {
  const parts = sections.map(({ title: heading, text, rows }) => {
    const cells = rows.map(
      ({ label, value }) => `<tr><th scope="row">${escapeHtml(label)}</th><td>${value ?? "–"}</td></tr>`,
    );
    const table = rows.length > 0 ? `<table>${cells.join("")}</table>` : "";
    return `<section><h2>${escapeHtml(heading)}</h2>${text ? `<p>${escapeHtml(text)}</p>` : ""}${table}</section>`;
  });
  const chainHead = head ? `<p><code>${head.seq} ${head.hash}</code></p>` : "";
  return `<!doctype html><html lang="${locale}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>body{font-family:system-ui;max-width:45rem;margin:2rem auto;padding:0 1rem}th{text-align:start;font-weight:400;padding-inline-end:2rem}td{text-align:end}code{overflow-wrap:anywhere}</style><h1>${escapeHtml(title)}</h1><p>${escapeHtml(note)}</p>${parts.join("")}${chainHead}<p>${escapeHtml(legalName)}</p></html>`;
}
