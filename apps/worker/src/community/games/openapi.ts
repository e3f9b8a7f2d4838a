/** The routes that carry a game's pictures, for the OpenAPI document. */
import { bytesOf, SCALE } from "../../social/pictures/openapi.ts";

const number = (name: string) => ({ name, in: "path", required: true, schema: { type: "integer" } });

export const GAME_PICTURE_PATHS: Record<string, Record<string, unknown>> = {
  "/api/games/ratinggame/picture/{itemId}": bytesOf("A drawn picture; a NSFW one pixelated", [number("itemId"), SCALE]),
  "/api/games/ratinggame/picture/nsfw/{itemId}": bytesOf("A drawn picture as it is", [number("itemId"), SCALE]),
  "/api/games/identify/picture/{round}": bytesOf("The open round's picture; a NSFW one pixelated", [
    number("round"),
    SCALE,
  ]),
  "/api/games/identify/picture/nsfw/{round}": bytesOf("The open round's picture as it is", [number("round"), SCALE]),
};
