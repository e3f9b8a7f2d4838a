/** The operations of the picture routes, for the OpenAPI document. */
import { PICTURE_MAX_BYTES, PICTURE_WIDTHS_PX } from "@lambda/contract/limits";
import { OwnPicture, PictureAudience, PictureScale } from "@lambda/contract/pictures";
import { z } from "zod";
import { formBody, type Parameter } from "../platform/rest/byte-routes.ts";

const { $schema: _, ...ownPicture } = z.toJSONSchema(OwnPicture, { io: "output" });
const SCALE = {
  name: "scale_x",
  in: "query",
  description: `Requested width; served is the smallest of ${PICTURE_WIDTHS_PX.join(", ")} at or above it`,
  schema: z.toJSONSchema(PictureScale, { io: "input" }),
};

/** An operation that returns a picture's bytes. */
export function pictureOperation(summary: string, ...parameters: Parameter[]) {
  const image = { description: "The picture, with an ETag", content: { "image/webp": {} } };
  const responses = { 200: image, 304: { description: "Not changed" }, 404: { description: "Absent or invisible" } };
  return { summary, parameters: [SCALE, ...parameters], responses };
}

export const UPLOAD_OPERATION = {
  operationId: "pictures.upload",
  summary: "Upload a picture, or replace one's own",
  parameters: [{ name: "replace_id", in: "query", schema: { type: "integer" } }],
  requestBody: formBody(["authorProfileId", "picfile"], {
    authorProfileId: { type: "integer" },
    picfile: { type: "string", format: "binary", maxLength: PICTURE_MAX_BYTES },
    picfilename: { type: "string" },
    audience: { enum: PictureAudience.options, default: "public" },
    nsfw: { type: "boolean", default: false },
    harmless: { type: "boolean", default: false },
    clientId: {
      type: "string",
      description: "Chosen by the device; a new picture that is sent again with the same id is stored once",
    },
  }),
  responses: {
    201: { description: "Stored", content: { "application/json": { schema: ownPicture } } },
    default: { description: "Why it was refused" },
  },
};
