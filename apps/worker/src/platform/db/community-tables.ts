import type { StaffReason } from "@lambda/contract/admin";
import type { Generated, Selectable } from "kysely";

/** Row types of schema.sql's sections on reports, moderation, games and health notices, kept in its order. */

type Flag = 0 | 1;
export type Verdict = "violation" | "no_violation";
export type JurySanction = "warn" | "hide_picture" | "suspend_3" | "suspend_7" | "suspend_30";

export interface ReportTable {
  id: Generated<number>;
  case_ref: string;
  brand: string;
  subject_id: number;
  source: "profile" | "message" | "picture" | "broadcast";
  source_id: number;
  category: string;
  severity: number;
  staff_only: Generated<Flag>;
  staff_reason: StaffReason | null;
  credibility: Generated<number>;
  priority: Generated<number>;
  filings: Generated<number>;
  state: "staff" | "jury" | "decided";
  outcome: "none" | "warn" | "hide_picture" | "suspend" | "ban" | null;
  ts_created: number;
  ts_decided: number | null;
}

export interface ReportFilingTable {
  id: Generated<number>;
  report_id: number;
  reporter_id: number | null;
  category: string;
  source: ReportTable["source"];
  text: string;
  credibility: number;
  ts_created: number;
}

export interface EvidenceTable {
  id: Generated<number>;
  report_id: number;
  author_id: number;
  kind: "profile" | "message" | "picture";
  source_id: number;
  body: string;
  r2_key: string | null;
  staff_only: Generated<Flag>;
  ts_source: number;
}

export interface JuryTable {
  id: Generated<number>;
  report_id: number;
  round: number;
  state: "open" | "decided";
  verdict: Verdict | null;
  sanction: JurySanction | null;
  pool: Generated<number>;
  ts_opened: number;
  ts_decided: number | null;
}

export interface JurorTable {
  jury_id: number;
  profile_id: number;
  state: "summoned" | "voted" | "excused";
  verdict: Verdict | null;
  sanction: JurySanction | null;
  reason: Generated<string>;
  with_majority: Flag | null;
  ts_summoned: number;
  ts_voted: number | null;
}

export interface JurorRecordTable {
  profile_id: number;
  opted_out: Generated<Flag>;
  summoned: Generated<number>;
  voted: Generated<number>;
  with_majority: Generated<number>;
  overturned: Generated<number>;
}

export interface ModerationActionTable {
  id: Generated<number>;
  profile_id: number;
  report_id: number | null;
  case_ref: string;
  brand: string;
  kind: "warn" | "hide_picture" | "suspend" | "ban";
  picture_id: number | null;
  rule: string;
  reason: string;
  by_jury: Flag;
  ts_created: number;
  ts_until: number | null;
  ts_lifted: number | null;
  lifted_by: "time" | "appeal" | "staff" | null;
}
export type ModerationActionRow = Selectable<ModerationActionTable>;

export interface AppealTable {
  report_id: number;
  side: "subject" | "reporter";
  profile_id: number;
  text: string;
  jury_id: number | null;
  result: "upheld" | "reversed" | null;
  ts_created: number;
  ts_decided: number | null;
}

export interface PrecedentTable {
  report_id: number;
  brand: string;
  category: string;
  outcome: string;
  summary: string;
  ts_decided: number;
}

export interface AuditEntryTable {
  seq: number;
  ts: number;
  brand: string;
  action: string;
  case_ref: string | null;
  body: string;
  previous_hash: string;
  hash: string;
}
export type AuditEntryRow = Selectable<AuditEntryTable>;

export interface AuditPrivateTable {
  seq: number;
  subject_id: number | null;
  actor_id: number | null;
  salt: string;
  details: string;
}

export interface PublicEntryTable {
  seq: number;
  entry_seq: number | null;
  brand: string;
  action: string;
  case_ref: string | null;
  body: string;
  previous_hash: string;
  hash: string;
}
export type PublicEntryRow = Selectable<PublicEntryTable>;

export interface AuditDayTable {
  day: number;
  salt: string;
  cases: string;
  opened: Generated<Flag>;
}

export interface MemberCountTable {
  brand: number;
  members: number;
}

export interface CreditEntryTable {
  id: Generated<number>;
  profile_id: number;
  amount: number;
  reason: "rating" | "buster" | "identify" | "cooties" | "crop" | "jury";
  ref: string;
  ts_created: number;
}

export interface GameItemTable {
  id: Generated<number>;
  game: "rating" | "buster";
  picture_id: number | null;
  subject_id: number | null;
  version: number;
  body: Generated<string>;
  known: string | null;
  answer: string | null;
  share: Generated<number>;
  votes: Generated<number>;
  tally: Generated<string>;
  by_staff: Generated<Flag>;
  staff_why: "divided" | "thin" | "doubted" | "owner" | null;
  ts_staff: number | null;
  ts_look: number | null;
  ts_created: number;
  ts_decided: number | null;
}

export interface GameVoteTable {
  item_id: number;
  voter_id: number;
  answer: string;
  weight: number;
  ts_created: number;
}

export interface GamePackTable {
  profile_id: number;
  game: "rating" | "buster";
  day: number;
  items: string;
  handed: Generated<number>;
  handed_known: Generated<number>;
}

export interface GamePoolTable {
  game: "rating" | "buster";
  voters: number;
}

export interface GameRecordTable {
  profile_id: number;
  game: "rating" | "buster" | "identify";
  votes: Generated<number>;
  known: Generated<string>;
  answers: Generated<string>;
  too_fast: Generated<number>;
  proven: Generated<Flag>;
  ring: Generated<number>;
  streak: Generated<number>;
  best_streak: Generated<number>;
  ts_last: Generated<number>;
}

export interface IdentifyRoundTable {
  profile_id: number;
  answer_id: number;
  picture_id: number;
  options: string;
  ts_created: number;
}

export interface CropSuggestionTable {
  id: Generated<number>;
  picture_id: number;
  version: number;
  owner_id: number;
  author_id: number;
  x: number;
  y: number;
  width: number;
  height: number;
  state: Generated<"open" | "applied" | "declined">;
  ts_created: number;
}

export interface CootiesPlayerTable {
  profile_id: number;
  brand: number;
  carrier: Generated<Flag>;
  from_id: number | null;
  tags: Generated<number>;
  caught: Generated<number>;
  ts_caught: number | null;
  ts_joined: number;
  square: number | null;
  lot: Generated<number>;
}

export interface ExposureNoticeTable {
  id: string;
  recipient_id: number;
  brand: string;
  ts_due: number;
  ts_expires: number;
}

export interface ExposureToldTable {
  recipient_id: number;
  day: number;
}

export interface ExposureSaltTable {
  day: number;
  salt: string;
}

export interface CommunityTables {
  report: ReportTable;
  report_filing: ReportFilingTable;
  evidence: EvidenceTable;
  jury: JuryTable;
  juror: JurorTable;
  juror_record: JurorRecordTable;
  moderation_action: ModerationActionTable;
  appeal: AppealTable;
  precedent: PrecedentTable;
  audit_entry: AuditEntryTable;
  audit_private: AuditPrivateTable;
  public_entry: PublicEntryTable;
  audit_day: AuditDayTable;
  member_count: MemberCountTable;
  credit_entry: CreditEntryTable;
  game_item: GameItemTable;
  game_vote: GameVoteTable;
  game_pack: GamePackTable;
  game_record: GameRecordTable;
  game_pool: GamePoolTable;
  identify_round: IdentifyRoundTable;
  crop_suggestion: CropSuggestionTable;
  cooties_player: CootiesPlayerTable;
  exposure_notice: ExposureNoticeTable;
  exposure_told: ExposureToldTable;
  exposure_salt: ExposureSaltTable;
}
