/** Searching one's own messages: looks at a bounded number of them for each request, and says where to go on. */
import { SEARCH_SCAN_MAX } from "@lambda/contract/limits";
import type { Conversation } from "@lambda/contract/messages";
import type { MemberContext } from "../../platform/trpc.ts";
import { toMessage, toPartner } from "./mappers.ts";
import { getScan, listFound } from "./statements.ts";

type Hit = Omit<Conversation, "unread">;

/**
 * Newest first over all conversations (received and sent), text compared without case. The cursor is the id below which
 * the next request goes on; absent when everything was looked at.
 */
export async function searchMessages(
  ctx: MemberContext,
  query: string,
  before: number | undefined,
): Promise<{ items: Hit[]; nextCursor: number | null }> {
  const me = ctx.viewer.profileId;
  const below = before ?? Number.MAX_SAFE_INTEGER;
  const rows = await listFound(ctx, query, below);
  const items = rows.map((row) => {
    const other = toPartner(row, ctx.now);
    return { other, message: toMessage(row, me, other !== null) };
  });
  const end = rows[0];
  const scan = end ?? (await getScan(ctx, below));
  return { items, nextCursor: scan.scanned < SEARCH_SCAN_MAX ? null : scan.last };
}
