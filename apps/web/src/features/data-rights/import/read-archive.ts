/**
 * The entries of a ZIP, read from its directory and on demand, so that an export of many pictures needs no memory. Rejects with
 * ArchiveProblem for whatever an export of this software does not contain. The format: PKWARE's APPNOTE, 4.3.
 */
import { MEDIA_WAIT_MS, withDeadline } from "../../../device/with-deadline.ts";
import { ArchiveProblem } from "./archive-problem.ts";

export interface Archive {
  readonly names: ReadonlySet<string>;
  /** Throws ArchiveProblem if the entry is not what the directory says. */
  read(name: string): Promise<Blob>;
}

interface Entry {
  readonly name: string;
  readonly rawName: Uint8Array;
  readonly isDeflated: boolean;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly offset: number;
}

const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const COMMENT_MAX_BYTES = 0xffff;
/** An export has no name longer than 40 characters. */
const DIRECTORY_MAX_BYTES = 16_000_000;
const ENCRYPTED = 0x1;
const STORED = 0;
const DEFLATED = 8;
/** Unix file types in the upper half of an entry's attributes. */
const FILE_TYPE = 0o170000;
const REGULAR_FILE = 0o100000;

/** @param maxBytesOf how large each file of an export may be when it is unpacked; undefined for a name that none has */
export async function openArchive(file: Blob, maxBytesOf: (name: string) => number | undefined): Promise<Archive> {
  const entries = new Map<string, Entry>();
  let packedBytes = 0;
  for (const entry of await readDirectory(file)) {
    const { name } = entry;
    const maxBytes = maxBytesOf(name);
    if (maxBytes === undefined) throw new ArchiveProblem("foreign", name);
    if (entries.has(name)) throw new ArchiveProblem("twice", name);
    if (entry.bytes > maxBytes) throw new ArchiveProblem("large", name);
    packedBytes += entry.packedBytes;
    // Entries that share bytes make a small archive large.
    if (packedBytes > file.size) throw new ArchiveProblem("damaged", name);
    entries.set(name, entry);
  }
  return {
    names: new Set(entries.keys()),
    read: (name) => {
      const entry = entries.get(name);
      if (!entry) throw new ArchiveProblem("missing", name);
      return readEntry(file, entry);
    },
  };
}

async function readDirectory(file: Blob): Promise<Entry[]> {
  const tail = await bytesOf(file.slice(Math.max(0, file.size - END_BYTES - COMMENT_MAX_BYTES)));
  const at = findEnd(tail);
  if (at === undefined) throw new ArchiveProblem("damaged");
  const count = tail.getUint16(at + 10, true);
  const size = tail.getUint32(at + 12, true);
  const start = tail.getUint32(at + 16, true);
  // Also the marks of ZIP64, which an export does not reach.
  if (size > DIRECTORY_MAX_BYTES || count === 0xffff) throw new ArchiveProblem("large");
  if (start + size > file.size) throw new ArchiveProblem("damaged");
  const directory = await bytesOf(file.slice(start, start + size));
  const entries: Entry[] = [];
  let offset = 0;
  for (let index = 0; index < count; index++) {
    const { entry, next } = readDirectoryEntry(directory, offset);
    entries.push(entry);
    offset = next;
  }
  return entries;
}

/** The last end record whose comment fills the rest of the file. */
function findEnd(tail: DataView): number | undefined {
  for (let at = tail.byteLength - END_BYTES; at >= 0; at--) {
    const isEnd = tail.getUint32(at, true) === END_SIGNATURE;
    if (isEnd && at + END_BYTES + tail.getUint16(at + 20, true) === tail.byteLength) return at;
  }
  return undefined;
}

function readDirectoryEntry(directory: DataView, at: number): { entry: Entry; next: number } {
  const isWhole = at + ENTRY_BYTES <= directory.byteLength && directory.getUint32(at, true) === ENTRY_SIGNATURE;
  if (!isWhole) throw new ArchiveProblem("damaged");
  const nameEnd = at + ENTRY_BYTES + directory.getUint16(at + 28, true);
  const next = nameEnd + directory.getUint16(at + 30, true) + directory.getUint16(at + 32, true);
  if (next > directory.byteLength) throw new ArchiveProblem("damaged");
  const rawName = new Uint8Array(directory.buffer, directory.byteOffset + at + ENTRY_BYTES, nameEnd - at - ENTRY_BYTES);
  const name = new TextDecoder().decode(rawName);
  const method = directory.getUint16(at + 10, true);
  const fileType = (directory.getUint32(at + 38, true) >>> 16) & FILE_TYPE;
  const isPlain =
    (method === STORED || method === DEFLATED) &&
    (directory.getUint16(at + 8, true) & ENCRYPTED) === 0 &&
    (fileType === 0 || fileType === REGULAR_FILE);
  if (!isPlain) throw new ArchiveProblem("foreign", name);
  const entry = {
    name,
    rawName,
    isDeflated: method === DEFLATED,
    packedBytes: directory.getUint32(at + 20, true),
    bytes: directory.getUint32(at + 24, true),
    offset: directory.getUint32(at + 42, true),
  };
  return { entry, next };
}

async function readEntry(file: Blob, entry: Entry): Promise<Blob> {
  const { name, rawName, offset, packedBytes, bytes, isDeflated } = entry;
  const damaged = () => new ArchiveProblem("damaged", name);
  if (offset + LOCAL_BYTES > file.size) throw damaged();
  const header = await bytesOf(file.slice(offset, offset + LOCAL_BYTES));
  if (header.getUint32(0, true) !== LOCAL_SIGNATURE) throw damaged();
  const nameStart = offset + LOCAL_BYTES;
  const start = nameStart + header.getUint16(26, true) + header.getUint16(28, true);
  // Another name in front of the bytes than in the directory: two programs would see two archives.
  const localName = await bytesOf(file.slice(nameStart, nameStart + header.getUint16(26, true)));
  const agrees =
    localName.byteLength === rawName.length && rawName.every((byte, at) => localName.getUint8(at) === byte);
  if (!agrees || start + packedBytes > file.size) throw damaged();
  const packed = file.slice(start, start + packedBytes);
  if (isDeflated) return inflate(packed, name, bytes);
  if (packedBytes !== bytes) throw damaged();
  return packed;
}

/** Stops as soon as there are more bytes than the directory says. */
async function inflate(packed: Blob, name: string, bytes: number): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let total = 0;
  const reader = packed.stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  try {
    for (;;) {
      const { done, value } = await withDeadline(MEDIA_WAIT_MS, () => reader.read());
      if (done) break;
      total += value.byteLength;
      if (total > bytes) throw new ArchiveProblem("large", name);
      parts.push(value);
    }
  } catch (error) {
    void reader.cancel().catch(() => undefined);
    throw error instanceof ArchiveProblem ? error : new ArchiveProblem("damaged", name);
  }
  if (total !== bytes) throw new ArchiveProblem("damaged", name);
  return new Blob(parts);
}

async function bytesOf(part: Blob): Promise<DataView> {
  const buffer = await withDeadline(MEDIA_WAIT_MS, () => part.arrayBuffer()).catch(() => {
    // The file was moved, or its cloud is out of reach.
    throw new ArchiveProblem("damaged");
  });
  return new DataView(buffer);
}
