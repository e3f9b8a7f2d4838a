/**
 * Attaches pictures to a notice, each for the staff of its own brand: a notice about pictures of several brands gets a part for each
 * further one, with the same deadline and its own decision.
 */
import { BRANDS, type BrandId } from "@lambda/brands";
import { sql } from "kysely";
import type { NotifyContext } from "../../notifications/notify.ts";
import { hidePictureQueries } from "../../pictures/queries.ts";
import { insertFrom, type Query } from "../../platform/db/database.ts";
import type { NoticeRow } from "../../platform/db/tables.ts";
import { randomHex, randomId } from "../../platform/hash.ts";
import type { AuditEvent } from "../audit/chain.ts";
import type { AttachablePicture } from "./attachable.ts";
import { noticeEvent } from "./events.ts";

/**
 * Compiles what attaches pictures to a notice, and hides those in `hidden`. A notice whose pictures all belong to other brands moves to
 * one of these, unless it has to stay because of other pictures.
 */
export function attachQueries(
  ctx: Pick<NotifyContext, "db" | "now">,
  notice: NoticeRow,
  pictures: readonly AttachablePicture[],
  { hidden, stays = false }: { readonly hidden: ReadonlySet<number>; readonly stays?: boolean },
) {
  const desks = Map.groupBy(pictures, ({ desk }) => desk);
  const filedOn = notice.brand as BrandId;
  const brand = stays || desks.has(filedOn) ? filedOn : ([...desks.keys()][0] ?? filedOn);
  const queries: Query[] = [];
  const events: AuditEvent[] = [];
  for (const [desk, own] of desks) {
    const part = desk === brand ? { ...notice, brand } : toPart(notice, desk);
    if (desk !== brand) {
      queries.push(insertPartQuery(ctx, notice.id, part));
      events.push(noticeEvent(part, "received", { by: "visitor", details: { rule: part.category } }));
    }
    const hiddenIds = own.map(({ id }) => id).filter((id) => hidden.has(id));
    if (hiddenIds.length > 0) {
      const privateDetails = { pictures: hiddenIds.join(" ") };
      events.push(noticeEvent(part, "hidden_at_once", { by: "clock", privateDetails }));
    }
    queries.push(...own.flatMap((picture) => insertPictureQueries(ctx, part.ref, picture, hidden.has(picture.id))));
  }
  // The brand is that whose staff decide about the notice itself.
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
  "upload_print",
  "sender_network",
  "sender_mailbox",
  "anonymous",
  "ts_created",
  "ts_confirmed",
] as const;

function insertPartQuery({ db, now }: Pick<NotifyContext, "db" | "now">, id: number, part: Part): Query {
  const { ref, brand, case_ref } = part;
  const copied = db.selectFrom("notice").select(COPIED).where("id", "=", id);
  return insertFrom(db, "notice", copied, { id: randomId(), ref, brand, case_ref, ts_matched: now }).onConflict(
    (conflict) => conflict.column("ref").doNothing(),
  );
}

function insertPictureQueries(
  { db, now }: Pick<NotifyContext, "db" | "now">,
  ref: string,
  { id, profile_id, version, hash, sealed_print, wasPublic, alike = false }: AttachablePicture,
  hidden: boolean,
): Query[] {
  return [
    db
      .insertInto("notice_picture")
      .values({
        notice_id: sql<number>`(select id from notice where ref = ${ref})`,
        picture_id: id,
        profile_id,
        version,
        hash,
        sealed_print: sealed_print && Buffer.from(sealed_print),
        alike: alike ? 1 : 0,
        state: hidden ? "hidden" : "named",
        hidden_immediately: hidden ? 1 : 0,
        was_public: wasPublic ? 1 : 0,
        ts_created: now,
      })
      .onConflict((conflict) => conflict.columns(["notice_id", "picture_id"]).doNothing()),
    ...(hidden ? hidePictureQueries(db, { id, profile_id }, now) : []),
  ];
}
