/**
 * Bytes of the pictures that a game shows, under the number by which the player was handed them: with a picture's own number he
 * could ask whose it is. A number that he was not handed, or answered, is not there.
 */
import { Id } from "@lambda/contract/primitives";
import { Hono, type Context as HonoContext } from "hono";
import type { Context } from "../../platform/context.ts";
import { errorResponse } from "../../platform/http/error-response.ts";
import type { MemberContext } from "../../platform/trpc.ts";
import { requireMember, sendPicture } from "../../social/pictures/routes.ts";
import { findRoundPicture } from "./identify.ts";
import { findDrawnPicture } from "./pack.ts";

type Find = (ctx: MemberContext, number: number) => Promise<number | undefined>;
type Asked = HonoContext<{ Variables: { ctx: Context } }>;

export const gameRoutes = new Hono<{ Variables: { ctx: Context } }>();

gameRoutes.get("/games/ratinggame/picture/nsfw/:number", (c) => serve(c, findDrawnPicture, true));
gameRoutes.get("/games/ratinggame/picture/:number", (c) => serve(c, findDrawnPicture, false));
gameRoutes.get("/games/identify/picture/nsfw/:number", (c) => serve(c, findRoundPicture, true));
gameRoutes.get("/games/identify/picture/:number", (c) => serve(c, findRoundPicture, false));

gameRoutes.onError((error, c) => errorResponse(c.get("ctx"), error));

async function serve(c: Asked, find: Find, uncovered: boolean): Promise<Response> {
  const ctx = requireMember(c.get("ctx"));
  const number = Id.safeParse(c.req.param("number"));
  const id = number.success ? await find(ctx, number.data) : undefined;
  return sendPicture(ctx, id, { scale: c.req.query("scale_x"), uncovered, name: `game-${number.data}` });
}
