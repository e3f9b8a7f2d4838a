/**
 * The sections of an export, with an explicit list of the columns about the member. Excluded are others' notes about them, hashes and keys,
 * messages of members they blocked, and the identities of members not visible to them now.
 */

import { BULK_CHUNK_ROWS } from "@lambda/contract/limits";
import { PROFILE_TEXTS } from "@lambda/contract/profile-texts";
import { pointOfKey, toCurveKey } from "@lambda/geo/curve";
import { type AliasedExpression, type RawBuilder, sql } from "kysely";
import { listOwnMessages } from "../../messaging/messages/member-messages.ts";
import { isKnownToOwner, viewKnownToOwner } from "../../moderation/notices/own-notices.ts";
import { ownAlbum } from "../../pictures/album-order.ts";
import { isHiddenByAction } from "../../pictures/hidden.ts";
import { listPlacesForExport } from "../../places/positions/places.ts";
import type { Context } from "../../platform/context.ts";
import type { Tables } from "../../platform/db/tables.ts";
import { toIso } from "../../platform/iso-time.ts";
import { ownBlocks } from "../../visibility/blocks/queries.ts";
import { isNotificationVisible, type ViewerContext, visibleTo } from "../../visibility/visibility.ts";

export type ExportContext = Pick<Context, "db" | "env" | "brand" | "now" | "messageDatabases"> & ViewerContext;
export type ExportRow = Record<string, string | number | null>;

/** The next chunk of the viewer's rows, those with an `at` column greater than `after`, in that order. */
export type ExportSection = (ctx: ExportContext, after: number) => { execute(): Promise<ExportRow[]> };

/**
 * The rows of one table that belong to a member, by the column of the member's id and the one that orders them.
 * @param columns separated by spaces, as `column` or `column:name`
 * @param as the alias under which `where` knows the table
 */
function ownRows<T extends keyof Tables & string>(
  table: T,
  owner: keyof Tables[T] & string,
  order: keyof Tables[T] & string,
  columns: string,
  options: {
    select?: AliasedExpression<unknown, string>[];
    where?: (ctx: ViewerContext) => RawBuilder<boolean>;
    as?: string;
  } = {},
): ExportSection {
  const { select = [], where = () => sql<boolean>`true`, as = table } = options;
  const selected = columns.split(" ").map((column) => {
    const [stored = "", name = stored] = column.split(":");
    return sql.ref(stored).as(name);
  });
  return (ctx, after) =>
    ctx.db
      .selectFrom(sql.table(table).as(as))
      .select([sql.ref(order).as("at"), ...selected, ...select])
      .where(sql.ref(owner), "=", ctx.viewer.profileId)
      .where(sql.ref(order), ">", after)
      .where(where(ctx))
      .orderBy(sql.ref(order))
      .limit(BULK_CHUNK_ROWS)
      .$castTo<ExportRow>();
}

/** A day since 1970 as a date. */
const dateOf = (column: string) => sql`date(${sql.ref(column)} * 86400, 'unixepoch')`.as(column);

export const EXPORT_SECTIONS = {
  account: ownRows(
    "account",
    "id",
    "id",
    "id name email email_pending home_brand locale preferences acknowledgements network ts_sharing_chosen ts_created ts_exported",
  ),
  profile: ownRows(
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
  ageProof: ownRows("age_proof", "account_id", "account_id", "method day policy"),
  lockdown: ownRows("lockdown", "account_id", "account_id", "ts_until ts_words", {
    select: [sql`words_hash is not null`.as("recovery_words")],
  }),
  lockdownSignals: ownRows("lockdown_signal", "account_id", "id", "hours device_label ts_created"),
  health: ownRows(
    "health_panel",
    "profile_id",
    "profile_id",
    "hiv_status prep doxy_pep vaccines last_test audiences reminder_months ts_reminder",
  ),
  position: ownRows(
    "position",
    "profile_id",
    "profile_id",
    "use precision cell pending_cell key:published_key ts_published ts_effective_until",
  ),
  // Stored encrypted, in one row.
  places: (ctx) => ({ execute: () => listPlacesForExport(ctx, ctx.viewer.profileId) }),
  sessions: ownRows(
    "session",
    "account_id",
    "id",
    "device_label brand remember ts_created ts_last_used ts_expires ts_push_removed",
  ),
  passkeys: ownRows(
    "passkey",
    "account_id",
    "id",
    "name brand rp_id transports backed_up ts_created ts_last_used ts_cloned",
  ),
  pictures: ownRows(
    "picture",
    "profile_id",
    "id",
    "id audience width height nsfw_owner nsfw_community harmless_owner wants_crop ts_created ts_updated",
    {
      // Other values must stay unknown to the owner (pictures/known/held.ts).
      select: [isHiddenByAction("picture").as("hidden_by_staff")],
      // Pictures that open once appear only in their message.
      where: () => sql`audience <> 'once'`,
    },
  ),
  // Voice messages that open once appear only in their message.
  voices: ownRows("voice", "profile_id", "id", "id mime duration_ms message_id ts_created", {
    where: () => sql`once = 0`,
  }),
  voiceIntroduction: ownRows("profile_voice", "profile_id", "profile_id", "audience mime duration_ms ts_created", {
    where: () => sql`removed = 0`,
  }),
  // Omits requests by members not visible now, as the list of grants does.
  albumGrants: (ctx, after) =>
    ctx.db
      .selectFrom("album_grant as g")
      .innerJoin("profile as p", "p.id", "g.member_id")
      .select(["g.member_id as at", "g.member_id", "g.state", "g.ts_expires", "g.ts_created"])
      .where("g.owner_id", "=", ctx.viewer.profileId)
      .where("g.member_id", ">", after)
      .where((either) => either.or([either("g.state", "=", "granted"), visibleTo(ctx)]))
      .orderBy("g.member_id")
      .limit(BULK_CHUNK_ROWS),
  declinedPictures: ({ db, viewer }, after) =>
    db
      .selectFrom("picture_decline")
      .select(sql<number>`sender_id * 2 + broadcast`.as("at"))
      .select(["sender_id", "broadcast", "ts_sent"])
      .where("decliner_id", "=", viewer.profileId)
      .where(sql<boolean>`sender_id * 2 + broadcast > ${after}`)
      .orderBy("at")
      .limit(BULK_CHUNK_ROWS),
  met: ownRows("met", "author_id", "about_id", "about_id ts_said"),
  // A zero would tell that somebody said it.
  metShown: ownRows("met_shown", "profile_id", "profile_id", "shown", {
    where: () => sql`viewer_id = profile_id and shown > 0`,
  }),
  // Stills exist only until the verdict, and the answers of judges are about a member whom they do not know.
  personCheck: ownRows(
    "person_check",
    "profile_id",
    "profile_id",
    "state pose refusals even_here ts_started ts_decided ts_checked",
  ),
  tonight: ownRows("tonight", "profile_id", "profile_id", "wishes ts_until"),
  likes: ownRows("profile_like", "liker_id", "liked_id", "liked_id like_type ts_created"),
  pictureLikes: ownRows("picture_like", "liker_id", "picture_id", "picture_id owner_id like_type ts_created"),
  notes: ownRows("profile_note", "author_id", "about_id", "about_id body_text private_tags ts_updated"),
  blocks: ({ db, viewer }, after) => ownBlocks(db, viewer.profileId, after),
  travelStay: ownRows(
    "travel_stay",
    "profile_id",
    "profile_id",
    "country shown hid_member:hid pictures_withdrawn:withdrawn muted chosen ts_seen ts_left seen_by_device ts_elsewhere",
  ),
  // The place in the member's words, with its cell and the cell's published key.
  trips: ownRows("trip", "profile_id", "id", "id name country shown cell key", {
    select: [dateOf("day_from"), dateOf("day_to")],
  }),
  messages: (ctx, after) => ({
    execute: async () =>
      (await listOwnMessages(ctx.messageDatabases, ctx.viewer.profileId, after, ctx)).map((row) => ({ ...row })),
  }),
  notifications: ownRows("notification", "profile_id", "id", "kind brand body_text body_es url ts_created", {
    where: isNotificationVisible,
    as: "n",
  }),
  pushSubscriptions: ownRows(
    "push_subscription",
    "profile_id",
    "id",
    "device_name endpoint expiration_time brand ts_created",
  ),
  contactMessages: ownRows("contact_message", "profile_id", "id", "kind name message brand ts_created"),
  reportsFiled: ownRows("report_filing", "reporter_id", "id", "category source text ts_created receipt"),
  actionsAgainstYou: ownRows(
    "moderation_action",
    "profile_id",
    "id",
    "case_ref brand kind rule reason by_jury picture_id ts_created ts_until ts_lifted lifted_by",
  ),
  appeals: ownRows("appeal", "profile_id", "report_id", "side text result ts_created ts_decided"),
  juryService: ownRows(
    "juror",
    "profile_id",
    "jury_id",
    "state verdict sanction reason with_majority ts_summoned ts_voted",
  ),
  jurorRecord: ownRows("juror_record", "profile_id", "profile_id", "opted_out summoned voted with_majority overturned"),
  pictureNotices: ({ db, viewer }, after) =>
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
      .select(viewKnownToOwner().as("ts_viewed"))
      .where("h.profile_id", "=", viewer.profileId)
      .where(isKnownToOwner())
      .where("h.notice_id", ">", after)
      .orderBy("h.notice_id")
      .limit(BULK_CHUNK_ROWS),
  credits: ownRows("credit_entry", "profile_id", "id", "amount reason ts_created"),
  gameVotes: ({ db, viewer }, after) =>
    db
      .selectFrom("game_vote as v")
      .innerJoin("game_item as i", "i.id", "v.item_id")
      .select(["v.item_id as at", "i.game", "v.answer", "v.ts_created"])
      .where("v.voter_id", "=", viewer.profileId)
      .where("v.item_id", ">", after)
      .orderBy("v.item_id")
      .limit(BULK_CHUNK_ROWS),
  // At most one row a game, so one chunk.
  gameRecords: ownRows(
    "game_record",
    "profile_id",
    "profile_id",
    "game votes known answers streak best_streak ts_last",
  ),
  // At most one row a brand.
  cooties: ownRows("cooties_player", "profile_id", "profile_id", "brand carrier tags caught ts_caught ts_joined"),
  cropSuggestions: ownRows("crop_suggestion", "author_id", "id", "picture_id x y width height state ts_created"),
} satisfies Record<string, ExportSection>;

export type SectionName = keyof typeof EXPORT_SECTIONS;
export const SECTION_NAMES = Object.keys(EXPORT_SECTIONS) as SectionName[];

/** All rows of a section as they are exported: camelCase, times as ISO 8601. */
export async function* readSection(ctx: ExportContext, name: SectionName): AsyncGenerator<ExportRow> {
  const section: ExportSection = EXPORT_SECTIONS[name];
  for (let after = 0; ; ) {
    const rows = await section(ctx, after).execute();
    yield* rows.map(toExported);
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
