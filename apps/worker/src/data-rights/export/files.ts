/** The files of a member's export: all data as JSON and as a readable page, and the stored pictures and recordings. */

import type { Locale } from "@lambda/contract/accounts";
import { characteristicsFromBits } from "@lambda/contract/characteristics";
import { EXPORT_FORMAT } from "@lambda/contract/exported";
import { HIDDEN_PROFILE_ID } from "@lambda/contract/messages";
import { Zip, ZipDeflate, ZipPassThrough } from "fflate";
import { sql } from "kysely";
import { hiddenByNotice } from "../../pictures/hidden.ts";
import { pictureKey } from "../../pictures/store.ts";
import { toIso } from "../../platform/iso-time.ts";
import { escapeHtml } from "../../platform/mail/send-mail.ts";
import { exportCopy } from "./copy.ts";
import { type ExportContext, type ExportRow, readSection, SECTION_NAMES } from "./sections.ts";

async function* exportFiles(ctx: ExportContext): AsyncGenerator<ArchiveEntry> {
  const id = ctx.viewer.profileId;
  yield { name: "data.json", deflate: true, chunks: encode(exportJson(ctx)) };
  yield { name: "index.html", deflate: true, chunks: encode(exportPage(ctx)) };
  const pictures = await ctx.db
    .selectFrom("picture")
    .select(["id", "profile_id", "version"])
    .where("profile_id", "=", id)
    .where("audience", "<>", "once")
    // Without the bytes of withheld pictures, which the data only mentions.
    .where(sql<boolean>`not ${hiddenByNotice(sql.ref("picture.id"))}`)
    .orderBy("id")
    .execute();
  for (const picture of pictures) {
    const object = await ctx.env.PICTURES.get(pictureKey(picture, "original"));
    if (object) yield { name: `pictures/${picture.id}.webp`, deflate: false, chunks: object.body };
  }
  const voices = await ctx.db
    .selectFrom("voice")
    .select(["id", "r2_key", "mime"])
    .where("profile_id", "=", id)
    .where("once", "=", 0)
    .orderBy("id")
    .execute();
  for (const voice of voices) {
    const object = await ctx.env.PICTURES.get(voice.r2_key);
    const name = `voices/${voice.id}.${extensionOf(voice.mime)}`;
    if (object) yield { name, deflate: false, chunks: object.body };
  }
  const introduction = await ctx.db
    .selectFrom("profile_voice")
    .select(["r2_key", "mime"])
    .where("profile_id", "=", id)
    .where("removed", "=", 0)
    .executeTakeFirst();
  const object = introduction && (await ctx.env.PICTURES.get(introduction.r2_key));
  const name = `voices/introduction.${extensionOf(introduction?.mime)}`;
  if (object) yield { name, deflate: false, chunks: object.body };
}

const extensionOf = (mime: string | undefined) => (mime === "audio/mp4" ? "m4a" : "webm");

async function* exportJson(ctx: ExportContext): AsyncGenerator<string> {
  yield `{\n"format": ${EXPORT_FORMAT},\n"exported": ${JSON.stringify(toIso(ctx.now))},\n"site": ${JSON.stringify(ctx.brand.name)}`;
  for (const section of SECTION_NAMES) {
    yield `,\n${JSON.stringify(section)}: [`;
    let separator = "\n";
    for await (const row of readSection(ctx, section)) {
      yield separator + JSON.stringify(row);
      separator = ",\n";
    }
    yield "\n]";
  }
  yield "\n}\n";
}

/** Encodes text in chunks large enough to compress well. */
async function* encode(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const minChars = 32_768;
  let pending = "";
  for await (const text of texts) {
    pending += text;
    if (pending.length < minChars) continue;
    yield encoder.encode(pending);
    pending = "";
  }
  yield encoder.encode(pending);
}

const STYLE =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse;width:100%;margin:0 0 1rem}th,td{text-align:left;vertical-align:top;padding:.25rem .75rem .25rem 0;border-bottom:1px solid #ddd;overflow-wrap:anywhere}th{width:12rem;font-weight:600}img{max-width:12rem;height:auto;margin:0 .5rem .5rem 0}small{color:#555}";

/** A page to read offline, without scripts; it shows the pictures of the archive. */
async function* exportPage(ctx: ExportContext): AsyncGenerator<string> {
  const id = ctx.viewer.profileId;
  const { locale } = await ctx.db.selectFrom("account").select("locale").where("id", "=", id).executeTakeFirstOrThrow();
  const copy = exportCopy[locale];
  const title = escapeHtml(copy.title(ctx.brand.name));
  yield `<!doctype html><html lang="${locale}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style><h1>${title}</h1><p>${copy.lead} ${toIso(ctx.now)}.</p>`;
  for (const section of SECTION_NAMES) {
    yield `<h2>${escapeHtml(copy.sections[section])}</h2>`;
    let isEmpty = true;
    for await (const row of readSection(ctx, section)) {
      isEmpty = false;
      if (section === "messages") yield messageHtml(row, id, copy);
      else if (section === "pictures") yield `<img src="pictures/${row.id}.webp" alt="${row.id}" loading="lazy">`;
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

/** A file of an archive; its bytes are streamed. */
interface ArchiveEntry {
  readonly name: string;
  /** False for pictures and recordings, which are already compressed. */
  readonly deflate: boolean;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** The ZIP of a member's export, created while it is sent, with only a chunk of it in memory. */
export function exportArchive(ctx: ExportContext): ReadableStream<Uint8Array> {
  const bytes = zip(exportFiles(ctx));
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await bytes.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await bytes.return(undefined);
    },
  });
}

async function* zip(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<Uint8Array, undefined> {
  let ready: Uint8Array[] = [];
  const archive = new Zip((error, chunk) => {
    if (error) throw error;
    if (chunk.length > 0) ready.push(chunk);
  });
  const takeReady = () => {
    const chunks = ready;
    ready = [];
    return chunks;
  };
  for await (const { name, deflate, chunks } of entries) {
    const file = deflate ? new ZipDeflate(name, { level: 6 }) : new ZipPassThrough(name);
    archive.add(file);
    for await (const chunk of chunks) {
      file.push(chunk);
      yield* takeReady();
    }
    file.push(new Uint8Array(0), true);
    yield* takeReady();
  }
  archive.end();
  yield* takeReady();
  return undefined;
}
