import { NOTICE_DUE_MS } from "@lambda/contract/limits";
import { toIso } from "../../platform/iso-time.ts";

/** When the law requires a decision, as an ISO time; null if it sets no deadline. */
export function noticeDeadline(kind: string, tsCreated: number): string | null {
  return kind === "intimate" ? toIso(tsCreated + NOTICE_DUE_MS) : null;
}
