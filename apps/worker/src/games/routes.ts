/**
 * Serves the pictures of games under the number with which they were issued, because a picture's id would reveal its owner. Numbers that were
 * not issued to the player or are already answered do not exist.
 */
import { Id } from "@lambda/contract/primitives";
import { pictureOperation } from "../pictures/openapi.ts";
import { sendPicture } from "../pictures/routes.ts";
import type { MemberContext } from "../platform/access.ts";
import { AppError } from "../platform/errors.ts";
import { type ByteRoute, byteRoute, idIn, privatePicture } from "../platform/rest/byte-routes.ts";
import { findRoundPicture } from "./identify.ts";
import { findPackItem } from "./pack.ts";
import { sendCheckPicture } from "./person-check/play.ts";

type FindPicture = (ctx: MemberContext, number: number) => Promise<number | undefined>;

const findDrawnPicture: FindPicture = async (ctx, number) => (await findPackItem(ctx, "rating", number))?.picture;

export const GAME_ROUTES = [
  pictureRoute("/games/ratinggame/picture/{itemId}", "A drawn picture; a NSFW one pixelated", findDrawnPicture, false),
  pictureRoute("/games/ratinggame/picture/nsfw/{itemId}", "A drawn picture as it is", findDrawnPicture, true),
  pictureRoute(
    "/games/identify/picture/{round}",
    "The open round's picture; a NSFW one pixelated",
    findRoundPicture,
    false,
  ),
  pictureRoute("/games/identify/picture/nsfw/{round}", "The open round's picture as it is", findRoundPicture, true),
  byteRoute(
    "member",
    "GET /games/ishim/picture/{itemId}/{index}",
    privatePicture("A picture to compare, for seconds"),
    (ctx, c) => {
      const index = c.req.param("index") ?? "";
      if (!/^[0-5]$/.test(index)) throw new AppError("NOT_FOUND");
      return sendCheckPicture(ctx, idIn(c, "itemId"), Number(index));
    },
  ),
];

function pictureRoute(path: `/${string}`, summary: string, find: FindPicture, uncovered: boolean): ByteRoute {
  const name = path.includes("{itemId}") ? "itemId" : "round";
  return byteRoute("member", `GET ${path}`, pictureOperation(summary), async (ctx, c) => {
    const itemNumber = Id.safeParse(c.req.param(name));
    const id = itemNumber.success ? await find(ctx, itemNumber.data) : undefined;
    return sendPicture(ctx, id, { scale: c.req.query("scale_x"), uncovered, name: `game-${itemNumber.data}` });
  });
}
