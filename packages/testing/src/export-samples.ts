/** Archives for tests: with every field of a ZIP under the test's control. */

export interface ZipEntry {
  readonly name: string;
  readonly text: string;
  readonly store?: boolean;
  /** What the archive says instead of what is true. */
  readonly localName?: string;
  readonly method?: number;
  readonly flags?: number;
  readonly attributes?: number;
  readonly bytes?: number;
  readonly packedBytes?: number;
  readonly offset?: number;
}

export async function zip(entries: readonly ZipEntry[], { cut = 0, count = entries.length } = {}): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let at = 0;
  for (const entry of entries) {
    const bytes = new TextEncoder().encode(entry.text);
    const packed = entry.store ? bytes : await deflate(bytes);
    const name = new TextEncoder().encode(entry.name);
    const localName = new TextEncoder().encode(entry.localName ?? entry.name);
    const method = entry.method ?? (entry.store ? 0 : 8);
    const sizes = [0, entry.packedBytes ?? packed.length, entry.bytes ?? bytes.length];
    const common = [[2, 20], [2, entry.flags ?? 0], [2, method], [4, 0], ...sizes.map((size) => [4, size])];
    const local = concat([fields([[4, 0x04034b50], ...common, [2, localName.length], [2, 0]]), localName, packed]);
    const place = [
      [2, name.length],
      [2, 0],
      [2, 0],
      [2, 0],
      [2, 0],
      [4, entry.attributes ?? 0],
      [4, entry.offset ?? at],
    ];
    directory.push(concat([fields([[4, 0x02014b50], [2, 0x0314], ...common, ...place]), name]));
    parts.push(local);
    at += local.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = fields([
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, size],
    [4, at],
    [2, 0],
  ]);
  const archive = new Blob([...parts, ...directory, end]);
  return archive.slice(0, archive.size - cut);
}

/** Little-endian numbers, each with its width in bytes. */
function fields(numbers: readonly (readonly number[])[]): Uint8Array<ArrayBuffer> {
  const bytes = numbers.flatMap(([width = 0, value = 0]) =>
    Array.from({ length: width }, (_, index) => Math.floor(value / 256 ** index) % 256),
  );
  return Uint8Array.from(bytes);
}

function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export function exportedData() {
  return {
    format: 1,
    exported: "2026-11-20T10:00:00.000Z",
    site: "Ember",
    account: [
      {
        email: "a@example.test",
        preferences: JSON.stringify({ phrases: ["Hi there"], notificationsOff: ["game"], coverPictures: "always" }),
      },
    ],
    profile: [
      {
        profileName: "Marco",
        birthdate: "1990-04-05",
        height: "185 cm",
        weight: "80 kg",
        description: "Hello.",
        characteristics: 5,
        discreet: 1,
        picsPublic: "[8]",
        picsPrivate: "[7]",
      },
    ],
    health: [
      {
        hivStatus: "negative",
        prep: "daily",
        doxyPep: null,
        vaccines: '["mpox"]',
        lastTest: "2026-10-01",
        reminderMonths: 3,
      },
    ],
    pictures: [
      { id: 7, audience: "private", nsfwOwner: 1, harmlessOwner: 0 },
      { id: 8, audience: "public", nsfwOwner: 0, harmlessOwner: 1 },
      { id: 9, audience: "chat", nsfwOwner: 0, harmlessOwner: 0 },
    ],
    notes: [{}],
    blocks: [{}, {}],
    likes: [],
    messages: [],
  };
}
