import type { Brand } from "@lambda/brands";
import { ageRule } from "../../members/age/policy.ts";
import { hashToken } from "../../members/sessions/tokens.ts";
import type { Env } from "../../platform/env.ts";
import { readCookie, SESSION_COOKIE, WROTE_COOKIE } from "../../platform/http/cookies.ts";
import type { KnownPicture } from "../../platform/known-picture.ts";
import { logFault } from "../../platform/log.ts";
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
  const token = readCookie(request, SESSION_COOKIE);
  if (id === undefined || !token || token.length > 100) return null;
  const reader = await readerOf(request);
  const wroteIn = readCookie(request, WROTE_COOKIE);
  if (!reader || (wroteIn !== undefined && wroteIn !== reader.region)) return null;
  const { seeExplicit } = ageRule({ env, request });
  // The place is a part of the name: elsewhere other pictures are covered.
  const name = [reader.region, brand.id, seeExplicit, reader.key].join(":");
  try {
    const rights = env.PICTURE_RIGHTS.get(env.PICTURE_RIGHTS.idFromName(name), { locationHint: reader.region });
    const tokenHash = await hashToken(token);
    const ask = { id: Number(id), tokenHash, reader, brand: brand.id, seeExplicit, now };
    return (await rights.open(ask)) as KnownPicture | null;
  } catch (error) {
    logFault({ event: "picture-rights", code: reader.region }, error);
    return null;
  }
}
