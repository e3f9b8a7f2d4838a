import { ExportedData } from "@lambda/contract/exported";
import { PICTURE_MAX_BYTES, PICTURES_PER_PROFILE_MAX } from "@lambda/contract/limits";
import { MEDIA_WAIT_MS, withDeadline } from "../../../device/with-deadline.ts";
import { ArchiveProblem } from "./archive-problem.ts";
import { openArchive } from "./read-archive.ts";

const DATA = "data.json";
const VOICE_NAMES = ["voices/introduction.m4a", "voices/introduction.webm"];
/** Ten years of messages are a tenth of it. */
const DATA_MAX_BYTES = 100_000_000;

export type MemberExport = Awaited<ReturnType<typeof readExport>>;
export type ExportedPicture = MemberExport["pictures"][number];

/** Opens an export of this software. Rejects with ArchiveProblem. */
export async function readExport(file: Blob) {
  const archive = await openArchive(file, maxBytesOf);
  const data = parseData(await textOf(await archive.read(DATA)));
  const pictures = albumsOf(data).flatMap((picture) => {
    const name = `pictures/${picture.id}.webp`;
    // Withheld pictures are in the data only.
    return archive.names.has(name) ? [{ ...picture, name, read: () => archive.read(name) }] : [];
  });
  // Each is decoded to be compared, so that thousands would busy the device for hours.
  if (pictures.length > PICTURES_PER_PROFILE_MAX) throw new ArchiveProblem("large", `${DATA}: pictures`);
  const [introduction] = data.voiceIntroduction;
  const name = VOICE_NAMES.find((one) => archive.names.has(one));
  return {
    data,
    /** Those of the two albums, in the member's order. */
    pictures,
    /** Without its waveform, which an export does not hold. */
    voice: introduction && name ? { ...introduction, name, read: () => archive.read(name) } : undefined,
  };
}

function maxBytesOf(name: string): number | undefined {
  if (name === DATA || name === "index.html") return DATA_MAX_BYTES;
  return /^(pictures\/\d{1,16}\.webp|voices\/(\d{1,16}|introduction)\.(m4a|webm))$/.test(name)
    ? PICTURE_MAX_BYTES
    : undefined;
}

async function textOf(blob: Blob): Promise<string> {
  try {
    const bytes = await withDeadline(MEDIA_WAIT_MS, () => blob.arrayBuffer());
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new ArchiveProblem("content", DATA);
  }
}

function parseData(text: string): ExportedData {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new ArchiveProblem("content", DATA);
  }
  const { success, data, error } = ExportedData.safeParse(json);
  if (success) return data;
  const path = error.issues[0]?.path.join(".") ?? "";
  throw new ArchiveProblem(path === "format" ? "version" : "content", path === "" ? DATA : `${DATA}: ${path}`);
}

/** The pictures of both albums. Pictures of messages stay with their messages. */
function albumsOf({ profile: [profile], pictures }: ExportedData) {
  const order = new Map([...profile.picsPublic, ...profile.picsPrivate].map((id, place) => [id, place]));
  const place = (id: number) => order.get(id) ?? order.size;
  const seen = new Set<number>();
  return pictures
    .flatMap(({ id, audience, nsfwOwner, harmlessOwner }) => {
      if (seen.has(id)) throw new ArchiveProblem("content", `${DATA}: pictures, ${id}`);
      seen.add(id);
      const marks = { nsfw: nsfwOwner === 1, harmless: harmlessOwner === 1 && nsfwOwner === 0 };
      return audience === "public" || audience === "private" ? [{ id, audience, ...marks }] : [];
    })
    .sort((a, b) => place(a.id) - place(b.id));
}
