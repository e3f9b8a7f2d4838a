import type { Locale } from "@lambda/contract/accounts";
import { characteristicsFromBits } from "@lambda/contract/characteristics";
import { HIDDEN_PROFILE_ID } from "@lambda/contract/messages";
import { toIso } from "../../platform/iso-time.ts";
import { escapeHtml } from "../../platform/mail/compose.ts";
import { exportCopy } from "./copy.ts";
import { EXPORT_SECTIONS, type ExportContext, type ExportRow, readSection } from "./sections.ts";

const STYLE =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse;width:100%;margin:0 0 1rem}th,td{text-align:left;vertical-align:top;padding:.25rem .75rem .25rem 0;border-bottom:1px solid #ddd;overflow-wrap:anywhere}th{width:12rem;font-weight:600}img{max-width:12rem;height:auto;margin:0 .5rem .5rem 0}small{color:#555}";

/** A page to read offline, without scripts; it shows the pictures of the archive. */
export async function* exportPage(ctx: ExportContext, id: number): AsyncGenerator<string> {
  const { locale } = await ctx.db.selectFrom("account").select("locale").where("id", "=", id).executeTakeFirstOrThrow();
  const copy = exportCopy[locale];
  const title = escapeHtml(copy.title(ctx.brand.name));
  yield `<!doctype html><html lang="${locale}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style><h1>${title}</h1><p>${copy.lead} ${toIso(ctx.now)}.</p>`;
  for (const section of EXPORT_SECTIONS) {
    const heading = copy.sections[section.name as keyof typeof copy.sections];
    yield `<h2>${escapeHtml(heading)}</h2>`;
    let isEmpty = true;
    for await (const row of readSection(ctx, section, id)) {
      isEmpty = false;
      if (section.name === "messages") yield messageHtml(row, id, copy);
      else if (section.name === "pictures") yield `<img src="pictures/${row.id}.webp" alt="${row.id}" loading="lazy">`;
      else yield tableHtml(row);
    }
    if (isEmpty) yield `<p><small>${copy.empty}</small></p>`;
  }
  yield "</html>\n";
}

function messageHtml(row: ExportRow, id: number, copy: (typeof exportCopy)[Locale]): string {
  const name = (profile: unknown) =>
    profile === null
      ? copy.everyone
      : profile === id
        ? copy.you
        : profile === HIDDEN_PROFILE_ID
          ? copy.nobody
          : copy.member(profile);
  const text = row.tsUnsent === null ? escapeHtml(String(row.bodyText)) : copy.unsent;
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
