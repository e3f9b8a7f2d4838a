/** The fake Cloudflare API's D1 imports, which `wrangler d1 execute --remote --file` uses. */
import { createHash, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { DatabaseImportResponse } from "cloudflare/resources/d1/database/database";

/** Runs a file of SQL on a database as one transaction. */
export type ImportFile = (file: string, databaseId: string) => Promise<void>;

interface ImportJob {
  readonly databaseId: string;
  state: "waiting" | "active" | "complete" | "error";
  error: string;
  folder: string | undefined;
  etag: string;
}

/** As wrangler reads it; the SDK has the ends of an import only, and one error. */
type ImportAnswer = Omit<DatabaseImportResponse, "status"> & {
  readonly status?: DatabaseImportResponse["status"] | "active";
  readonly errors?: readonly string[];
};

/** How long a poll waits for the import to end. Cloudflare's API holds polls too. */
const POLL_MS = 500;

export class ImportJobs {
  readonly #importFile: ImportFile;
  readonly #jobs = new Map<string, ImportJob>();

  constructor(importFile: ImportFile) {
    this.#importFile = importFile;
  }

  /**
   * Handles the requests of an import: `init` returns where to upload, `ingest` starts the import, and polls wait for
   * its end.
   */
  async handle(databaseId: string, body: Record<string, unknown>, host: string): Promise<ImportAnswer> {
    const name = String(body.filename ?? body.current_bookmark ?? randomUUID());
    if (body.action === "init") {
      this.#jobs.set(name, { databaseId, state: "waiting", error: "", folder: undefined, etag: String(body.etag) });
      return { success: true, messages: [], filename: name, upload_url: `http://${host}/upload/${name}` };
    }
    const job = this.#get(name);
    if (body.action === "ingest") this.#start(job);
    const deadline = Date.now() + POLL_MS;
    while (job.state === "active" && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 10));
    const common = { success: true, type: "import" as const, messages: [], at_bookmark: name };
    if (job.state === "error") return { ...common, status: "error", errors: [job.error] };
    if (job.state === "active") return { ...common, status: "active" };
    const meta = { duration: 0, rows_read: 0, rows_written: 0, size_after: 0 };
    return { ...common, status: "complete", result: { num_queries: 1, final_bookmark: name, meta } };
  }

  /** Stores an uploaded file and returns its MD5 checksum. */
  async receiveUpload(name: string, request: IncomingMessage): Promise<string> {
    const job = this.#get(name);
    job.folder = await mkdtemp(join(tmpdir(), "import-"));
    const hash = createHash("md5");
    const hashing = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        hash.update(chunk);
        done(null, chunk);
      },
    });
    await pipeline(request, hashing, createWriteStream(join(job.folder, "file.sql")));
    return hash.digest("hex");
  }

  #start(job: ImportJob): void {
    if (job.state !== "waiting" || !job.folder) return;
    job.state = "active";
    const { folder } = job;
    this.#importFile(join(folder, "file.sql"), job.databaseId)
      .then(
        () => {
          job.state = "complete";
        },
        (error: unknown) => {
          job.state = "error";
          job.error = String(error);
        },
      )
      .finally(() => rm(folder, { recursive: true }));
  }

  #get(name: string): ImportJob {
    const job = this.#jobs.get(name);
    if (!job) throw new Error(`no import ${name}`);
    return job;
  }
}
