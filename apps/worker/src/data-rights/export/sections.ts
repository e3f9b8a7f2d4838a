/**
 * The sections of an export, with an explicit list of the columns about the member. Excluded are others' notes about them, hashes and keys,
 * messages of members they blocked, and the identities of members not visible to them now.
 */

import { BULK_CHUNK_ROWS } from "@lambda/contract/limits";
import { pointOfKey, toCurveKey } from "@lambda/geo/curve";
import { sql } from "kysely";
import { ownBlocks } from "../../members/blocks/queries.ts";
import { ownStay, ownTrips } from "../../members/travel/export-queries.ts";
import { isNotificationVisible, type ViewerContext, visibleTo } from "../../members/visibility/visibility.ts";
import { isKnownToOwner, viewKnownToOwner } from "../../moderation/notice/own-notices.ts";
import { listPlacesForExport } from "../../places/positions/places.ts";
import type { Context } from "../../platform/context.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Shards } from "../../platform/db/shards.ts";
import { toIso } from "../../platform/iso-time.ts";
import { listOwnMessages } from "../../social/messages/member-messages.ts";
import { ownAlbum } from "../../social/pictures/album-order.ts";
import { isHiddenByAction } from "../../social/pictures/hidden.ts";

export type ExportRow = Record<string, string | number | null>;

export interface ExportSection {
  readonly name: string;
  /** The next chunk of rows, those with an `at` column greater than `after`, in that order. */
  readonly rows: (
    db: Database,
    id: number,
    after: number,
    viewerContext: ViewerContext,
    shards: Shards,
  ) => { execute(): Promise<ExportRow[]> };
  /** Replaces a row by readable ones, for data that is stored encrypted. */
  readonly decrypt?: (ctx: Pick<Context, "db" | "env">, id: number) => Promise<ExportRow[]>;
}

export const EXPORT_SECTIONS: readonly ExportSection[] = [
  {
    name: "account",
    rows: (db, id, after) =>
      db
        .selectFrom("account")
        .select([
          "id as at",
          "id",
          "name",
          "email",
          "email_pending",
          "home_brand",
          "locale",
          "preferences",
          "acknowledgements",
          "network",
          "ts_sharing_chosen",
          "ts_created",
        ])
        .where("id", "=", id)
        .where("id", ">", after),
  },
  {
    name: "profile",
    rows: (db, id, after) =>
      db
        .selectFrom("profile")
        .select([
          "id as at",
          "id",
          "profile_name",
          "birthdate",
          "height",
          "weight",
          "description",
          "characteristics",
          "status",
          "ts_status_until",
          "hidden",
          "credits",
          "ts_seen",
          "ts_updated",
        ])
        .select(sql<number>`${sql.ref("shared_on")} | ${sql.ref("discreet_on")}`.as("shared_on"))
        .select(sql<0 | 1>`${sql.ref("discreet_on")} <> 0`.as("discreet"))
        .select([ownAlbum("pics_public").as("pics_public"), ownAlbum("pics_private").as("pics_private")])
        .where("id", "=", id)
        .where("id", ">", after),
  },
  {
    name: "ageProof",
    rows: (db, id, after) =>
      db
        .selectFrom("age_proof")
        .select(["account_id as at", "method", "day", "policy"])
        .where("account_id", "=", id)
        .where("account_id", ">", after),
  },
  {
    name: "lockdown",
    rows: (db, id, after) =>
      db
        .selectFrom("lockdown")
        .select(["account_id as at", "ts_until", "ts_words"])
        .select(sql<number>`words_hash is not null`.as("recovery_words"))
        .where("account_id", "=", id)
        .where("account_id", ">", after),
  },
  {
    name: "lockdownSignals",
    rows: (db, id, after) =>
      db
        .selectFrom("lockdown_signal")
        .select(["id as at", "hours", "device_label", "ts_created"])
        .where("account_id", "=", id)
        .where("id", ">", after)
        .orderBy("id")
        .limit(BULK_CHUNK_ROWS),
  },
  {
    name: "health",
    rows: (db, id, after) =>
      db
        .selectFrom("health_panel")
        .select([
          "profile_id as at",
          "hiv_status",
          "prep",
          "doxy_pep",
          "vaccines",
          "last_test",
          "audiences",
          "reminder_months",
          "ts_reminder",
        ])
        .where("profile_id", "=", id)
        .where("profile_id", ">", after),
  },
  {
    name: "position",
    rows: (db, id, after) =>
      db
        .selectFrom("position")
        .select([
          "profile_id as at",
          "use",
          "precision",
          "cell",
          "pending_cell",
          "key as published_key",
          "ts_published",
          "ts_effective_until",
        ])
        .where("profile_id", "=", id)
        .where("profile_id", ">", after),
  },
  {
    name: "places",
    rows: (db, id, after) =>
      db
        .selectFrom("place_memory")
        .select(["profile_id as at"])
        .where("profile_id", "=", id)
        .where("profile_id", ">", after),
    decrypt: listPlacesForExport,
  },
  {
    name: "sessions",
    rows: (db, id, after) =>
      db
        .selectFrom("session")
        .select(["id as at", "device_label", "brand", "remember", "ts_created", "ts_last_used", "ts_expires"])
        .where("account_id", "=", id)
        .where("id", ">", after)
        .orderBy("id")
        .limit(BULK_CHUNK_ROWS),
  },
  {
    name: "passkeys",
    rows: (db, id, after) =>
      db
        .selectFrom("passkey")
        .select([
          "id as at",
          "name",
          "brand",
          "rp_id",
          "transports",
          "backed_up",
          "ts_created",
          "ts_last_used",
          "ts_cloned",
        ])
        .where("account_id", "=", id)
        .where("id", ">", after)
        .orderBy("id")
        .limit(BULK_CHUNK_ROWS),
  },
  {
    name: "pictures",
    rows: (db, id, after) =>
      db
        .selectFrom("picture")
        .select([
          "id as at",
          "id",
          "audience",
          "width",
          "height",
          "nsfw_owner",
          "nsfw_community",
          "harmless_owner",
          "wants_crop",
          "ts_created",
          "ts_updated",
        ])
        // Other values must stay unknown to the owner (social/pictures/known/held.ts).
        .select(sql<number>`${isHiddenByAction("picture")}`.as("hidden_by_staff"))
        .where("profile_id", "=", id)
        // Pictures that open once appear only in their message.
        .where("audience", "<>", "once")
        .where("id", ">", after)
        .orderBy("id")
        .limit(BULK_CHUNK_ROWS),
  },
  {
    name: "voices",
    // Voice messages that open once appear only in their message.
    rows: (db, id, after) =>
      db
        .selectFrom("voice")
        .select(["id as at", "id", "mime", "duration_ms", "message_id", "ts_created"])
        .where("profile_id", "=", id)
        .where("once", "=", 0)
        .where("id", ">", after)
        .orderBy("id")
        .limit(BULK_CHUNK_ROWS),
  },
  {
    name: "voiceIntroduction",
    rows: (db, id, after) =>
      db
        .selectFrom("profile_voice")
        .select(["profile_id as at", "audience", "mime", "duration_ms", "ts_created"])
        .where("profile_id", "=", id)
        .where("profile_id", ">", after)
        .where("removed", "=", 0),
  },
  {
    name: "albumGrants",
    // Omits requests by members not visible now, as the list of grants does.
    rows: (db, id, after, viewerContext) =>
      db
        .selectFrom("album_grant as g")
        .innerJoin("profile as p", "p.id", "g.member_id")
        .select(["g.member_id as at", "g.member_id", "g.state", "g.ts_expires", "g.ts_created"])
        .where("g.owner_id", "=", id)
        .where("g.member_id", ">", after)
        .where((either) => either.or([either("g.state", "=", "granted"), visibleTo(viewerContext)]))
        .orderBy("g.member_id")
        .limit(BULK_CHUNK_ROWS),
  },
  {
    name: "declinedPictures",
    rows: (db, id, after) =>
      db
        .selectFrom("picture_decline")
        .select(sql<number>`sender_id * 2 + broadcast`.as("at"))
        .select(["sender_id", "broadcast", "ts_sent"])
        .where("decliner_id", "=", id)
        .where(sql<boolean>`sender_id * 2 + broadcast > ${after}`)
        .orderBy("at")
        .limit(BULK_CHUNK_ROWS),
  },
  {
    name: "likes",
    rows: (db, id, after) =>
      db
        .selectFrom("profile_like")
        .select(["liked_id as at", "liked_id", "like_type", "ts_created"])
        .where("liker_id", "=", id)
        .where("liked_id", ">", after)
        .orderBy("liked_id")
        .limit(BULK_CHUNK_ROWS),
  },
  {
    name: "pictureLikes",
    rows: (db, id, after) =>
      db
        .selectFrom("picture_like")
        .select(["picture_id as at", "picture_id", "owner_id", "like_type", "ts_created"])
        .where("liker_id", "=", id)
        .where("picture_id", ">", after)
        .orderBy("picture_id")
        .limit(BULK_CHUNK_ROWS),
  },
  {
    name: "notes",
    rows: (db, id, after) =>
      db
        .selectFrom("profile_note")
        .select(["about_id as at", "about_id", "body_text", "private_tags", "ts_updated"])
        .where("author_id", "=", id)
        .where("about_id", ">", after)
        .orderBy("about_id")
        .limit(BULK_CHUNK_ROWS),
  },
  {
    name: "blocks",
    rows: ownBlocks,
  },
  {
    name: "travelStay",
    rows: ownStay,
  },
  {
    name: "trips",
    rows: ownTrips,
  },
  {
    name: "messages",
    rows: (_, id, after, viewerContext, shards) => ({
      execute: async () => (await listOwnMessages(shards, id, after, viewerContext)).map((row) => ({ ...row })),
    }),
  },
  {
    name: "notifications",
    rows: (db, id, after, viewerContext) =>
      db
        .selectFrom("notification as n")
        .select(["n.id as at", "n.kind", "n.brand", "n.body_text", "n.url", "n.ts_created"])
        .where("n.profile_id", "=", id)
        .where("n.id", ">", after)
        .where(isNotificationVisible(viewerContext))
        .orderBy("n.id")
        .limit(BULK_CHUNK_ROWS),
  },
  {
    name: "pushSubscriptions",
    rows: (db, id, after) =>
      db
        .selectFrom("push_subscription")
        .select(["id as at", "device_name", "endpoint", "expiration_time", "brand", "ts_created"])
        .where("profile_id", "=", id)
        .where("id", ">", after)
        .orderBy("id")
        .limit(BULK_CHUNK_ROWS),
  },
  {
    name: "contactMessages",
    rows: (db, id, after) =>
      db
        .selectFrom("contact_message")
        .select(["id as at", "kind", "name", "message", "brand", "ts_created"])
        .where("profile_id", "=", id)
        .where("id", ">", after)
        .orderBy("id")
        .limit(BULK_CHUNK_ROWS),
  },
  {
    name: "reportsFiled",
    rows: (db, id, after) =>
      db
        .selectFrom("report_filing as f")
        .select(["f.id as at", "f.category", "f.source", "f.text", "f.ts_created"])
        .where("f.reporter_id", "=", id)
        .where("f.id", ">", after)
        .orderBy("f.id")
        .limit(BULK_CHUNK_ROWS),
  },
  {
    name: "actionsAgainstYou",
    rows: (db, id, after) =>
      db
        .selectFrom("moderation_action")
        .select([
          "id as at",
          "case_ref",
          "brand",
          "kind",
          "rule",
          "reason",
          "by_jury",
          "picture_id",
          "ts_created",
          "ts_until",
          "ts_lifted",
          "lifted_by",
        ])
        .where("profile_id", "=", id)
        .where("id", ">", after)
        .orderBy("id")
        .limit(BULK_CHUNK_ROWS),
  },
  {
    name: "appeals",
    rows: (db, id, after) =>
      db
        .selectFrom("appeal")
        .select(["report_id as at", "side", "text", "result", "ts_created", "ts_decided"])
        .where("profile_id", "=", id)
        .where("report_id", ">", after)
        .orderBy("report_id")
        .limit(BULK_CHUNK_ROWS),
  },
  {
    name: "juryService",
    rows: (db, id, after) =>
      db
        .selectFrom("juror")
        .select(["jury_id as at", "state", "verdict", "sanction", "reason", "with_majority", "ts_summoned", "ts_voted"])
        .where("profile_id", "=", id)
        .where("jury_id", ">", after)
        .orderBy("jury_id")
        .limit(BULK_CHUNK_ROWS),
  },
  {
    name: "jurorRecord",
    rows: (db, id, after) =>
      db
        .selectFrom("juror_record")
        .select(["profile_id as at", "opted_out", "summoned", "voted", "with_majority", "overturned"])
        .where("profile_id", "=", id)
        .where("profile_id", ">", after),
  },
  {
    name: "pictureNotices",
    rows: (db, id, after) =>
      db
        .selectFrom("notice_picture as h")
        .innerJoin("notice as n", "n.id", "h.notice_id")
        .leftJoin("notice_counter as c", (join) =>
          join.onRef("c.notice_id", "=", "h.notice_id").onRef("c.profile_id", "=", "h.profile_id"),
        )
        .select([
          "h.notice_id as at",
          "h.picture_id",
          "h.state",
          "h.ts_created",
          "n.category",
          "n.reason",
          "n.ts_decided",
        ])
        .select(["c.text as objection", "c.result as objection_result", "c.reason as objection_reason"])
        .where("h.profile_id", "=", id)
        .select(viewKnownToOwner("h").as("ts_viewed"))
        .where(isKnownToOwner("h"))
        .where("h.notice_id", ">", after)
        .orderBy("h.notice_id")
        .limit(BULK_CHUNK_ROWS),
  },
  {
    name: "credits",
    rows: (db, id, after) =>
      db
        .selectFrom("credit_entry")
        .select(["id as at", "amount", "reason", "ts_created"])
        .where("profile_id", "=", id)
        .where("id", ">", after)
        .orderBy("id")
        .limit(BULK_CHUNK_ROWS),
  },
  {
    name: "gameVotes",
    rows: (db, id, after) =>
      db
        .selectFrom("game_vote as v")
        .innerJoin("game_item as i", "i.id", "v.item_id")
        .select(["v.item_id as at", "i.game", "v.answer", "v.ts_created"])
        .where("v.voter_id", "=", id)
        .where("v.item_id", ">", after)
        .orderBy("v.item_id")
        .limit(BULK_CHUNK_ROWS),
  },
  {
    // At most one row a game, so one chunk.
    name: "gameRecords",
    rows: (db, id, after) =>
      db
        .selectFrom("game_record")
        .select(["profile_id as at", "game", "votes", "known", "answers", "streak", "best_streak", "ts_last"])
        .where("profile_id", "=", id)
        .where("profile_id", ">", after),
  },
  {
    // At most one row a brand.
    name: "cooties",
    rows: (db, id, after) =>
      db
        .selectFrom("cooties_player")
        .select(["profile_id as at", "brand", "carrier", "tags", "caught", "ts_caught", "ts_joined"])
        .where("profile_id", "=", id)
        .where("profile_id", ">", after),
  },
  {
    name: "cropSuggestions",
    rows: (db, id, after) =>
      db
        .selectFrom("crop_suggestion")
        .select(["id as at", "picture_id", "x", "y", "width", "height", "state", "ts_created"])
        .where("author_id", "=", id)
        .where("id", ">", after)
        .orderBy("id")
        .limit(BULK_CHUNK_ROWS),
  },
];

/** All rows of a section as they are exported: camelCase, times as ISO 8601. */
export async function* readSection(
  { db, env, brand, shards }: Pick<Context, "db" | "env" | "brand" | "shards">,
  section: ExportSection,
  id: number,
): AsyncGenerator<ExportRow> {
  const viewerContext = { brand, viewer: { profileId: id } };
  for (let after = 0; ; ) {
    const rows = await section.rows(db, id, after, viewerContext, shards).execute();
    for (const row of rows) {
      for (const part of (await section.decrypt?.({ db, env }, id)) ?? [row]) yield toExported(part);
    }
    const last = rows.at(-1)?.at;
    if (rows.length < BULK_CHUNK_ROWS || typeof last !== "number") return;
    after = last;
  }
}

function toExported({ at: _, ...row }: ExportRow): ExportRow {
  const fields = Object.entries(row).flatMap(([column, value]): [string, string | number | null][] => {
    if (column === "published_key") {
      const { lat, lon } = pointOfKey(toCurveKey(Number(value)));
      return [
        ["publishedLat", lat],
        ["publishedLon", lon],
      ];
    }
    const name = column.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
    return [[name, column.startsWith("ts_") && typeof value === "number" ? toIso(value) : value]];
  });
  return Object.fromEntries(fields);
}

export type ExportContext = Pick<Context, "db" | "env" | "brand" | "now" | "shards">;
