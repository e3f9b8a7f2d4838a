/** Serves the pictures of an issued item to its player, by their place in it: their ids would reveal whose they are. */
import { AppError } from "../../platform/errors.ts";
import { type ByteRoute, idIn, privatePicture } from "../../platform/rest/byte-routes.ts";
import { sendCheckPicture } from "./play.ts";

export const PERSON_CHECK_ROUTES: readonly ByteRoute[] = [
  {
    method: "get",
    path: "/games/ishim/picture/{itemId}/{index}",
    access: "member",
    operation: privatePicture("A picture to compare, for seconds"),
    handler: (c) => {
      const index = c.req.param("index") ?? "";
      if (!/^[0-5]$/.test(index)) throw new AppError("NOT_FOUND");
      return sendCheckPicture(c.get("member"), idIn(c, "itemId"), Number(index));
    },
  },
];
