import type { PictureOrder } from "@lambda/contract/pictures";
import { sql } from "kysely";
import { batch, type Database } from "../platform/db/database.ts";
import { AppError } from "../platform/errors.ts";
import type { MemberContext } from "../platform/trpc.ts";
import { disclosePictureQuery } from "../visibility/statements/disclosures.ts";
import { type AlbumList, ownAlbum, ownAlbums } from "./album-order.ts";
import { isShownToOwner } from "./hidden.ts";
import type { UploadContext } from "./upload.ts";

interface Albums {
  readonly publicIds: number[];
  readonly privateIds: number[];
}

/** Retries after concurrent changes. No member at a screen causes more than this. */
const ATTEMPTS_MAX = 5;

/**
 * Sets the order of a member's pictures and moves them between the albums. Throws BAD_INPUT for a picture that is not in the member's
 * albums, and CONFLICT when concurrent changes keep interfering.
 */
export async function arrangePictures(
  ctx: UploadContext & Pick<MemberContext, "viewer">,
  order: PictureOrder,
): Promise<void> {
  const { profileId } = ctx.viewer;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const before = await getAlbums(ctx.db, profileId);
    const after = rearrange(parseAlbums(before), order);
    const shown = new Set([...parseIds(before.shown_public), ...parseIds(before.shown_private)]);
    const shownOf = (ids: readonly number[]) => JSON.stringify(ids.filter((id) => shown.has(id)));
    const ownOf = (list: AlbumList, ids: readonly number[]) =>
      sql<string>`iif(${sql.ref(`own_${list}`)} is null, null, ${JSON.stringify(ids)})`;
    const published = after.publicIds.filter((id) => parseIds(before.pics_private).includes(id));
    const results = await batch(ctx.d1, [
      ...published.map((id) => disclosePictureQuery(ctx, id)),
      ctx.db
        .updateTable("profile")
        .set({
          pics_public: shownOf(after.publicIds),
          pics_private: shownOf(after.privateIds),
          own_pics_public: ownOf("pics_public", after.publicIds),
          own_pics_private: ownOf("pics_private", after.privateIds),
          ts_updated: ctx.now,
        })
        .where("id", "=", profileId)
        .where("pics_public", "=", before.shown_public)
        .where("pics_private", "=", before.shown_private)
        .where(ownAlbum("pics_public"), "=", before.pics_public)
        .where(ownAlbum("pics_private"), "=", before.pics_private)
        .returning("id"),
      ctx.db
        .updateTable("picture")
        .set({
          audience: sql<"public" | "private">`case audience when 'public' then 'private' else 'public' end`,
          ts_updated: ctx.now,
        })
        .where("profile_id", "=", profileId)
        .where("audience", "in", ["public", "private"])
        .where(isShownToOwner("picture"))
        .where(
          sql<boolean>`id in (select o.value from profile p,
          json_each(case picture.audience when 'public' then ${ownAlbum("pics_private", "p")} else ${ownAlbum("pics_public", "p")} end) o where p.id = ${profileId})`,
        ),
    ]);
    if (results[published.length]?.length) return;
  }
  throw new AppError("CONFLICT");
}

/** Throws BAD_INPUT if arrangePictures would. */
export async function checkArrangement(db: Database, profileId: number, order: PictureOrder): Promise<void> {
  rearrange(parseAlbums(await getAlbums(db, profileId)), order);
}

/** The albums as the owner sees them, and as others do (`shown_`). */
function getAlbums(db: Database, profileId: number) {
  return db
    .selectFrom("profile")
    .select(ownAlbums("profile"))
    .select(["pics_public as shown_public", "pics_private as shown_private"])
    .where("id", "=", profileId)
    .executeTakeFirstOrThrow();
}

function parseAlbums(columns: Awaited<ReturnType<typeof getAlbums>>): Albums {
  return { publicIds: parseIds(columns.pics_public), privateIds: parseIds(columns.pics_private) };
}

/** The albums in the requested order. Pictures that the request does not name stay in their album, at its end. */
function rearrange(before: Albums, order: PictureOrder): Albums {
  const known = new Set([...before.publicIds, ...before.privateIds]);
  const { movedId } = order;
  if (movedId !== undefined) requireKnown(known, [movedId], "movedId");
  const request = (album: readonly number[], field: "profilePicIds" | "profilePicIdsPrivate") =>
    requireKnown(known, order[field] ?? album, field).filter(
      (id) => movedId === undefined || id === movedId || album.includes(id),
    );
  const requestedPublic = request(before.publicIds, "profilePicIds");
  const requestedPrivate = request(before.privateIds, "profilePicIdsPrivate");
  // A list that was not sent yields its pictures, so that sending one list can move a picture into it.
  const publicIds = order.profilePicIds
    ? requestedPublic
    : requestedPublic.filter((id) => !requestedPrivate.includes(id));
  const privateIds = requestedPrivate.filter((id) => !publicIds.includes(id));
  if (order.profilePicIds && order.profilePicIdsPrivate && privateIds.length < requestedPrivate.length) {
    throw new AppError("BAD_INPUT", {
      field: "profilePicIdsPrivate",
      message: "profilePicIdsPrivate: a picture is in both lists",
    });
  }
  const named = new Set([...publicIds, ...privateIds]);
  return {
    publicIds: [...publicIds, ...before.publicIds.filter((id) => !named.has(id))],
    privateIds: [...privateIds, ...before.privateIds.filter((id) => !named.has(id))],
  };
}

function requireKnown(known: ReadonlySet<number>, requested: readonly number[], field: string): number[] {
  const ids = [...new Set(requested)];
  if (ids.some((id) => !known.has(id))) {
    throw new AppError("BAD_INPUT", { field, message: `${field}: not a picture of your albums` });
  }
  return ids;
}

const parseIds = (list: string): number[] => JSON.parse(list) as number[];
