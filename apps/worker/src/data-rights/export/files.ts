/** The files of a member's export: all data as JSON and as a readable page, and the stored pictures and recordings. */
import { EXPORT_FORMAT } from "@lambda/contract/exported";
import { sql } from "kysely";
import { toIso } from "../../platform/iso-time.ts";
import { hiddenByNotice } from "../../social/pictures/hidden.ts";
import { pictureKey } from "../../social/pictures/store.ts";
import type { ArchiveEntry } from "./archive.ts";
import { exportPage } from "./page.ts";
import { EXPORT_SECTIONS, type ExportContext, readSection } from "./sections.ts";

export async function* exportFiles(ctx: ExportContext, id: number): AsyncGenerator<ArchiveEntry> {
  yield { name: "data.json", deflate: true, chunks: encode(exportJson(ctx, id)) };
  yield { name: "index.html", deflate: true, chunks: encode(exportPage(ctx, id)) };
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
    if (object) yield { name: `pictures/${picture.id}.webp`, deflate: false, chunks: readBody(object.body) };
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
    if (object) yield { name, deflate: false, chunks: readBody(object.body) };
  }
  const introduction = await ctx.db
    .selectFrom("profile_voice")
    .select(["r2_key", "mime"])
    .where("profile_id", "=", id)
    .where("removed", "=", 0)
    .executeTakeFirst();
  const object = introduction && (await ctx.env.PICTURES.get(introduction.r2_key));
  const name = `voices/introduction.${extensionOf(introduction?.mime)}`;
  if (object) yield { name, deflate: false, chunks: readBody(object.body) };
}

const extensionOf = (mime: string | undefined) => (mime === "audio/mp4" ? "m4a" : "webm");

async function* exportJson(ctx: ExportContext, id: number): AsyncGenerator<string> {
  yield `{\n"format": ${EXPORT_FORMAT},\n"exported": ${JSON.stringify(toIso(ctx.now))},\n"site": ${JSON.stringify(ctx.brand.name)}`;
  for (const section of EXPORT_SECTIONS) {
    yield `,\n${JSON.stringify(section.name)}: [`;
    let separator = "\n";
    for await (const row of readSection(ctx, section, id)) {
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

async function* readBody(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
