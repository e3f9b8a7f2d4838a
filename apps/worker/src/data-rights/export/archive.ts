import { Zip, ZipDeflate, ZipPassThrough } from "fflate";

/** A file of an archive; its bytes are streamed. */
export interface ArchiveEntry {
  readonly name: string;
  /** False for pictures and recordings, which are already compressed. */
  readonly deflate: boolean;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Creates a ZIP while it is sent, with only a chunk of it in memory. */
export function zipStream(entries: AsyncIterable<ArchiveEntry>): ReadableStream<Uint8Array> {
  const bytes = zip(entries);
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
