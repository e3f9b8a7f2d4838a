import type { Locale } from "@lambda/contract/accounts";
import { characteristicsFromBits } from "@lambda/contract/characteristics";
import { NOBODY } from "@lambda/contract/messages";
import { escapeHtml } from "../../platform/mail/escape-html.ts";
import { exportCopy } from "./copy.ts";
import { EXPORT_SECTIONS, type ExportContext, type ExportRow, readSection } from "./sections.ts";

const STYLE =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse;width:100%;margin:0 0 1rem}th,td{text-align:left;vertical-align:top;padding:.25rem .75rem .25rem 0;border-bottom:1px solid #ddd;overflow-wrap:anywhere}th{width:12rem;font-weight:600}img{max-width:12rem;height:auto;margin:0 .5rem .5rem 0}small{color:#555}";

/** A page to read offline, without scripts. It lies beside the pictures in the archive. */
export async function* exportPage(ctx: ExportContext, id: number): AsyncGenerator<string> {
  const { locale } = await ctx.db.selectFrom("account").select("locale").where("id", "=", id).executeTakeFirstOrThrow();
  const words = exportCopy[locale];
  const title = escapeHtml(words.title(ctx.brand.name));
  yield `<!doctype html><html lang="${locale}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style><h1>${title}</h1><p>${words.lead} ${new Date(ctx.now).toISOString()}.</p>`;
  for (const section of EXPORT_SECTIONS) {
    const heading = words.sections[section.name as keyof typeof words.sections];
    yield `<h2>${escapeHtml(heading)}</h2>`;
    let empty = true;
    for await (const row of readSection(ctx, section, id)) {
      empty = false;
      if (section.name === "messages") yield messageHtml(row, id, words);
      else if (section.name === "pictures") yield `<img src="pictures/${row.id}.webp" alt="${row.id}" loading="lazy">`;
      else yield tableHtml(row);
    }
    if (empty) yield `<p><small>${words.empty}</small></p>`;
  }
  yield "</html>\n";
}

function messageHtml(row: ExportRow, id: number, words: (typeof exportCopy)[Locale]): string {
  const name = (profile: unknown) =>
    profile === null
      ? words.everyone
      : profile === id
        ? words.you
        : profile === NOBODY
          ? words.nobody
          : words.member(profile);
  const text = row.tsUnsent === null ? escapeHtml(String(row.bodyText)) : words.unsent;
  return `<p><small>${row.tsCreated} &middot; ${name(row.senderId)} &rarr; ${name(row.recipientId)}</small><br>${text}</p>`;
}

function tableHtml(row: ExportRow): string {
  const lines = Object.entries(row)
    .filter(([, value]) => value !== null && value !== "")
    .map(([name, value]) => {
      const shown = name === "characteristics" ? characteristicsFromBits(Number(value)).join(", ") : String(value);
      return `<tr><th>${escapeHtml(name)}</th><td>${escapeHtml(shown)}</td></tr>`;
    });
  return `<table>${lines.join("")}</table>`;
}
