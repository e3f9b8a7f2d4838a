import { Zip, ZipDeflate, ZipPassThrough } from "fflate";

/** A file of an archive; its bytes come as they are read. */
export interface ArchiveEntry {
  readonly name: string;
  /** Pictures are compressed already. */
  readonly deflate: boolean;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** A ZIP that is made while it is sent: never more than a chunk of it is in memory. */
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
  const take = () => {
    const taken = ready;
    ready = [];
    return taken;
  };
  for await (const { name, deflate, chunks } of entries) {
    const file = deflate ? new ZipDeflate(name, { level: 6 }) : new ZipPassThrough(name);
    archive.add(file);
    for await (const chunk of chunks) {
      file.push(chunk);
      yield* take();
    }
    file.push(new Uint8Array(0), true);
    yield* take();
  }
  archive.end();
  yield* take();
  return undefined;
}
