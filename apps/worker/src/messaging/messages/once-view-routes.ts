/** Serves the bytes of content that opens once. A POST, because opening it uses it up. */
import { PICTURE_WIDTHS_PX } from "@lambda/contract/limits";
import { OpenOnceRequest } from "@lambda/contract/messages";
import { variantFor } from "../../pictures/encode.ts";
import { getShownVariant } from "../../pictures/store.ts";
import type { MemberContext } from "../../platform/access.ts";
import { AppError } from "../../platform/errors.ts";
import { whenTaken } from "../../platform/http/when-taken.ts";
import { byteRoute, idIn } from "../../platform/rest/byte-routes.ts";
import { markArrived, openOnceView } from "./once-view.ts";

const WIDEST = PICTURE_WIDTHS_PX[PICTURE_WIDTHS_PX.length - 1]!;
const BODY_MAX_CHARS = 1000;

export const ONCE_ROUTES = [
  byteRoute(
    "member",
    "POST /message/{id}/open",
    {
      operationId: "messages.open",
      summary: "Open a picture or a voice message that opens once",
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: { type: "object", required: ["opening"], properties: { opening: { type: "string" } } },
          },
        },
      },
      responses: {
        200: {
          description: "Its bytes, to no cache",
          content: { "image/webp": {}, "audio/mp4": {}, "audio/webm": {} },
        },
        404: { description: "Opened before, gone, or not for this member" },
      },
    },
    async (ctx, c) => respondWithContent(ctx, idIn(c), await c.req.text()),
  ),
];

async function respondWithContent(ctx: MemberContext, messageId: number, body: string): Promise<Response> {
  const opened = await openOnceView(ctx, messageId, parseOpening(body));
  const { id: pictureId, version, width, r2_key: voiceKey } = opened;
  const stored =
    pictureId !== null && version !== null && width !== null
      ? (
          await getShownVariant(
            ctx,
            { id: pictureId, version, profile_id: opened.sender_id, audience: "once" },
            variantFor(WIDEST, width),
          )
        )?.body
      : (await ctx.env.PICTURES.get(voiceKey ?? ""))?.body;
  if (!stored) throw new AppError("NOT_FOUND");
  const headers = new Headers({ "content-type": opened.mime ?? "image/webp", "cache-control": "private, no-store" });
  // The containers that browsers record do not state their duration.
  if (opened.duration_ms !== null) headers.set("x-duration-ms", String(opened.duration_ms));
  const arrived = () => markArrived(ctx, messageId, opened.sender_id);
  return new Response(whenTaken(stored, ctx.requestId, arrived), { headers });
}

function parseOpening(body: string): string {
  try {
    const parsed = OpenOnceRequest.safeParse(body.length <= BODY_MAX_CHARS ? JSON.parse(body) : undefined);
    if (parsed.success) return parsed.data.opening;
  } catch {
    // Not JSON: reported below.
  }
  throw new AppError("BAD_INPUT", { field: "opening", message: "opening: 16 to 64 letters, digits, - or _" });
}
