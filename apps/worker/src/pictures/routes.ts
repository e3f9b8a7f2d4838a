/**
 * The picture routes that carry bytes: plain Hono, since tRPC speaks JSON. A picture that the member may not see returns 404, like one that
 * does not exist.
 */
import { PICTURE_MAX_BYTES } from "@lambda/contract/limits";
import { ClientMessageId } from "@lambda/contract/messages";
import { type OwnPicture, PictureAudience, PictureScale } from "@lambda/contract/pictures";
import { BooleanInput, Id } from "@lambda/contract/primitives";
import { z } from "zod";
import type { MemberContext } from "../platform/access.ts";
import { AppError, parseInput } from "../platform/errors.ts";
import { matchesEtag } from "../platform/http/etag.ts";
import { collectByName, readForm, readTextFields } from "../platform/http/form.ts";
import { type Keys, mac } from "../platform/keys.ts";
import type { VisiblePicture } from "../platform/picture-lookup.ts";
import { spendQuota } from "../platform/rate-limits/limit.ts";
import { byteRoute } from "../platform/rest/byte-routes.ts";
import { findVisiblePicture } from "./access.ts";
import { type Variant, variantFor } from "./encode.ts";
import { pictureOperation, UPLOAD_OPERATION } from "./openapi.ts";
import { toOwnPicture } from "./queries.ts";
import { rejectUpload } from "./reject-upload.ts";
import { getShownVariant } from "./store.ts";
import { replaceStoredPicture, storePicture } from "./upload.ts";

/** Cached on the device but revalidated every time, so that a revoked grant or a block takes effect with the next request. */
const CACHE_CONTROL = "private, no-cache";

const UploadForm = z.object({
  authorProfileId: Id,
  audience: PictureAudience.default("public"),
  nsfw: BooleanInput.default(false),
  harmless: BooleanInput.default(false),
  clientId: ClientMessageId.optional(),
});
const ReplaceId = Id.optional();

const ORIGINAL = { name: "orig", in: "query", schema: { enum: ["1"] } };

export const PICTURE_ROUTES = [
  byteRoute("member", "POST /profile-pic", UPLOAD_OPERATION, async (ctx, c) => c.json(await receiveUpload(ctx), 201)),
  byteRoute("member", "GET /profile-pic/nsfw/{id}", pictureOperation("A picture as it is"), (ctx, c) =>
    sendPicture(ctx, parseId(c.req.param("id")), { scale: c.req.query("scale_x"), uncovered: true }),
  ),
  byteRoute("member", "GET /profile-pic/{id}", pictureOperation("A picture; a NSFW one pixelated"), (ctx, c) =>
    sendPicture(ctx, parseId(c.req.param("id")), { scale: c.req.query("scale_x") }),
  ),
  byteRoute(
    "member",
    "GET /profile/pic/{id}",
    pictureOperation("A picture; with orig=1 the stored original, for its owner alone", ORIGINAL),
    (ctx, c) => {
      const original = c.req.query("orig") === "1";
      return sendPicture(ctx, parseId(c.req.param("id")), { scale: c.req.query("scale_x"), original });
    },
  ),
];

async function receiveUpload(ctx: MemberContext): Promise<OwnPicture> {
  const { viewer, request, changes } = ctx;
  // Counts as one change that concerns no other member.
  changes.calls += 1;
  await spendQuota(ctx, "uploads", viewer.profileId, { uploadsPerHour: 1, uploads: 1 });
  const form = await readForm(request, PICTURE_MAX_BYTES, () => rejectUpload("BYTES"));
  const { authorProfileId, ...options } = parseInput(UploadForm, readTextFields(form));
  if (authorProfileId !== viewer.profileId) throw new AppError("NOT_ALLOWED");
  const replaced = parseInput(ReplaceId, collectByName(new URL(request.url).searchParams).replace_id, "replace_id");
  const file: unknown = form.get("picfile");
  if (!(file instanceof File)) throw rejectUpload("MISSING");
  const bytes = new Uint8Array(await file.arrayBuffer());
  const row =
    replaced === undefined
      ? await storePicture(ctx, viewer.profileId, bytes, options)
      : await replaceStoredPicture(ctx, viewer.profileId, replaced, bytes);
  return toOwnPicture(row);
}

interface PictureRequest {
  readonly scale: string | undefined;
  /** Whether NSFW pictures are served unpixelated. */
  readonly uncovered?: boolean;
  /** Whether the stored original is requested, which only its owner gets. */
  readonly original?: boolean;
  /** A name for the ETag when the picture's id must not be revealed. */
  readonly name?: string;
}

function parseId(param: string | undefined): number | undefined {
  const id = Id.safeParse(param);
  return id.success ? id.data : undefined;
}

/** Sends a picture's bytes. Throws the same NOT_FOUND when it does not exist and when this member may not see it. */
export async function sendPicture(
  ctx: MemberContext,
  id: number | undefined,
  requested: PictureRequest,
): Promise<Response> {
  const scale = parseInput(PictureScale, requested.scale, "scale_x");
  if (id === undefined) throw new AppError("NOT_FOUND");
  // The cached lookup is about the id in the URL, which in games is not the picture's id.
  const picture = ctx.pictureLookup?.id === id ? ctx.pictureLookup.picture : await findVisiblePicture(ctx, id);
  if (!picture || (requested.original && (!picture.own || picture.withheld))) throw new AppError("NOT_FOUND");

  const variant: Variant = requested.original
    ? "original"
    : picture.covered || picture.withheld || (picture.nsfw && !requested.uncovered)
      ? "pixelated"
      : variantFor(scale, picture.width);
  const etag = `"${requested.name ?? etagName(ctx.env, picture)}-${variant}"`;
  const headers = new Headers({ "cache-control": CACHE_CONTROL, etag, vary: "cookie" });
  if (matchesEtag(ctx.request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  const shown = await getShownVariant(ctx, picture, variant);
  if (!shown) throw new AppError("NOT_FOUND");
  // Another width in its place must not be kept as this one.
  if (shown.variant !== variant) headers.delete("etag");
  headers.set("content-type", "image/webp");
  return new Response(shown.body as BodyInit, { headers });
}

/**
 * The name of a picture in ETags. Id and version are not enough, because a restored database assigns them again, so it includes the time of
 * the last change, keyed so that it cannot be read.
 */
function etagName(env: Keys, { id, version, ts_updated }: VisiblePicture): string {
  const mark = mac(env, "etag", `${id}:${ts_updated}`).toString("base64url").slice(0, 11);
  return `${id}-${version}-${mark}`;
}
