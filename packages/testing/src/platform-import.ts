/** Of the stand-in of the platform's account: how a file of SQL comes into a database, as `wrangler d1 execute --remote --file` asks for it. */
import { createHash, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

/** Runs a file of SQL on a database, all or nothing. */
export type Ingest = (file: string, databaseId: string) => Promise<void>;

interface Import {
  readonly databaseId: string;
  state: "waiting" | "active" | "complete" | "error";
  error: string;
  folder: string | undefined;
  etag: string;
}

/** How long one asking waits for the end, as the platform's does. */
const POLL_MS = 500;

export class Imports {
  readonly #ingest: Ingest;
  readonly #all = new Map<string, Import>();

  constructor(ingest: Ingest) {
    this.#ingest = ingest;
  }

  /** What the command asks one after the other: where to upload, to begin, and whether it is done. */
  async step(databaseId: string, body: Record<string, unknown>, host: string): Promise<object> {
    const name = String(body.filename ?? body.current_bookmark ?? randomUUID());
    if (body.action === "init") {
      this.#all.set(name, { databaseId, state: "waiting", error: "", folder: undefined, etag: String(body.etag) });
      return { success: true, messages: [], filename: name, upload_url: `http://${host}/upload/${name}` };
    }
    const one = this.#find(name);
    if (body.action === "ingest") this.#begin(one);
    const deadline = Date.now() + POLL_MS;
    while (one.state === "active" && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 10));
    const common = { success: true, type: "import", messages: [], at_bookmark: name };
    if (one.state === "error") return { ...common, status: "error", errors: [one.error] };
    if (one.state === "active") return { ...common, status: "active" };
    const meta = { duration: 0, rows_read: 0, rows_written: 0, size_after: 0 };
    return { ...common, status: "complete", result: { num_queries: 1, final_bookmark: name, meta } };
  }

  /** Keeps what is uploaded; answers its checksum. */
  async receive(name: string, request: IncomingMessage): Promise<string> {
    const one = this.#find(name);
    one.folder = await mkdtemp(join(tmpdir(), "import-"));
    const hash = createHash("md5");
    const hashing = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        hash.update(chunk);
        done(null, chunk);
      },
    });
    await pipeline(request, hashing, createWriteStream(join(one.folder, "file.sql")));
    return hash.digest("hex");
  }

  #begin(one: Import): void {
    if (one.state !== "waiting" || !one.folder) return;
    one.state = "active";
    const { folder } = one;
    this.#ingest(join(folder, "file.sql"), one.databaseId)
      .then(
        () => {
          one.state = "complete";
        },
        (error: unknown) => {
          one.state = "error";
          one.error = String(error);
        },
      )
      .finally(() => rm(folder, { recursive: true }));
  }

  #find(name: string): Import {
    const found = this.#all.get(name);
    if (!found) throw new Error(`no import ${name}`);
    return found;
  }
}
