/** Why an archive is refused as a whole. */
export type ArchiveReason =
  /** Not a ZIP, cut off, or changed. */
  | "damaged"
  /** Of a kind or name that an export never has: a folder, a link, a path, an encrypted file. */
  | "foreign"
  | "twice"
  /** Larger than an export's can be. */
  | "large"
  | "missing"
  /** Not what it should contain. */
  | "content"
  | "version";

export class ArchiveProblem extends Error {
  readonly reason: ArchiveReason;
  /** The entry at fault, or a place in it; undefined if it is the archive itself. */
  readonly entry: string | undefined;

  constructor(reason: ArchiveReason, entry?: string) {
    super(`archive refused: ${reason} ${entry ?? ""}`);
    this.name = "ArchiveProblem";
    this.reason = reason;
    this.entry = entry;
  }
}
