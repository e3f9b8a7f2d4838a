import type { Brand } from "@lambda/brands";
import { ageRule } from "../../members/age/policy.ts";
import { hashToken } from "../../members/sessions/tokens.ts";
import type { Context } from "../../platform/context.ts";
import type { Env } from "../../platform/env.ts";
import { readCookie, SESSION_COOKIE, WROTE_COOKIE } from "../../platform/http/cookies.ts";
import type { KnownPicture } from "../../platform/known-picture.ts";
import { logFault } from "../../platform/log.ts";
import { count } from "../../platform/metrics/counts.ts";
import { readerOf } from "../../platform/near/watermarks.ts";

const PICTURE = /^\/api\/(?:profile-pic(?:\/nsfw)?|profile\/pic)\/([1-9]\d{0,14})$/;

/**
 * Who asks for a picture, and whether they may see it, as the object of their session knows (rights-object.ts). Null where the request
 * asks for something else, or has to be answered by the database.
 */
export async function findKnownPicture(
  request: Request,
  env: Env,
  brand: Brand,
  now: number,
): Promise<KnownPicture | null> {
  const id = request.method === "GET" ? PICTURE.exec(new URL(request.url).pathname)?.[1] : undefined;
  if (id === undefined) return null;
  const [known] = await askRights({ request, env, brand, now }, [Number(id)]);
  return known ?? null;
}

/** Before a list goes out whose tiles will ask for these pictures in a moment: then the object has looked for all of them at once. */
export function foresee(ctx: Asking & Pick<Context, "waitUntil">, ids: readonly number[]): void {
  const look = async () => {
    for (const known of await askRights(ctx, ids)) count("rowsRead", known?.cost.rowsRead ?? 0);
  };
  if (ids.length > 0) ctx.waitUntil(look());
}

type Asking = Pick<Context, "request" | "env" | "brand" | "now">;

/** Nothing where the database has to be asked. */
async function askRights(
  { request, env, brand, now }: Asking,
  ids: readonly number[],
): Promise<readonly (KnownPicture | null)[]> {
  const token = readCookie(request, SESSION_COOKIE);
  if (!token || token.length > 100) return [];
  const reader = await readerOf(request);
  const wroteIn = readCookie(request, WROTE_COOKIE);
  if (!reader || (wroteIn !== undefined && wroteIn !== reader.region)) return [];
  const { seeExplicit } = ageRule({ env, request });
  // The place is a part of the name: elsewhere other pictures are covered.
  const name = [reader.region, brand.id, seeExplicit, reader.key].join(":");
  try {
    const rights = env.PICTURE_RIGHTS.get(env.PICTURE_RIGHTS.idFromName(name), { locationHint: reader.region });
    const tokenHash = await hashToken(token);
    const ask = { ids, tokenHash, reader, brand: brand.id, seeExplicit, now };
    return (await rights.open(ask)) as (KnownPicture | null)[];
  } catch (error) {
    logFault({ event: "picture-rights", code: reader.region }, error);
    return [];
  }
}
