import type { Brand } from "@lambda/brands";
import { PICTURE_RIGHTS_CACHE_MS } from "@lambda/contract/limits";
import { ageRule } from "../accounts/age/policy.ts";
import { hashToken } from "../accounts/sessions/tokens.ts";
import type { MemberContext } from "../platform/access.ts";
import type { Context } from "../platform/context.ts";
import type { Env } from "../platform/env.ts";
import { readCookie, SESSION_COOKIE, unlockHashOf } from "../platform/http/cookies.ts";
import { logFault } from "../platform/log.ts";
import { count } from "../platform/metrics/counts.ts";
import type { CachedPictureLookup } from "../platform/picture-lookup.ts";
import { findReader } from "../platform/replication/watermarks.ts";
import { writeRegionOf } from "../platform/replication/write-cookie.ts";

const PICTURE = /^\/api\/(?:profile-pic(?:\/nsfw)?|profile\/pic)\/([1-9]\d{0,14})$/;

/**
 * The viewer of a picture request and whether they may see it, from their session's cache (rights-object.ts). Null for other requests,
 * and when the database has to decide.
 */
export async function findCachedPicture(
  request: Request,
  env: Env,
  brand: Brand,
  now: number,
): Promise<CachedPictureLookup | null> {
  const id = request.method === "GET" ? PICTURE.exec(new URL(request.url).pathname)?.[1] : undefined;
  if (id === undefined) return null;
  const [known] = await fetchCachedRights({ request, env, brand, now }, [Number(id)]);
  return known ?? null;
}

/** What this isolate prefetched last for each session: a list that is loaded again shows mostly the same pictures. */
const prefetched = new Map<number, { readonly ids: ReadonlySet<number>; readonly at: number }>();
const PREFETCHED_MAX = 5000;

/** Fills the cache for a list whose tiles will request these pictures in a moment, in one query instead of one per tile. */
export function prefetchPictureRights(
  ctx: RightsContext & Pick<MemberContext, "waitUntil" | "viewer">,
  ids: readonly number[],
): void {
  const { sessionId } = ctx.viewer;
  const last = prefetched.get(sessionId);
  const isFresh = last && Math.abs(ctx.now - last.at) < PICTURE_RIGHTS_CACHE_MS / 2;
  if (isFresh ? ids.every((id) => last.ids.has(id)) : ids.length === 0) return;
  if (prefetched.size >= PREFETCHED_MAX) prefetched.clear();
  prefetched.set(sessionId, { ids: new Set(ids), at: ctx.now });
  const prefetch = async () => {
    for (const known of await fetchCachedRights(ctx, ids)) count("rowsRead", known?.cost.rowsRead ?? 0);
  };
  ctx.waitUntil(prefetch());
}

type RightsContext = Pick<Context, "request" | "env" | "brand" | "now">;

/** Empty when the database has to decide. */
async function fetchCachedRights(
  { request, env, brand, now }: RightsContext,
  ids: readonly number[],
): Promise<readonly (CachedPictureLookup | null)[]> {
  const token = readCookie(request, SESSION_COOKIE);
  if (!token || token.length > 100) return [];
  const reader = await findReader(request);
  const wroteIn = writeRegionOf(request);
  if (!reader || (wroteIn !== undefined && wroteIn !== reader.region)) return [];
  const { seeExplicit } = ageRule({ env, request });
  // The name depends on the local age rule, since it decides which pictures are covered.
  const name = [reader.region, brand.id, seeExplicit, reader.key].join(":");
  try {
    const rights = env.PICTURE_RIGHTS.get(env.PICTURE_RIGHTS.idFromName(name), { locationHint: reader.region });
    const [tokenHash, unlockHash] = await Promise.all([hashToken(token), unlockHashOf(request)]);
    const lookup = { ids, tokenHash, unlockHash, reader, brand: brand.id, seeExplicit, now };
    return (await rights.open(lookup)) as (CachedPictureLookup | null)[];
  } catch (error) {
    logFault({ event: "picture-rights", code: reader.region }, error);
    return [];
  }
}
