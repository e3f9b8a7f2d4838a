/** Voice recordings with the structure that browsers write, and with metadata that the worker must remove. */

/** Who uploads: a member of a worker's or a browser's test. */
interface Uploader {
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

const text = (words: string) => new TextEncoder().encode(words);
const join = (...parts: readonly Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));
export const u32 = (value: number) => Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);

/** Encodes an EBML element. `unknownSize` omits its length, as recorders do. */
function element(id: number, content: Uint8Array, unknownSize = false): Uint8Array {
  const digits = id.toString(16);
  const name = Uint8Array.from({ length: digits.length / 2 }, (_, at) =>
    Number.parseInt(digits.slice(at * 2, at * 2 + 2), 16),
  );
  const size = unknownSize
    ? Uint8Array.of(0x01, ...Array(7).fill(0xff))
    : Uint8Array.of(0x01, 0, 0, 0, ...u32(content.length));
  return join(name, size, content);
}

export interface RecordingParts {
  readonly ms?: number;
  /** 2 is audio, 1 is video. */
  readonly trackType?: number;
  readonly codec?: string;
  /** Written into every metadata field, and wherever a file has room for what nobody plays. */
  readonly secret?: string;
}

/** Mono at 48 kHz, with the 312 samples of silence that an encoder starts with. */
const OPUS_HEAD = join(text("OpusHead"), Uint8Array.of(1, 1, 0x38, 0x01, 0x80, 0xbb, 0, 0, 0, 0, 0));

/** A WebM recording as Chromium writes it: of unknown length, in clusters. */
export function webmRecording({
  ms = 3000,
  trackType = 2,
  codec = "A_OPUS",
  secret = "",
}: RecordingParts = {}): Uint8Array {
  const blocks = Array.from({ length: Math.floor(ms / 60) + 1 }, (_, at) => at * 60);
  const clusters = [];
  for (let from = 0; from < blocks.length; from += 100) {
    const times = blocks.slice(from, from + 100);
    const start = times[0] ?? 0;
    const sound = times.map((time) =>
      element(0xa3, Uint8Array.of(0x81, (time - start) >> 8, (time - start) & 0xff, 0x80, 1, 2, 3, 4)),
    );
    clusters.push(element(0x1f43b675, join(element(0xe7, u32(start)), ...sound), true));
  }
  const info = [
    element(0x2ad7b1, u32(1_000_000)),
    element(0x4d80, text(`App ${secret}`)),
    element(0x5741, text("Chrome")),
  ];
  if (secret) info.push(element(0x4461, new Uint8Array(8).fill(7)), element(0x7ba9, text(secret)));
  const track = [element(0xd7, Uint8Array.of(1)), element(0x83, Uint8Array.of(trackType)), element(0x86, text(codec))];
  track.push(element(0x63a2, OPUS_HEAD));
  if (secret) track.push(element(0x536e, text(secret)));
  const tags = secret ? [element(0x1254c367, element(0x7373, text(secret)))] : [];
  const segment = [element(0x1549a966, join(...info)), element(0x1654ae6b, element(0xae, join(...track))), ...tags];
  return join(
    element(0x1a45dfa3, element(0x4282, text("webm"))),
    element(0x18538067, join(...segment, ...clusters), true),
  );
}

export const box = (kind: string, ...content: readonly Uint8Array[]) => {
  const body = join(...content);
  return join(u32(body.length + 8), text(kind), body);
};
const TIMESCALE = 48_000;
const zeros = (count: number) => new Uint8Array(count);
/** The sound of each sample of an MP4 recording. */
export const MP4_SAMPLE = Uint8Array.of(9, 8, 7, 6);

/** An MP4 recording in one fragment, as Safari and Chromium write it. */
export function mp4Recording({
  ms = 3000,
  trackType = 2,
  codec = "mp4a",
  secret = "",
}: RecordingParts = {}): Uint8Array {
  const samples = sampleCount(ms);
  const movie = movieBox({ trackType, codec, secret, duration: 0, tables: [] });
  const makeFragment = (offset: number) =>
    box(
      "moof",
      box("mfhd", zeros(4), u32(1)),
      box("traf", box("tfhd", u32(0x20018), u32(1), u32(1024), u32(MP4_SAMPLE.length)), runBox(samples, offset)),
    );
  const fragment = makeFragment(makeFragment(0).length + 8 + text(secret).length);
  const free = secret ? [box("free", text(secret))] : [];
  return join(brandsBox(secret), movie, ...free, fragment, mediaBox(samples, secret));
}

/** An MP4 recording with tables of its samples, in two chunks, as editors and older recorders write it. */
export function plainMp4Recording({ ms = 3000, secret = "" }: RecordingParts = {}): Uint8Array {
  const samples = sampleCount(ms);
  const start = brandsBox(secret).length + 8 + text(secret).length;
  const tables = [
    box("stts", zeros(4), u32(1), u32(samples), u32(1024)),
    box("stsc", zeros(4), u32(2), u32(1), u32(100), u32(1), u32(2), u32(samples - 100), u32(1), text(secret)),
    box("stsz", zeros(8), u32(samples), ...Array.from({ length: samples }, () => u32(MP4_SAMPLE.length))),
    box("stco", zeros(4), u32(2), u32(start), u32(start + 100 * MP4_SAMPLE.length)),
  ];
  const movie = movieBox({ trackType: 2, codec: "mp4a", secret, duration: samples * 1024, tables });
  return join(brandsBox(secret), mediaBox(samples, secret), movie);
}

const sampleCount = (ms: number) => Math.round((ms / 1000) * (TIMESCALE / 1024));
const brandsBox = (secret: string) => box("ftyp", text("iso5\0\0\0\0mp41"), text(secret));
const runBox = (samples: number, offset: number) => box("trun", u32(0x1), u32(samples), u32(offset));
/** Sound with a text before and after it. */
const mediaBox = (samples: number, secret: string) =>
  box("mdat", text(secret), ...Array.from({ length: samples }, () => MP4_SAMPLE), text(secret));

interface Movie extends Required<Omit<RecordingParts, "ms">> {
  readonly duration: number;
  readonly tables: readonly Uint8Array[];
}

function movieBox({ trackType, codec, secret, duration, tables }: Movie): Uint8Array {
  const timestamp = secret ? u32(0x12345678) : u32(0);
  const handler = text(trackType === 2 ? "soun" : "vide");
  const setup = [box("esds", zeros(31)), ...(secret ? [box("note", text(secret))] : [])];
  const description = box("stsd", zeros(4), u32(1), box(codec, zeros(28), ...setup), text(secret));
  const reference = box("dref", zeros(4), u32(1), box("url ", u32(1), text(secret)));
  const media = box(
    "mdia",
    box("mdhd", zeros(4), timestamp, timestamp, u32(TIMESCALE), u32(duration), zeros(4)),
    box("hdlr", zeros(8), handler, zeros(12), text(`${secret}\0`)),
    box("minf", box("smhd", zeros(8)), box("dinf", reference), box("stbl", description, ...tables)),
  );
  const track = box("trak", box("tkhd", zeros(4), timestamp, timestamp, zeros(72), text(secret)), media);
  const extra = secret ? [box("udta", box("name", text(secret))), box("uuid", text(secret))] : [];
  return box(
    "moov",
    box("mvhd", zeros(4), timestamp, timestamp, zeros(88)),
    track,
    box("mvex", box("trex", zeros(24))),
    ...extra,
  );
}

export interface VoiceOptions {
  readonly bytes?: Uint8Array;
  readonly clientId?: string;
  readonly durationMs?: number | string;
  readonly peaks?: string;
  readonly once?: boolean;
}

/** Uploads a voice message as the browser does, and returns the response whatever its status. */
export function postVoice(member: Uploader, options: VoiceOptions = {}): Promise<Response> {
  const form = toForm(options);
  form.set("clientId", options.clientId ?? crypto.randomUUID());
  if (options.once) form.set("once", "true");
  return member.fetch("/api/voice", { method: "POST", body: form });
}

/** Uploads a voice introduction as the browser does, and returns the response whatever its status. */
export function postIntroduction(
  member: Uploader,
  { audience = "public", ...options }: VoiceOptions & { readonly audience?: string } = {},
): Promise<Response> {
  const form = toForm(options);
  form.set("audience", audience);
  return member.fetch("/api/profile-voice", { method: "POST", body: form });
}

function toForm(options: VoiceOptions): FormData {
  const form = new FormData();
  form.set("durationMs", String(options.durationMs ?? 3000));
  form.set("peaks", options.peaks ?? "1,50,100,7");
  form.set("file", new File([Uint8Array.from(options.bytes ?? webmRecording())], "voice", { type: "audio/webm" }));
  return form;
}
