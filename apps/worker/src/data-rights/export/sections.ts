/**
 * What an export holds: everything that a member gave us or that is kept about him, each column named here. Not in it: what others
 * keep about him (their likes, notes, blocks, votes), hashes and keys, messages of somebody whom he blocked, and who it is
 * whom he may not see now: messages say no more of him than chat does, and notifications about him wait.
 */
import { BULK_CHUNK_ROWS } from "@lambda/contract/limits";
import { NOBODY } from "@lambda/contract/messages";
import { type RawBuilder, sql } from "kysely";
import { ownBlocks } from "../../members/blocks/queries.ts";
import { notBlockedBy, type Onlooker, tellable, visibleTo } from "../../members/visibility/visibility.ts";
import { pointOfKey } from "../../places/positions/curve.ts";
import { describePlaces } from "../../places/positions/places.ts";
import type { Context } from "../../platform/context.ts";

export type ExportRow = Record<string, string | number | null>;

export interface ExportSection {
  readonly name: string;
  /** The rows behind `after` in the order of their `at` column, at most one chunk of them. */
  readonly rows: (id: number, after: number, onlooker: Onlooker) => RawBuilder<ExportRow>;
  /** What one of its rows stands for, where it cannot be read as it is stored. */
  readonly describe?: (ctx: Pick<Context, "db" | "env">, id: number) => Promise<ExportRow[]>;
}

const most = sql.lit(BULK_CHUNK_ROWS);

export const EXPORT_SECTIONS: readonly ExportSection[] = [
  {
    name: "account",
    rows: (id, after) => sql`
      select id as at, id, name, email, email_pending, home_brand, locale, preferences, acknowledgements, network, ts_sharing_chosen,
             ts_created
      from account where id = ${id} and id > ${after}`,
  },
  {
    name: "profile",
    rows: (id, after) => sql`
      select id as at, id, profile_name, birthdate, height, weight, description, characteristics, pics_public, pics_private,
             status, ts_status_until, hidden, shared_on, credits, ts_seen, ts_updated
      from profile where id = ${id} and id > ${after}`,
  },
  {
    name: "health",
    rows: (id, after) => sql`
      select profile_id as at, hiv_status, prep, doxy_pep, vaccines, last_test, audiences, reminder_months, ts_reminder
      from health_panel where profile_id = ${id} and profile_id > ${after}`,
  },
  {
    name: "position",
    rows: (id, after) => sql`
      select profile_id as at, "use", precision, cell, pending_cell, key as published_key, ts_published, ts_effective_until
      from position where profile_id = ${id} and profile_id > ${after}`,
  },
  {
    name: "places",
    rows: (id, after) => sql`
      select profile_id as at from place_memory where profile_id = ${id} and profile_id > ${after}`,
    describe: describePlaces,
  },
  {
    name: "sessions",
    rows: (id, after) => sql`
      select id as at, device_label, brand, ts_created, ts_last_used, ts_expires
      from session where account_id = ${id} and id > ${after} order by id limit ${most}`,
  },
  {
    name: "pictures",
    rows: (id, after) => sql`
      select id as at, id, audience, width, height, nsfw_owner, nsfw_community, wants_crop, ts_created, ts_updated
      from picture where profile_id = ${id} and id > ${after} order by id limit ${most}`,
  },
  {
    name: "albumGrants",
    // Who asks while he is not visible takes the question with him, as in the list of grants.
    rows: (id, after, onlooker) => sql`
      select g.member_id as at, g.member_id, g.state, g.ts_expires, g.ts_created
      from album_grant g join profile p on p.id = g.member_id
      where g.owner_id = ${id} and g.member_id > ${after} and (g.state = 'granted' or ${visibleTo(onlooker)})
      order by g.member_id limit ${most}`,
  },
  {
    name: "likes",
    rows: (id, after) => sql`
      select liked_id as at, liked_id, like_type, ts_created
      from profile_like where liker_id = ${id} and liked_id > ${after} order by liked_id limit ${most}`,
  },
  {
    name: "pictureLikes",
    rows: (id, after) => sql`
      select picture_id as at, picture_id, owner_id, like_type, ts_created
      from picture_like where liker_id = ${id} and picture_id > ${after} order by picture_id limit ${most}`,
  },
  {
    name: "notes",
    rows: (id, after) => sql`
      select about_id as at, about_id, body_text, private_tags, ts_updated
      from profile_note where author_id = ${id} and about_id > ${after} order by about_id limit ${most}`,
  },
  {
    name: "blocks",
    rows: (id, after) => ownBlocks(id, after, most),
  },
  {
    name: "messages",
    rows: (id, after, onlooker) => sql`
      select * from (
        select m.id as at, m.id, m.sender_id,
               case when m.recipient_id is null or ${shown(onlooker, "recipient_id")} then m.recipient_id else ${NOBODY} end
                 as recipient_id,
               case when m.unsend_due then '' else m.body_text end as body_text, m.picture_ids, m.attachment, m.brand,
               m.ts_created, m.ts_recipient_read, iif(m.unsend_due, m.ts_sender_deleted, m.ts_unsent) as ts_unsent
        from message m where m.sender_id = ${id} and m.id > ${after}
          and (m.ts_sender_deleted is null or m.unsend_due)
        order by m.id limit ${most})
      union all
      select * from (
        select m.id as at, m.id, case when ${shown(onlooker, "sender_id")} then m.sender_id else ${NOBODY} end as sender_id,
               m.recipient_id, m.body_text,
               case when ${shown(onlooker, "sender_id")} then m.picture_ids else '[]' end as picture_ids,
               case when ${shown(onlooker, "sender_id")} then m.attachment end as attachment,
               m.brand, m.ts_created, m.ts_recipient_read, m.ts_unsent
        from message m
        where m.recipient_id = ${id} and m.id > ${after} and m.ts_recipient_deleted is null and m.ts_unsent is null
          and m.sender_id <> ${id}
          and ${notBlockedBy(id, sql.ref("m.sender_id"))}
        order by m.id limit ${most})
      order by at limit ${most}`,
  },
  {
    name: "notifications",
    rows: (id, after, onlooker) => sql`
      select n.id as at, n.kind, n.body_text, n.url, n.ts_created
      from notification n where n.profile_id = ${id} and n.id > ${after} and ${tellable(onlooker)} order by n.id limit ${most}`,
  },
  {
    name: "pushSubscriptions",
    rows: (id, after) => sql`
      select id as at, device_name, endpoint, expiration_time, brand, ts_created
      from push_subscription where profile_id = ${id} and id > ${after} order by id limit ${most}`,
  },
  {
    name: "contactMessages",
    rows: (id, after) => sql`
      select id as at, kind, name, message, brand, ts_created
      from contact_message where profile_id = ${id} and id > ${after} order by id limit ${most}`,
  },
  {
    name: "reportsFiled",
    rows: (id, after) => sql`
      select f.id as at, f.category, f.source, f.text, f.ts_created
      from report_filing f
      where f.reporter_id = ${id} and f.id > ${after} order by f.id limit ${most}`,
  },
  {
    name: "actionsAgainstYou",
    rows: (id, after) => sql`
      select id as at, case_ref, kind, rule, reason, by_jury, picture_id, ts_created, ts_until, ts_lifted, lifted_by
      from moderation_action where profile_id = ${id} and id > ${after} order by id limit ${most}`,
  },
  {
    name: "appeals",
    rows: (id, after) => sql`
      select report_id as at, side, text, result, ts_created, ts_decided
      from appeal where profile_id = ${id} and report_id > ${after} order by report_id limit ${most}`,
  },
  {
    name: "juryService",
    rows: (id, after) => sql`
      select jury_id as at, state, verdict, sanction, reason, ts_summoned, ts_voted
      from juror where profile_id = ${id} and jury_id > ${after} order by jury_id limit ${most}`,
  },
  {
    name: "credits",
    rows: (id, after) => sql`
      select id as at, amount, reason, ts_created
      from credit_entry where profile_id = ${id} and id > ${after} order by id limit ${most}`,
  },
  {
    name: "gameVotes",
    rows: (id, after) => sql`
      select v.item_id as at, i.game, v.answer, v.ts_created
      from game_vote v join game_item i on i.id = v.item_id
      where v.voter_id = ${id} and v.item_id > ${after} order by v.item_id limit ${most}`,
  },
  {
    name: "cropSuggestions",
    rows: (id, after) => sql`
      select id as at, picture_id, x, y, width, height, state, ts_created
      from crop_suggestion where author_id = ${id} and id > ${after} order by id limit ${most}`,
  },
];

/** Whether a side of `message m` may be seen by him whose export it is. */
function shown(onlooker: Onlooker, side: "sender_id" | "recipient_id"): RawBuilder<boolean> {
  return sql`exists (select 1 from profile p where p.id = ${sql.ref(`m.${side}`)} and ${visibleTo(onlooker)})`;
}

/** All rows of a section, chunk by chunk, as they go into the file: camelCase, times as ISO 8601. */
export async function* readSection(
  { db, env, brand }: Pick<Context, "db" | "env" | "brand">,
  section: ExportSection,
  id: number,
): AsyncGenerator<ExportRow> {
  const onlooker = { brand, viewer: { profileId: id } };
  for (let after = 0; ; ) {
    const { rows } = await section.rows(id, after, onlooker).execute(db);
    for (const row of rows) {
      for (const part of (await section.describe?.({ db, env }, id)) ?? [row]) yield toExported(part);
    }
    const last = rows.at(-1)?.at;
    if (rows.length < BULK_CHUNK_ROWS || typeof last !== "number") return;
    after = last;
  }
}

function toExported({ at: _, ...row }: ExportRow): ExportRow {
  const fields = Object.entries(row).flatMap(([column, value]): [string, string | number | null][] => {
    if (column === "published_key") {
      const { lat, lon } = pointOfKey(Number(value));
      return [
        ["publishedLat", lat],
        ["publishedLon", lon],
      ];
    }
    const name = column.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
    return [[name, column.startsWith("ts_") && typeof value === "number" ? new Date(value).toISOString() : value]];
  });
  return Object.fromEntries(fields);
}

export type ExportContext = Pick<Context, "db" | "env" | "brand" | "now">;
