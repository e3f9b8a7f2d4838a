/** Serves the pictures of an issued item to its player, by their place in it: their ids would reveal whose they are. */
import { Id } from "@lambda/contract/primitives";
import { AppError } from "../../platform/errors.ts";
import { type ByteRoute, privatePicture } from "../../platform/rest/byte-routes.ts";
import { sendCheckPicture } from "./play.ts";

export const PERSON_CHECK_ROUTES: readonly ByteRoute[] = [
  {
    method: "get",
    path: "/games/ishim/picture/{itemId}/{index}",
    access: "member",
    operation: privatePicture("A picture to compare, for seconds", ["itemId", "index"]),
    handler: (c) => {
      const itemId = Id.safeParse(c.req.param("itemId"));
      const index = c.req.param("index") ?? "";
      if (!itemId.success || !/^[0-5]$/.test(index)) throw new AppError("NOT_FOUND");
      return sendCheckPicture(c.get("member"), itemId.data, Number(index));
    },
  },
];
