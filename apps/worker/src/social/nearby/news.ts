/** Whether the region heard of anything since a mark that may hide somebody from somebody (platform/near/watermark-object.ts). */
import { openCursor, sealCursor } from "../../places/positions/sealed-cursor.ts";
import { logFault } from "../../platform/log.ts";
import { askNews, readerOf } from "../../platform/near/watermarks.ts";
import type { FeedMark } from "../../platform/objects.ts";
import type { MemberContext } from "../../platform/trpc.ts";

/** The mark is sealed: it counts what all members do. Whatever cannot be known counts as changed. */
export async function readNews(
  { env, request, viewer }: MemberContext,
  sealed: string | undefined,
): Promise<{ mark: string; changed: boolean }> {
  const use = { secret: env.POSITION_KEY, profileId: viewer.profileId, search: { news: true } };
  const since = sealed ? parseMark(await openCursor(use, sealed, "mark")) : null;
  const reader = await readerOf(request);
  if (!reader) return { mark: "", changed: true };
  try {
    const { mark, changed } = await askNews(env, reader, since);
    return { mark: await sealCursor(use, `${mark.life} ${mark.at}`), changed: changed.length > 0 };
  } catch (error) {
    logFault({ event: "news", code: reader.region }, error);
    return { mark: "", changed: true };
  }
}

function parseMark(text: string): FeedMark | null {
  const [life, at] = text.split(" ");
  return life && at ? { life, at: Number(at) } : null;
}
