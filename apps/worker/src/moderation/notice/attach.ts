/**
 * Attaches pictures to a notice: only those that its sender may name, each for the staff of its own brand. If they belong to several
 * brands, the notice gets a part for each further brand, with the same deadline and its own decision.
 */
import { BRANDS, type BrandId, getBrand } from "@lambda/brands";
import { type RawBuilder, sql } from "kysely";
import type { Compiled } from "../../platform/db/batch.ts";
import { valuesOf } from "../../platform/db/d1.ts";
import type { Database } from "../../platform/db/database.ts";
import type { NoticeRow } from "../../platform/db/tables.ts";
import { randomHex } from "../../platform/hash.ts";
import { HASH_QUALITY_MIN } from "../../platform/images/perceptual-hash.ts";
import { randomId } from "../../platform/random-id.ts";
import type { NotifyContext } from "../../social/notifications/notify.ts";
import { reachableByAddress } from "../../social/pictures/access.ts";
import { hiddenByNotice, isHeld } from "../../social/pictures/hidden.ts";
import { hidePictureQueries } from "../../social/pictures/queries.ts";
import type { AuditEvent } from "../audit/chain.ts";
import { isMemberOf } from "../staff/scope.ts";
import { receivedEvent, withheldEvent } from "./events.ts";

/** A stored picture that a notice may be about. */
export interface AttachablePicture {
  readonly id: number;
  readonly profile_id: number;
  readonly version: number;
  /** The brand whose staff decide about it. */
  readonly desk: BrandId;
  /** Whether any member of that brand may see it, or could before a notice hid it. */
  readonly wasPublic: boolean;
  /** Whether it looks like the picture that came with the notice. */
  readonly matches: boolean;
  /** Whether staff have kept it after an earlier notice. */
  readonly cleared: number;
  /** Whether another notice already hides it. */
  readonly withheld: number;
  /** Whether it is held as a known picture. */
  readonly held: number;
  /** Null if the picture is too plain to be distinctive. */
  readonly hash: string | null;
}

/** How the sender of a notice identifies pictures. */
interface Named {
  /** Numbers from addresses, which anybody can write. */
  readonly addressed: readonly number[];
  /** Pictures that look like the one that came with the notice, the most similar first. */
  readonly matching: readonly number[];
}

/**
 * Lists the pictures that a notice may be about, of those named: by address alone only what any member of a brand may see. Those with an
 * address come first, so that an owner's decoys that look like the picture cannot crowd them out.
 */
export async function listAttachable(
  db: Database,
  filedOn: string,
  { addressed, matching }: Named,
): Promise<AttachablePicture[]> {
  const ids = [...new Set([...addressed, ...matching])];
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom(valuesOf(ids, "wanted"))
    .innerJoin("picture as pic", "pic.id", "wanted.column1")
    .innerJoin("profile as p", "p.id", "pic.profile_id")
    .innerJoin("account as a", "a.id", "pic.profile_id")
    .leftJoin("picture_hash as x", (join) =>
      join.onRef("x.picture_id", "=", "pic.id").on("x.quality", ">=", sql.lit(HASH_QUALITY_MIN)),
    )
    .select(["pic.id", "pic.profile_id", "pic.version", "a.home_brand", "x.hash"])
    .select(sql<number>`${isHeld("pic")}`.as("held"))
    .select(
      sql<number>`exists (select 1 from notice_picture n where n.picture_id = pic.id and n.state = 'cleared')`.as(
        "cleared",
      ),
    )
    .select(sql<number>`${hiddenByNotice(sql.ref("pic.id"))}`.as("withheld"))
    .select([brandsWhere(reachableByAddress).as("reached"), brandsWhere(isMemberOf).as("joined")])
    .execute();
  const found = rows.map(({ home_brand, reached, joined, ...picture }) => {
    const desk = chooseDesk([filedOn, home_brand], reached === 0 ? joined : reached);
    const wasPublic = (reached & getBrand(desk).bit) !== 0;
    return { ...picture, desk, wasPublic, matches: matching.includes(picture.id) };
  });
  return found
    .filter(({ wasPublic, matches }) => wasPublic || matches)
    .sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
}

/** The bits of the brands for which a condition holds. */
function brandsWhere(condition: (brand: (typeof BRANDS)[number]) => RawBuilder<boolean>): RawBuilder<number> {
  return sql<number>`(${sql.join(
    BRANDS.map((brand) => sql`iif(${condition(brand)}, ${sql.lit(brand.bit)}, 0)`),
    sql` | `,
  )})`;
}

/** The first of the preferred brands, or else of all, that is among the bits. */
function chooseDesk(preferred: readonly string[], bits: number): BrandId {
  const order = [...preferred.map((id) => getBrand(id as BrandId)), ...BRANDS];
  return order.find(({ bit }) => (bits & bit) !== 0)?.id ?? (preferred[0] as BrandId);
}

/** What a notice's batch writes for its pictures. */
interface Attachment {
  /** The brand whose staff decide about the notice itself. */
  readonly brand: BrandId;
  readonly queries: readonly Compiled[];
  readonly events: readonly AuditEvent[];
}

/**
 * Compiles what attaches pictures to a notice, and hides those in `hidden`. A notice whose pictures all belong to other brands moves to
 * one of these, unless it has to stay because of other pictures.
 */
export function attachQueries(
  ctx: Pick<NotifyContext, "db" | "now">,
  notice: NoticeRow,
  pictures: readonly AttachablePicture[],
  { hidden, stays = false }: { readonly hidden: ReadonlySet<number>; readonly stays?: boolean },
): Attachment {
  const desks = Map.groupBy(pictures, ({ desk }) => desk);
  const filedOn = notice.brand as BrandId;
  const brand = stays || desks.has(filedOn) ? filedOn : ([...desks.keys()][0] ?? filedOn);
  const queries: Compiled[] = [];
  const events: AuditEvent[] = [];
  for (const [desk, own] of desks) {
    const part = desk === brand ? { ...notice, brand } : toPart(notice, desk);
    if (desk !== brand) {
      queries.push(insertPartQuery(ctx, notice.id, part));
      events.push(receivedEvent(part));
    }
    const hiddenIds = own.map(({ id }) => id).filter((id) => hidden.has(id));
    if (hiddenIds.length > 0) events.push(withheldEvent(part, hiddenIds));
    queries.push(...own.flatMap((picture) => insertPictureQueries(ctx, part.ref, picture, hidden.has(picture.id))));
  }
  return { brand, queries, events };
}

type Part = Pick<NoticeRow, "ref" | "brand" | "case_ref" | "category">;

function toPart({ ref, category }: NoticeRow, brand: BrandId): Part {
  return { ref: partRef(ref, brand), brand, case_ref: randomHex(12), category };
}

/** The number of a notice, from that of any of its parts. */
export const baseRef = (ref: string) => ref.replace(/-.*/, "");

/** The number of a notice's part for another brand. */
export function partRef(ref: string, brand: BrandId): string {
  return `${baseRef(ref)}-${BRANDS.findIndex(({ id }) => id === brand) + 1}`;
}

const COPIED = [
  "kind",
  "category",
  "role",
  "locale",
  "name",
  "email",
  "contact",
  "location",
  "explanation",
  "upload_hash",
  "sender_network",
  "sender_mailbox",
  "anonymous",
  "ts_created",
  "ts_confirmed",
] as const;

function insertPartQuery({ db, now }: Pick<NotifyContext, "db" | "now">, id: number, part: Part): Compiled {
  const { ref, brand, case_ref } = part;
  return db
    .insertInto("notice")
    .columns(["id", "ref", "brand", "case_ref", "ts_matched", ...COPIED])
    .expression((select) =>
      select
        .selectFrom("notice")
        .select([
          sql.val(randomId()).as("id"),
          sql.val(ref).as("ref"),
          sql.val(brand).as("brand"),
          sql.val(case_ref).as("case_ref"),
        ])
        .select([sql.val(now).as("ts_matched"), ...COPIED])
        .where("id", "=", id),
    )
    .onConflict((conflict) => conflict.column("ref").doNothing())
    .compile();
}

function insertPictureQueries(
  { db, now }: Pick<NotifyContext, "db" | "now">,
  ref: string,
  { id, profile_id, version, hash, wasPublic }: AttachablePicture,
  hidden: boolean,
): Compiled[] {
  return [
    db
      .insertInto("notice_picture")
      .values({
        notice_id: sql<number>`(select id from notice where ref = ${ref})`,
        picture_id: id,
        profile_id,
        version,
        hash,
        state: hidden ? "hidden" : "named",
        hidden_immediately: hidden ? 1 : 0,
        was_public: wasPublic ? 1 : 0,
        ts_created: now,
      })
      .onConflict((conflict) => conflict.columns(["notice_id", "picture_id"]).doNothing())
      .compile(),
    ...(hidden ? hidePictureQueries(db, { id, profile_id }, now) : []),
  ];
}
