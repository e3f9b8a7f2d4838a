import type { PictureOrder } from "@lambda/contract/pictures";
import { sql } from "kysely";
import { batch, type Compiled } from "../../platform/db/batch.ts";
import type { Database } from "../../platform/db/database.ts";
import type { ProfileRow } from "../../platform/db/tables.ts";
import { AppError } from "../../platform/errors.ts";
import { type AlbumList, ownList } from "./album-order.ts";
import type { StoreContext } from "./upload.ts";

interface Albums {
  readonly publicIds: number[];
  readonly privateIds: number[];
}

/** Tries until no other change came in between; more than this many at once is no member at a screen. */
const TRIES = 5;

/**
 * Sets the order of the own pictures and moves them between the albums; rows and orders change together. Throws BAD_INPUT
 * for a picture that is not in the member's albums, CONFLICT when other changes kept coming in between.
 */
export async function arrangePictures(ctx: StoreContext, profileId: number, order: PictureOrder): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const before = await findOrders(ctx.db, profileId);
    const after = rearrange(albumsOf(before), order);
    const [written] = await batch<[{ id: number }[], unknown[]]>(ctx.d1, arrangeQueries(ctx, profileId, before, after));
    if (written?.length) return;
  }
  throw new AppError("CONFLICT");
}

/** Throws what arrangePictures would throw for this order: BAD_INPUT. */
export async function checkArrangement(db: Database, profileId: number, order: PictureOrder): Promise<void> {
  rearrange(albumsOf(await findOrders(db, profileId)), order);
}

/** As their owner sees them, and what others see of them. */
interface Orders extends Pick<ProfileRow, "pics_public" | "pics_private"> {
  readonly shown_public: string;
  readonly shown_private: string;
}

function findOrders(db: Database, profileId: number): Promise<Orders> {
  return db
    .selectFrom("profile")
    .select([ownList("pics_public").as("pics_public"), ownList("pics_private").as("pics_private")])
    .select(["pics_public as shown_public", "pics_private as shown_private"])
    .where("id", "=", profileId)
    .executeTakeFirstOrThrow();
}

function albumsOf(orders: Orders): Albums {
  return { publicIds: parseIds(orders.pics_public), privateIds: parseIds(orders.pics_private) };
}

/** Pure: the albums as wished. What the wish does not name stays at the end of where it was. */
function rearrange(before: Albums, order: PictureOrder): Albums {
  const known = new Set([...before.publicIds, ...before.privateIds]);
  const wishedPublic = check(known, order.profilePicIds ?? before.publicIds, "profilePicIds");
  const wishedPrivate = check(known, order.profilePicIdsPrivate ?? before.privateIds, "profilePicIdsPrivate");
  // A list that was not sent gives way: sending one list alone can move a picture into it.
  const publicIds = order.profilePicIds ? wishedPublic : wishedPublic.filter((id) => !wishedPrivate.includes(id));
  const privateIds = wishedPrivate.filter((id) => !publicIds.includes(id));
  if (order.profilePicIds && order.profilePicIdsPrivate && privateIds.length < wishedPrivate.length) {
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

function check(known: ReadonlySet<number>, wished: readonly number[], field: string): number[] {
  const ids = [...new Set(wished)];
  if (ids.some((id) => !known.has(id))) {
    throw new AppError("BAD_INPUT", { field, message: `${field}: not a picture of your albums` });
  }
  return ids;
}

/** The orders if nobody changed them meanwhile, and then each row's audience as the orders say. */
function arrangeQueries(
  { db, now }: { db: Database; now: number },
  profileId: number,
  before: Orders,
  after: Albums,
): Compiled[] {
  const shown = new Set([...parseIds(before.shown_public), ...parseIds(before.shown_private)]);
  const shownOf = (ids: readonly number[]) => JSON.stringify(ids.filter((id) => shown.has(id)));
  const ownOf = (list: AlbumList, ids: readonly number[]) =>
    sql<string>`iif(${sql.ref(`own_${list}`)} is null, null, ${JSON.stringify(ids)})`;
  return [
    db
      .updateTable("profile")
      .set({
        pics_public: shownOf(after.publicIds),
        pics_private: shownOf(after.privateIds),
        own_pics_public: ownOf("pics_public", after.publicIds),
        own_pics_private: ownOf("pics_private", after.privateIds),
        ts_updated: now,
      })
      .where("id", "=", profileId)
      .where("pics_public", "=", before.shown_public)
      .where("pics_private", "=", before.shown_private)
      .where(ownList("pics_public"), "=", before.pics_public)
      .where(ownList("pics_private"), "=", before.pics_private)
      .returning("id")
      .compile(),
    db
      .updateTable("picture")
      .set({
        audience: sql<"public" | "private">`case audience when 'public' then 'private' else 'public' end`,
        ts_updated: now,
      })
      .where("profile_id", "=", profileId)
      .where("audience", "in", ["public", "private"])
      .where("hidden_by_staff", "<>", 1)
      .where(
        sql<boolean>`id in (select o.value from profile p,
          json_each(case picture.audience when 'public' then ${ownList("pics_private", "p")} else ${ownList("pics_public", "p")} end) o where p.id = ${profileId})`,
      )
      .compile(),
  ];
}

function parseIds(list: string): number[] {
  return JSON.parse(list) as number[];
}
