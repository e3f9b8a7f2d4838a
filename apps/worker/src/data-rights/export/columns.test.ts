/** The export contains each column about a member, or this file says why not. */
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { getBrand } from "@lambda/brands";
import { ROOT } from "@lambda/testing/site";
import { expect, it } from "vitest";
import { openDatabase } from "../../platform/db/database.ts";
import type { MessageDatabases } from "../../platform/db/message-databases.ts";
import { EXPORT_SECTIONS, type ExportContext, type ExportSection } from "./sections.ts";

/** Columns that hold a member's id, with or without a reference. */
const MEMBER_ID =
  /^((profile|account|owner|author|liker|voter|reporter|sender|recipient|member|decliner|subject|reader)_id)$/;

/** Tables that are left out as a whole. */
const TABLES_LEFT_OUT: Record<string, string> = {
  age_request: "a proof of age under way, for minutes",
  audit_private: "the members behind entries of the audit log; their own actions and appeals are exported",
  ban_match: "an unfinished comparison with banned members",
  conversation: "derived from the messages",
  disclosure: "what the end of all sessions would take back; albums, blocks and settings are exported",
  drawable_member: "derived from the profile, for drawing members at random",
  evidence: "frozen for a case; the subject reads it with the action against them",
  evidence_filer: "which evidence came with a report; reports are exported",
  exposure_notice: "health notices that wait so that nobody learns who sent them; then they are notifications",
  exposure_recipient: "the day of the last health notice, so that nobody gets more than one a month",
  game_item: "what others vote on: texts and pictures that are exported with the profile and the pictures",
  game_pack: "the items of a day's game",
  identify_round: "the current round of a game",
  known_picture_match: "an unfinished comparison with removed pictures",
  legal_hold_request: "what admins asked for",
  login_code: "secrets of a login under way",
  message_picture: "who may see the pictures of a message, which is exported",
  notice: "filed by somebody who need not be a member; its effects on pictures are exported with them",
  picture_exemption: "keyed hashes of pictures that staff found to be no copies",
  opening_step: "which admin ticked what the law asks before the brand opened",
  once_view: "what opens once and then is deleted",
  person_check_seat: "who compares whom, until the verdict",
  presence: "derived from profile and position, for searches",
  report: "the cases that reports belong to; reports and actions are exported",
  shown_to: "derived from likes, messages and album grants, for searches",
  stored_bytes: "derived from notes and pictures",
  unsend_cursor: "how far the schedule looked through what waits to be unsent",
};

/** Hashes, keys and secrets. */
const SECRET =
  /(_hash|^hash|_key|_base64|^mark|^sealed|^lattice_seed|^lattices|^passkey_handle|^credential_id|^attestation_hash)$/;

/** Single columns that are left out, by table: ids and versions of rows, sizes, random orders, previews, and what else is noted. */
const COLUMNS_LEFT_OUT: Record<string, string> = {
  account: "admin_brand is_test mailbox ts_deleted",
  // Whether a word of the other hid the message that opened it is the other's.
  album_grant: "owner_id was_requested withheld",
  appeal: "jury_id profile_id",
  // Who else blocked whom is the other's.
  block: "blocked_by_profile blocked_by_other profile_id",
  contact_message: "ts_done",
  // Who tagged a player is another member.
  cooties_player: "from_id random_order square",
  credit_entry: "ref",
  crop_suggestion: "author_id owner_id version",
  // How the defense against manipulated votes judges a player would tell how to get around it.
  game_record: "collusion proven too_fast",
  game_vote: "weight",
  lockdown_signal: "session_id",
  message: "client_id filtered flagged high_id low_id sector ts_delivered unsend_due unsynced_version upload_id",
  met: "author_id pictures",
  // Another number for a single viewer tells that the viewer said it too.
  met_shown: "picture profile_id ts_next viewer_id",
  moderation_action: "report_id",
  notice_picture: "alike hidden_immediately sealed_print version was_public",
  notification: "about_id",
  passkey: "counter",
  picture: "bytes client_id placeholder preview profile_id version",
  // What players compare, and how many poses were drawn today: kept for hours, or against forgers.
  person_check: "answers_needed compared key poses stills ts_due",
  position: "session",
  // That staff restrict an account is what its owner asked for.
  profile: "drawn_as few_on listed_on name_skeleton own_hidden random_order",
  profile_like: "mutual",
  profile_note: "bytes",
  profile_voice: "bytes id peaks removed",
  push_subscription: "session_id",
  report_filing: "credibility filer report_id",
  session: "ts_proved",
  voice: "bytes client_id once peaks ts_due",
};

const queries: string[] = [];
const statement = { bind: () => statement, all: async () => ({ results: [], success: true, meta: {} }) };
const recordingD1 = {
  prepare: (query: string) => {
    queries.push(query);
    return statement;
  },
} as unknown as D1Database;

/** What a query selects: its text up to the FROM that is in no parentheses, or all of it if it reads from a subquery. */
function selection(query: string): string {
  let depth = 0;
  for (let at = 0; at < query.length; at += 1) {
    if (query[at] === "(") depth += 1;
    if (query[at] === ")") depth -= 1;
    if (depth === 0 && query.startsWith(" from ", at))
      return query.startsWith(" from (", at) ? query : query.slice(0, at);
  }
  return query;
}

it("exports every column about a member that is not left out for a reason", async () => {
  const db = openDatabase(recordingD1);
  const messageDatabases = { numbers: [], open: () => ({ db, d1: recordingD1 }) } as unknown as MessageDatabases;
  const ctx = { db, messageDatabases, brand: getBrand("ember"), viewer: { profileId: 1 }, now: 1 } as ExportContext;
  // Places are one encrypted row, whose columns say nothing.
  const { places: _, ...sections } = EXPORT_SECTIONS;
  for (const section of Object.values<ExportSection>(sections)) await section(ctx, 0).execute();

  const sqlite = new DatabaseSync(":memory:");
  sqlite.exec(readFileSync(`${ROOT}schema.sql`, "utf8"));
  const columns = sqlite
    .prepare(
      "select m.name as tableName, c.name as column from sqlite_schema m, pragma_table_xinfo(m.name) c where m.type = 'table' and m.name not like 'sqlite_%'",
    )
    .all() as { tableName: string; column: string }[];
  const ofMembers = new Set(columns.filter(({ column }) => MEMBER_ID.test(column)).map(({ tableName }) => tableName));
  const references = sqlite
    .prepare(
      "select m.name as tableName from sqlite_schema m, pragma_foreign_key_list(m.name) f where m.type = 'table' and f.\"table\" in ('account', 'profile')",
    )
    .all() as { tableName: string }[];
  for (const { tableName } of references) ofMembers.add(tableName);
  for (const table of ["account", "profile"]) ofMembers.add(table);
  const exported = (table: string) =>
    queries
      .filter((query) => query.includes(`"${table}"`))
      .map(selection)
      .join("\n");
  const missing = columns
    .filter(({ tableName }) => ofMembers.has(tableName) && !(tableName in TABLES_LEFT_OUT))
    .filter(({ tableName, column }) => !exported(tableName).includes(`"${column}"`))
    .filter(({ column }) => !SECRET.test(column) && !MEMBER_ID.test(column))
    .filter(({ tableName, column }) => !(COLUMNS_LEFT_OUT[tableName] ?? "").split(" ").includes(column))
    .map(({ tableName, column }) => `${tableName}.${column}`);
  expect(missing).toEqual([]);
  for (const table of Object.keys(TABLES_LEFT_OUT)) expect(ofMembers).toContain(table);
});
