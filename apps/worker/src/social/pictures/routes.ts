/**
 * The picture routes that carry bytes: plain Hono, since tRPC speaks JSON. A picture that the member may not see answers 404,
 * like one that is not there.
 */
import { createHmac } from "node:crypto";
import { PICTURE_MAX_BYTES, PICTURE_WIDTHS_PX } from "@lambda/contract/limits";
import { type OwnPicture, PictureAudience } from "@lambda/contract/pictures";
import { Flag, Id, numeric } from "@lambda/contract/primitives";
import { z } from "zod";
import type { MemberContext } from "../../platform/access.ts";
import type { Env } from "../../platform/env.ts";
import { AppError } from "../../platform/errors.ts";
import type { OpenPicture } from "../../platform/known-picture.ts";
import { spend } from "../../platform/rate-limits/limit.ts";
import type { ByteRoute } from "../../platform/rest/byte-routes.ts";
import { findOpenPicture } from "./access.ts";
import { type Variant, variantFor } from "./encode.ts";
import { PICTURE_ID, pictureOperation, SCALE, UPLOAD_OPERATION } from "./openapi.ts";
import { toOwnPicture } from "./queries.ts";
import { rejectUpload } from "./reject-upload.ts";
import { getVariant } from "./store.ts";
import { replaceStoredPicture, storePicture } from "./upload.ts";

/** Room for the form's other fields and boundaries around the largest picture. */
const FORM_EXTRA_BYTES = 65_536;
const WIDEST = PICTURE_WIDTHS_PX[PICTURE_WIDTHS_PX.length - 1]!;

/** Stored on the device, but asked for again each time: a revoked grant or a block holds from the next request on. */
const CACHE_CONTROL = "private, no-cache";

const UploadForm = z.object({
  authorProfileId: Id,
  audience: PictureAudience.default("public"),
  nsfw: Flag.default(false),
  harmless: Flag.default(false),
});
const ReplaceId = Id.optional();
const Scale = numeric(z.number().positive().max(100_000)).default(WIDEST);

const SMALL_OR_LARGE = [PICTURE_ID, SCALE];
const ORIGINAL = { name: "orig", in: "query", schema: { enum: ["1"] } };

export const PICTURE_ROUTES: readonly ByteRoute[] = [
  {
    method: "post",
    path: "/profile-pic",
    access: "member",
    operation: UPLOAD_OPERATION,
    handler: async (c) => c.json(await takeUpload(c.get("member"), c.req.query("replace_id")), 201),
  },
  {
    method: "get",
    path: "/profile-pic/nsfw/{id}",
    access: "member",
    operation: pictureOperation("A picture as it is", SMALL_OR_LARGE),
    handler: (c) =>
      servePicture(c.get("member"), c.req.param("id"), { scale: c.req.query("scale_x"), uncovered: true }),
  },
  {
    method: "get",
    path: "/profile-pic/{id}",
    access: "member",
    operation: pictureOperation("A picture; a NSFW one pixelated", SMALL_OR_LARGE),
    handler: (c) => servePicture(c.get("member"), c.req.param("id"), { scale: c.req.query("scale_x") }),
  },
  {
    method: "get",
    path: "/profile/pic/{id}",
    access: "member",
    operation: pictureOperation("A picture; with orig=1 the stored original, for its owner alone", [
      ...SMALL_OR_LARGE,
      ORIGINAL,
    ]),
    handler: (c) => {
      const original = c.req.query("orig") === "1";
      return servePicture(c.get("member"), c.req.param("id"), { scale: c.req.query("scale_x"), original });
    },
  },
];

async function takeUpload(ctx: MemberContext, replaceId: string | undefined): Promise<OwnPicture> {
  const { viewer, request, changes } = ctx;
  // One change, about nobody else.
  changes.calls += 1;
  await spend(ctx, "uploads", viewer.profileId, { uploadsPerHour: 1, uploads: 1 });
  const form = await readForm(request);
  const { authorProfileId, ...options } = parse(UploadForm, withoutFiles(form));
  if (authorProfileId !== viewer.profileId) throw new AppError("NOT_ALLOWED");
  const replaced = parse(ReplaceId, replaceId, "replace_id");
  const file: unknown = form.get("picfile");
  if (!(file instanceof File)) throw rejectUpload("MISSING");
  const bytes = new Uint8Array(await file.arrayBuffer());
  const row =
    replaced === undefined
      ? await storePicture(ctx, viewer.profileId, bytes, options)
      : await replaceStoredPicture(ctx, viewer.profileId, replaced, bytes);
  return toOwnPicture(row);
}

interface Wanted {
  readonly scale: string | undefined;
  /** The path that shows NSFW pictures as they are. */
  readonly uncovered?: boolean;
  /** The stored original, for editing: its owner's alone. */
  readonly original?: boolean;
  /** What the ETag calls it, where its number must not be told. */
  readonly name?: string;
}

async function servePicture(ctx: MemberContext, id: string | undefined, wanted: Wanted): Promise<Response> {
  const known = Id.safeParse(id);
  return sendPicture(ctx, known.success ? known.data : undefined, wanted);
}

/** A picture's bytes for whoever may see it; the same NOT_FOUND for one that is absent and for one that this member may not see. */
export async function sendPicture(ctx: MemberContext, id: number | undefined, wanted: Wanted): Promise<Response> {
  const scale = parse(Scale, wanted.scale, "scale_x");
  const picture = id === undefined ? undefined : await openPicture(ctx, id);
  if (!picture || (wanted.original && (!picture.own || picture.withheld))) throw new AppError("NOT_FOUND");

  const variant: Variant = wanted.original
    ? "original"
    : picture.covered || picture.withheld || (picture.nsfw && !wanted.uncovered)
      ? "pixelated"
      : variantFor(scale, picture.width);
  const etag = `"${wanted.name ?? nameOf(ctx.env, picture)}-${variant}"`;
  const headers = new Headers({ "cache-control": CACHE_CONTROL, etag, vary: "cookie" });
  if (matches(ctx.request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  const body = await getVariant(ctx.env, picture, variant);
  if (!body) throw new AppError("NOT_FOUND");
  headers.set("content-type", "image/webp");
  return new Response(body as BodyInit, { headers });
}

/**
 * What a cache keeps a picture under: more than number and version, which a database that was brought back to an earlier time gives out
 * again. When it changed is in it for whoever has the key alone.
 */
function nameOf({ POSITION_KEY }: Pick<Env, "POSITION_KEY">, { id, version, ts_updated }: OpenPicture): string {
  const mark = createHmac("sha256", POSITION_KEY).update(`etag:${id}:${ts_updated}`).digest("base64url").slice(0, 11);
  return `${id}-${version}-${mark}`;
}

/** Games ask for pictures by other numbers than their ids. */
function openPicture(ctx: MemberContext, id: number): Promise<OpenPicture | undefined> | OpenPicture | undefined {
  return ctx.known?.id === id ? ctx.known.picture : findOpenPicture(ctx, id);
}

/** Reads the form, but no more of it than the largest picture needs: a length that was not announced is no way around. */
async function readForm(request: Request): Promise<FormData> {
  const most = PICTURE_MAX_BYTES + FORM_EXTRA_BYTES;
  if (Number(request.headers.get("content-length") ?? 0) > most) throw rejectUpload("BYTES");
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (;;) {
    const read = await reader?.read();
    if (!read || read.done) break;
    const part = read.value as Uint8Array<ArrayBuffer>;
    size += part.length;
    if (size > most) {
      await reader?.cancel();
      throw rejectUpload("BYTES");
    }
    parts.push(part);
  }
  try {
    const type = request.headers.get("content-type") ?? "";
    return await new Response(new Blob(parts), { headers: { "content-type": type } }).formData();
  } catch {
    throw new AppError("BAD_INPUT", { message: "The body could not be read as a form." });
  }
}

function withoutFiles(form: FormData): Record<string, unknown> {
  return Object.fromEntries([...form.entries()].filter(([, value]) => typeof value === "string"));
}

function parse<Output>(schema: z.ZodType<Output>, value: unknown, name?: string): Output {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = name ?? issue?.path.map(String).join(".");
  throw new AppError("BAD_INPUT", { ...(field && { field }), message: `${field}: ${issue?.message}` });
}

/** If-None-Match compares weakly. */
function matches(header: string | null, etag: string): boolean {
  return (header ?? "").split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag);
}
