/** Whether the region has learned, since a mark, of a change that may hide somebody from somebody (replication/watermark-object.ts). */
import { decryptCursor, encryptCursor } from "../../places/positions/cursor-encryption.ts";
import { logFault } from "../../platform/log.ts";
import type { FeedPosition } from "../../platform/objects.ts";
import { fetchRegionUpdates, findReader } from "../../platform/replication/watermarks.ts";
import type { MemberContext } from "../../platform/trpc.ts";

/** The mark is encrypted because it counts the actions of all members. Returns `changed: true` whenever it cannot be known. */
export async function checkHiddenSince(
  { env, request, viewer }: MemberContext,
  encryptedMark: string | undefined,
): Promise<{ mark: string; changed: boolean }> {
  const use = { env, profileId: viewer.profileId, search: { news: true } };
  const since = encryptedMark ? parseMark(decryptCursor(use, encryptedMark, "mark")) : null;
  const reader = await findReader(request);
  if (!reader) return { mark: "", changed: true };
  try {
    const { mark, changed } = await fetchRegionUpdates(env, reader, since);
    return { mark: encryptCursor(use, `${mark.life} ${mark.at}`), changed: changed.length > 0 };
  } catch (error) {
    logFault({ event: "news", code: reader.region }, error);
    return { mark: "", changed: true };
  }
}

function parseMark(text: string): FeedPosition | null {
  const [life, at] = text.split(" ");
  return life && at ? { life, at: Number(at) } : null;
}
