import { NOTICE_DUE_MS } from "@lambda/contract/limits";

/** Until when the law has it decided; null where it sets no hour. */
export function dueOf(kind: string, tsCreated: number): string | null {
  return kind === "intimate" ? new Date(tsCreated + NOTICE_DUE_MS).toISOString() : null;
}
