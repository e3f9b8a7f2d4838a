/**
 * The sections of an export, with an explicit list of the columns about the member. Excluded are others' notes about them, hashes and keys,
 * messages of members they blocked, and the identities of members not visible to them now.
 */

import { BULK_CHUNK_ROWS } from "@lambda/contract/limits";
import { PROFILE_TEXTS } from "@lambda/contract/profiles";
import { pointOfKey, toCurveKey } from "@lambda/geo/curve";
import { type AliasedExpression, type RawBuilder, sql } from "kysely";
import { listOwnMessages } from "../../messaging/messages/member-messages.ts";
import { isKnownToOwner, viewKnownToOwner } from "../../moderation/notices/own-notices.ts";
import { ownAlbum } from "../../pictures/album-order.ts";
import { isHiddenByAction } from "../../pictures/hidden.ts";
import { listPlacesForExport } from "../../places/positions/places.ts";
import { ownStay, ownTrips } from "../../places/travel/export-queries.ts";
import type { Context } from "../../platform/context.ts";
import type { Database } from "../../platform/db/database.ts";
import type { Shards } from "../../platform/db/shards.ts";
import type { Tables } from "../../platform/db/tables.ts";
import { toIso } from "../../platform/iso-time.ts";
import { ownBlocks } from "../../visibility/blocks/queries.ts";
import { isNotificationVisible, type ViewerContext, visibleTo } from "../../visibility/visibility.ts";

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

/**
 * The rows of one table that belong to a member, by the column of the member's id and the one that orders them.
 * @param columns separated by spaces
 */
function ownRows<T extends keyof Tables & string>(
  table: T,
  owner: keyof Tables[T] & string,
  order: keyof Tables[T] & string,
  columns: string,
  { select = [], where }: { select?: AliasedExpression<unknown, string>[]; where?: RawBuilder<unknown> } = {},
): ExportSection["rows"] {
  const selected = columns.split(" ").filter((column) => column !== "");
  return (db, id, after) => {
    const rows = db
      .selectFrom(sql.table(table).as(table))
      .select([sql.ref(order).as("at"), ...selected.map((column) => sql.ref(column).as(column)), ...select])
      .where(sql.ref(owner), "=", id)
      .where(sql.ref(order), ">", after)
      .orderBy(sql.ref(order))
      .limit(BULK_CHUNK_ROWS)
      .$castTo<ExportRow>();
    return where ? rows.where(sql<boolean>`${where}`) : rows;
  };
}

export const EXPORT_SECTIONS: readonly ExportSection[] = [
  {
    name: "account",
    rows: ownRows(
      "account",
      "id",
      "id",
      "id name email email_pending home_brand locale preferences acknowledgements network ts_sharing_chosen ts_created",
    ),
  },
  {
    name: "profile",
    rows: ownRows(
      "profile",
      "id",
      "id",
      `id profile_name birthdate ${PROFILE_TEXTS.join(" ")} characteristics status ts_status_until hidden credits ts_seen ts_updated`,
      {
        select: [
          sql`${sql.ref("shared_on")} | ${sql.ref("discreet_on")}`.as("shared_on"),
          sql`${sql.ref("discreet_on")} <> 0`.as("discreet"),
          ownAlbum("pics_public").as("pics_public"),
          ownAlbum("pics_private").as("pics_private"),
        ],
      },
    ),
  },
  { name: "ageProof", rows: ownRows("age_proof", "account_id", "account_id", "method day policy") },
  {
    name: "lockdown",
    rows: ownRows("lockdown", "account_id", "account_id", "ts_until ts_words", {
      select: [sql`words_hash is not null`.as("recovery_words")],
    }),
  },
  { name: "lockdownSignals", rows: ownRows("lockdown_signal", "account_id", "id", "hours device_label ts_created") },
  {
    name: "health",
    rows: ownRows(
      "health_panel",
      "profile_id",
      "profile_id",
      "hiv_status prep doxy_pep vaccines last_test audiences reminder_months ts_reminder",
    ),
  },
  {
    name: "position",
    rows: ownRows(
      "position",
      "profile_id",
      "profile_id",
      "use precision cell pending_cell key as published_key ts_published ts_effective_until",
    ),
  },
  { name: "places", rows: ownRows("place_memory", "profile_id", "profile_id", ""), decrypt: listPlacesForExport },
  {
    name: "sessions",
    rows: ownRows("session", "account_id", "id", "device_label brand remember ts_created ts_last_used ts_expires"),
  },
  {
    name: "passkeys",
    rows: ownRows(
      "passkey",
      "account_id",
      "id",
      "name brand rp_id transports backed_up ts_created ts_last_used ts_cloned",
    ),
  },
  {
    name: "pictures",
    rows: ownRows(
      "picture",
      "profile_id",
      "id",
      "id audience width height nsfw_owner nsfw_community harmless_owner wants_crop ts_created ts_updated",
      {
        // Other values must stay unknown to the owner (pictures/known/held.ts).
        select: [isHiddenByAction("picture").as("hidden_by_staff")],
        // Pictures that open once appear only in their message.
        where: sql`audience <> 'once'`,
      },
    ),
  },
  {
    name: "voices",
    rows: ownRows("voice", "profile_id", "id", "id mime duration_ms message_id ts_created", {
      // Voice messages that open once appear only in their message.
      where: sql`once = 0`,
    }),
  },
  {
    name: "voiceIntroduction",
    rows: ownRows("profile_voice", "profile_id", "profile_id", "audience mime duration_ms ts_created", {
      where: sql`removed = 0`,
    }),
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
  { name: "met", rows: ownRows("met", "author_id", "about_id", "about_id ts_said") },
  {
    name: "metShown",
    // A zero would tell that somebody said it.
    rows: ownRows("met_shown", "profile_id", "profile_id", "shown", {
      where: sql`viewer_id = profile_id and shown > 0`,
    }),
  },
  {
    name: "personCheck",
    // Stills exist only until the verdict, and the answers of judges are about a member whom they do not know.
    rows: ownRows(
      "person_check",
      "profile_id",
      "profile_id",
      "state pose refusals even_here ts_started ts_decided ts_checked",
    ),
  },
  { name: "tonight", rows: ownRows("tonight", "profile_id", "profile_id", "wishes ts_until") },
  { name: "likes", rows: ownRows("profile_like", "liker_id", "liked_id", "liked_id like_type ts_created") },
  {
    name: "pictureLikes",
    rows: ownRows("picture_like", "liker_id", "picture_id", "picture_id owner_id like_type ts_created"),
  },
  {
    name: "notes",
    rows: ownRows("profile_note", "author_id", "about_id", "about_id body_text private_tags ts_updated"),
  },
  { name: "blocks", rows: ownBlocks },
  { name: "travelStay", rows: ownStay },
  { name: "trips", rows: ownTrips },
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
        .select(["n.id as at", "n.kind", "n.brand", "n.body_text", "n.body_es", "n.url", "n.ts_created"])
        .where("n.profile_id", "=", id)
        .where("n.id", ">", after)
        .where(isNotificationVisible(viewerContext))
        .orderBy("n.id")
        .limit(BULK_CHUNK_ROWS),
  },
  {
    name: "pushSubscriptions",
    rows: ownRows("push_subscription", "profile_id", "id", "device_name endpoint expiration_time brand ts_created"),
  },
  {
    name: "contactMessages",
    rows: ownRows("contact_message", "profile_id", "id", "kind name message brand ts_created"),
  },
  {
    name: "reportsFiled",
    rows: (db, id, after) =>
      db
        .selectFrom("report_filing as f")
        .select(["f.id as at", "f.category", "f.source", "f.text", "f.ts_created", "f.receipt"])
        .where("f.reporter_id", "=", id)
        .where("f.id", ">", after)
        .orderBy("f.id")
        .limit(BULK_CHUNK_ROWS),
  },
  {
    name: "actionsAgainstYou",
    rows: ownRows(
      "moderation_action",
      "profile_id",
      "id",
      "case_ref brand kind rule reason by_jury picture_id ts_created ts_until ts_lifted lifted_by",
    ),
  },
  { name: "appeals", rows: ownRows("appeal", "profile_id", "report_id", "side text result ts_created ts_decided") },
  {
    name: "juryService",
    rows: ownRows("juror", "profile_id", "jury_id", "state verdict sanction reason with_majority ts_summoned ts_voted"),
  },
  {
    name: "jurorRecord",
    rows: ownRows("juror_record", "profile_id", "profile_id", "opted_out summoned voted with_majority overturned"),
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
  { name: "credits", rows: ownRows("credit_entry", "profile_id", "id", "amount reason ts_created") },
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
    rows: ownRows("game_record", "profile_id", "profile_id", "game votes known answers streak best_streak ts_last"),
  },
  {
    // At most one row a brand.
    name: "cooties",
    rows: ownRows("cooties_player", "profile_id", "profile_id", "brand carrier tags caught ts_caught ts_joined"),
  },
  {
    name: "cropSuggestions",
    rows: ownRows("crop_suggestion", "author_id", "id", "picture_id x y width height state ts_created"),
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
