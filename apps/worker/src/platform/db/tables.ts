// Made from schema.sql by `npm run schema-types`. Do not edit.
import type { CurveKey } from "@lambda/geo/curve";
import type { Cell } from "@lambda/geo/grid";
import type { ColumnType, Generated, Selectable } from "kysely";

export interface AccountTable {
  id: Generated<number>;
  email: string;
  name: Generated<string>;
  password_hash: string | null;
  home_brand: string;
  admin_brand: string | null;
  locale: Generated<"en" | "es">;
  ts_sharing_chosen: number | null;
  email_pending: string | null;
  preferences: Generated<string>;
  acknowledgements: Generated<string>;
  network: number | null;
  ts_created: number;
  ts_deleted: number | null;
  is_test: Generated<0 | 1>;
  lattice_seed: Uint8Array | null;
  mailbox: string | null;
  lattices: Uint8Array | null;
}
export type AccountRow = Selectable<AccountTable>;

export interface SessionTable {
  id: Generated<number>;
  token_hash: Uint8Array;
  account_id: number;
  brand: string;
  device_label: Generated<string>;
  remember: Generated<0 | 1>;
  ts_proved: Generated<number>;
  ts_created: number;
  ts_last_used: number;
  ts_expires: number;
  lock_hash: string | null;
}
export type SessionRow = Selectable<SessionTable>;

export interface PasskeyTable {
  id: Generated<number>;
  account_id: number;
  credential_id: string;
  public_key: Uint8Array;
  counter: number;
  transports: Generated<string>;
  backed_up: 0 | 1;
  brand: string;
  rp_id: string;
  name: string;
  ts_created: number;
  ts_last_used: number | null;
  ts_cloned: number | null;
}
export type PasskeyRow = Selectable<PasskeyTable>;

export interface LoginCodeTable {
  code_hash: Uint8Array;
  purpose: "login" | "email";
  email: string;
  account_id: number | null;
  brand: string;
  locale: Generated<"en" | "es">;
  acknowledgements: Generated<string>;
  age_ticket_hash: Uint8Array | null;
  ts_expires: number;
  ticket_hash: Uint8Array | null;
  digits_hash: Uint8Array | null;
  digits_tries: Generated<number>;
  session_id: number | null;
}
export type LoginCodeRow = Selectable<LoginCodeTable>;

export interface LockdownTable {
  account_id: number;
  ts_until: Generated<number>;
  words_hash: string | null;
  ts_words: number | null;
}
export type LockdownRow = Selectable<LockdownTable>;

export interface LockdownSignalTable {
  id: Generated<number>;
  account_id: number;
  token_hash: Uint8Array;
  hours: number;
  device_hash: Uint8Array | null;
  session_id: number | null;
  device_label: Generated<string>;
  ts_created: Generated<number>;
}
export type LockdownSignalRow = Selectable<LockdownSignalTable>;

export interface AgeProofTable {
  account_id: number;
  method: "eu-av" | "mdl" | "oidc";
  day: number;
  policy: string;
  attestation_hash: Uint8Array;
}
export type AgeProofRow = Selectable<AgeProofTable>;

export interface AgeRequestTable {
  state_hash: Uint8Array;
  account_id: number | null;
  ticket_hash: Uint8Array | null;
  method: "eu-av" | "mdl" | "oidc";
  brand: string;
  nonce: string;
  verifier: string | null;
  answered: Generated<0 | 1>;
  outcome: string | null;
  attestation_hash: Uint8Array | null;
  ts_expires: number;
}
export type AgeRequestRow = Selectable<AgeRequestTable>;

export interface ProfileTable {
  id: number;
  profile_name: Generated<string>;
  name_skeleton: string | null;
  birthdate: string | null;
  height: Generated<string>;
  weight: Generated<string>;
  description: Generated<string>;
  characteristics: Generated<number>;
  pics_public: Generated<string>;
  pics_private: Generated<string>;
  own_pics_public: string | null;
  own_pics_private: string | null;
  status: Generated<"active" | "suspended" | "banned" | "deleted">;
  ts_status_until: number | null;
  hidden: Generated<0 | 1>;
  shared_on: number;
  listed_on: ColumnType<number, never, never>;
  discreet_on: Generated<number>;
  few_on: ColumnType<number, never, never>;
  random_order: number;
  drawn_as: ColumnType<number, never, never>;
  credits: Generated<number>;
  ts_seen: number;
  ts_updated: number;
}
export type ProfileRow = Selectable<ProfileTable>;

export interface DrawableMemberTable {
  brand: number;
  drawn_as: number;
  random_order: number;
  profile_id: number;
  pics_public: string;
}
export type DrawableMemberRow = Selectable<DrawableMemberTable>;

export interface PositionTable {
  profile_id: number;
  use: "RANDOM" | "OVERRIDE" | "DEVICE_GPS";
  precision: "exact" | "street" | "district" | "city";
  cell: Cell;
  pending_cell: Cell | null;
  key: CurveKey;
  session: Generated<number>;
  ts_published: number;
  ts_effective_until: number;
}
export type PositionRow = Selectable<PositionTable>;

export interface PlaceMemoryTable {
  profile_id: number;
  sealed: Uint8Array;
}
export type PlaceMemoryRow = Selectable<PlaceMemoryTable>;

export interface PresenceTable {
  brand: number;
  key: CurveKey;
  profile_id: number;
  random_order: number;
  ts_effective_until: number;
  ts_seen: number;
  characteristics: number;
  birth_day: number | null;
  profile_name: string;
  height: string;
  weight: string;
  pics_public: string;
}
export type PresenceRow = Selectable<PresenceTable>;

export interface PresenceDensityTable {
  brand: number;
  key: number;
  key_end: number;
  squares: string;
}
export type PresenceDensityRow = Selectable<PresenceDensityTable>;

export interface PresenceCountTable {
  region: number;
  squares: string;
}
export type PresenceCountRow = Selectable<PresenceCountTable>;

export interface PresenceCountUpdateTable {
  old_key: number | null;
  old_brands: number | null;
  new_key: number | null;
  new_brands: number | null;
}
export type PresenceCountUpdateRow = Selectable<PresenceCountUpdateTable>;

export interface TravelStayTable {
  profile_id: number;
  country: string;
  shown: Generated<"hidden" | "city" | "usual">;
  hid_member: 0 | 1;
  pictures_withdrawn: Generated<0 | 1>;
  muted: Generated<0 | 1>;
  chosen: Generated<0 | 1>;
  ts_seen: number;
  ts_left: number | null;
}
export type TravelStayRow = Selectable<TravelStayTable>;

export interface TripTable {
  id: Generated<number>;
  profile_id: number;
  name: string;
  cell: Cell;
  key: CurveKey;
  country: string | null;
  day_from: number;
  day_to: number;
  shown: 0 | 1 | null;
}
export type TripRow = Selectable<TripTable>;

export interface PictureTable {
  id: Generated<number>;
  profile_id: number;
  audience: "public" | "private" | "chat" | "once";
  version: Generated<number>;
  width: number;
  height: number;
  bytes: number;
  placeholder: Generated<string>;
  preview: Generated<string>;
  nsfw_owner: Generated<0 | 1>;
  nsfw_community: Generated<0 | 1>;
  harmless_owner: Generated<0 | 1>;
  hidden_by_staff: Generated<0 | 1 | 2 | 3>;
  wants_crop: Generated<0 | 1>;
  ts_created: number;
  ts_updated: number;
}
export type PictureRow = Selectable<PictureTable>;

export interface PictureHashTable {
  picture_id: number;
  hash: string;
  quality: number;
  compared: Generated<0 | 1>;
  sealed_print: Uint8Array | null;
}
export type PictureHashRow = Selectable<PictureHashTable>;

export interface KnownPictureTable {
  id: Generated<number>;
  hash: string;
  source: string;
  rule: "minor" | "intimate";
  searched: Generated<0 | 1>;
  ts_created: number;
  sealed_print: Uint8Array | null;
}
export type KnownPictureRow = Selectable<KnownPictureTable>;

export interface KnownPicturePartTable {
  part: number;
  known_id: number;
}
export type KnownPicturePartRow = Selectable<KnownPicturePartTable>;

export interface KnownPictureMatchTable {
  id: Generated<number>;
  profile_id: number;
  picture_id: number;
  brand: string;
  source: string;
  rule: "minor" | "intimate";
  distance: number;
  r2_key: string | null;
  report_id: number | null;
  ts_created: number;
  effect: Generated<"refused" | "held" | "none">;
  digest: Generated<string>;
}
export type KnownPictureMatchRow = Selectable<KnownPictureMatchTable>;

export interface PictureExemptionTable {
  profile_id: number;
  digest: string;
  ts_created: number;
}
export type PictureExemptionRow = Selectable<PictureExemptionTable>;

export interface AlbumGrantTable {
  owner_id: number;
  member_id: number;
  state: "requested" | "granted";
  ts_expires: number | null;
  ts_created: number;
  was_requested: Generated<0 | 1>;
}
export type AlbumGrantRow = Selectable<AlbumGrantTable>;

export interface ProfileLikeTable {
  liker_id: number;
  liked_id: number;
  like_type: "LIKE" | "DISLIKE" | "UNDETERMINED" | "ERROR";
  ts_created: number;
  mutual: Generated<0 | 1>;
}
export type ProfileLikeRow = Selectable<ProfileLikeTable>;

export interface PictureLikeTable {
  liker_id: number;
  picture_id: number;
  owner_id: number;
  like_type: "LIKE" | "DISLIKE" | "UNDETERMINED" | "ERROR";
  ts_created: number;
}
export type PictureLikeRow = Selectable<PictureLikeTable>;

export interface ProfileNoteTable {
  author_id: number;
  about_id: number;
  body_text: Generated<string>;
  private_tags: Generated<string>;
  ts_updated: number;
  bytes: ColumnType<number, never, never>;
}
export type ProfileNoteRow = Selectable<ProfileNoteTable>;

export interface StoredBytesTable {
  profile_id: number;
  notes: Generated<number>;
  pictures: Generated<number>;
}
export type StoredBytesRow = Selectable<StoredBytesTable>;

export interface BlockTable {
  profile_id: number;
  other_id: number;
  blocked_by_profile: 0 | 1;
  blocked_by_other: 0 | 1;
  ts_created: number;
}
export type BlockRow = Selectable<BlockTable>;

export interface ShownToTable {
  id: Generated<number>;
  viewer_id: number;
  profile_id: number;
}
export type ShownToRow = Selectable<ShownToTable>;

export interface HealthPanelTable {
  profile_id: number;
  hiv_status: "negative" | "positive" | "undetectable" | null;
  prep: "daily" | "on-demand" | "injection" | "no" | null;
  doxy_pep: "yes" | "no" | null;
  vaccines: Generated<string>;
  last_test: string | null;
  audiences: Generated<string>;
  reminder_months: Generated<0 | 3 | 6 | 12>;
  ts_reminder: number | null;
}
export type HealthPanelRow = Selectable<HealthPanelTable>;

export interface MessageTable {
  id: Generated<number>;
  sender_id: number;
  recipient_id: number | null;
  low_id: number | null;
  high_id: number | null;
  client_id: string;
  body_text: Generated<string>;
  picture_ids: Generated<string>;
  attachment: string | null;
  brand: string;
  sector: number | null;
  flagged: Generated<0 | 1>;
  ts_created: number;
  ts_delivered: number | null;
  ts_recipient_read: number | null;
  ts_recipient_deleted: number | null;
  ts_sender_deleted: number | null;
  ts_unsent: number | null;
  filtered: Generated<0 | 1>;
  unsend_due: Generated<0 | 1>;
  upload_id: number | null;
  unsynced_version: number | null;
}
export type MessageRow = Selectable<MessageTable>;

export interface MessagePairTable {
  low_id: number;
  high_id: number;
  low_count: Generated<number>;
  high_count: Generated<number>;
  shard: Generated<number>;
  version: Generated<number>;
  synced_version: Generated<number>;
  unsent_by: Generated<number>;
}
export type MessagePairRow = Selectable<MessagePairTable>;

export interface ConversationTable {
  profile_id: number;
  other_id: number;
  last_message_id: number;
  unread: Generated<number>;
}
export type ConversationRow = Selectable<ConversationTable>;

export interface MessagePictureTable {
  picture_id: number;
  reader_id: number;
  message_id: number;
}
export type MessagePictureRow = Selectable<MessagePictureTable>;

export interface VoiceTable {
  id: Generated<number>;
  profile_id: number;
  client_id: string;
  r2_key: string;
  mime: "audio/mp4" | "audio/webm";
  bytes: number;
  duration_ms: number;
  peaks: string;
  once: Generated<0 | 1>;
  message_id: number | null;
  ts_created: number;
  ts_due: number | null;
}
export type VoiceRow = Selectable<VoiceTable>;

export interface ProfileVoiceTable {
  profile_id: number;
  id: number;
  audience: "public" | "private";
  r2_key: string;
  mime: "audio/mp4" | "audio/webm";
  bytes: number;
  duration_ms: number;
  peaks: string;
  removed: Generated<0 | 1 | 2>;
  ts_created: number;
}
export type ProfileVoiceRow = Selectable<ProfileVoiceTable>;

export interface OnceViewTable {
  id: Generated<number>;
  picture_id: number | null;
  voice_id: number | null;
  message_id: number | null;
  sender_id: number;
  reader_id: number | null;
  ts_due: number;
  ts_opened: number | null;
  session_id: number | null;
  open_token: string | null;
}
export type OnceViewRow = Selectable<OnceViewTable>;

export interface PictureDeclineTable {
  sender_id: number;
  decliner_id: number;
  broadcast: 0 | 1;
  ts_sent: number;
}
export type PictureDeclineRow = Selectable<PictureDeclineTable>;

export interface NotificationTable {
  id: Generated<number>;
  profile_id: number;
  kind: string;
  about_id: number | null;
  body_text: string;
  url: string | null;
  brand: string;
  ts_created: number;
}
export type NotificationRow = Selectable<NotificationTable>;

export interface PushSubscriptionTable {
  id: Generated<number>;
  profile_id: number;
  session_id: number | null;
  device_name: string;
  endpoint: string;
  expiration_time: Generated<number>;
  auth_base64: string;
  p256dh_base64: string;
  brand: string;
  ts_created: number;
}
export type PushSubscriptionRow = Selectable<PushSubscriptionTable>;

export interface ContactMessageTable {
  id: Generated<number>;
  kind: "contact" | "problem";
  profile_id: number | null;
  brand: string;
  name: string;
  message: string;
  ts_created: number;
  ts_done: number | null;
}
export type ContactMessageRow = Selectable<ContactMessageTable>;

export interface ReportTable {
  id: Generated<number>;
  case_ref: string;
  brand: string;
  subject_id: number;
  source: "profile" | "message" | "picture" | "broadcast";
  source_id: number;
  category:
    | "harassment"
    | "hate"
    | "spam"
    | "scam"
    | "impersonation"
    | "bot"
    | "explicit"
    | "behaviour"
    | "other"
    | "minor"
    | "threat"
    | "intimate";
  severity: number;
  staff_only: Generated<0 | 1>;
  staff_reason:
    | "rule"
    | "private"
    | "record"
    | "cleared"
    | "few"
    | "recent"
    | "contact"
    | "alike"
    | "joined"
    | "withdrawn"
    | "undecided"
    | "recommended"
    | "found"
    | null;
  credibility: Generated<number>;
  priority: Generated<number>;
  filings: Generated<number>;
  state: "staff" | "jury" | "decided";
  outcome: "none" | "warn" | "hide_picture" | "suspend" | "ban" | null;
  ts_created: number;
  ts_decided: number | null;
}
export type ReportRow = Selectable<ReportTable>;

export interface ReportFilingTable {
  id: Generated<number>;
  report_id: number;
  reporter_id: number | null;
  category: string;
  source: "profile" | "message" | "picture" | "broadcast";
  text: string;
  credibility: number;
  filer: Generated<"member" | "game" | "staff" | "clock" | "visitor">;
  ts_created: number;
}
export type ReportFilingRow = Selectable<ReportFilingTable>;

export interface EvidenceTable {
  id: Generated<number>;
  report_id: number;
  author_id: number;
  kind: "profile" | "message" | "picture" | "voice";
  source_id: number;
  body: string;
  r2_key: string | null;
  staff_only: Generated<0 | 1>;
  ts_source: number;
  withdrawn: Generated<0 | 1>;
}
export type EvidenceRow = Selectable<EvidenceTable>;

export interface JuryTable {
  id: Generated<number>;
  report_id: number;
  round: number;
  state: "open" | "decided";
  verdict: "violation" | "no_violation" | null;
  sanction: "warn" | "hide_picture" | "suspend_3" | "suspend_7" | "suspend_30" | null;
  pool: Generated<number>;
  ts_opened: number;
  ts_decided: number | null;
}
export type JuryRow = Selectable<JuryTable>;

export interface JurorTable {
  jury_id: number;
  profile_id: number;
  state: "summoned" | "voted" | "excused";
  verdict: "violation" | "no_violation" | null;
  sanction: "warn" | "hide_picture" | "suspend_3" | "suspend_7" | "suspend_30" | null;
  reason: Generated<string>;
  with_majority: 0 | 1 | null;
  ts_summoned: number;
  ts_voted: number | null;
}
export type JurorRow = Selectable<JurorTable>;

export interface JurorRecordTable {
  profile_id: number;
  opted_out: Generated<0 | 1>;
  summoned: Generated<number>;
  voted: Generated<number>;
  with_majority: Generated<number>;
  overturned: Generated<number>;
}
export type JurorRecordRow = Selectable<JurorRecordTable>;

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
  by_jury: 0 | 1;
  ts_created: number;
  ts_until: number | null;
  ts_lifted: number | null;
  lifted_by: "time" | "appeal" | "staff" | null;
}
export type ModerationActionRow = Selectable<ModerationActionTable>;

export interface BanMarkTable {
  id: Generated<number>;
  kind: "address" | "device" | "picture";
  mark: string;
  case_ref: string;
  brand: string;
  rule: string;
  ts_created: number;
  ts_until: number;
  sealed_print: Uint8Array | null;
}
export type BanMarkRow = Selectable<BanMarkTable>;

export interface BanMatchTable {
  id: Generated<number>;
  profile_id: number;
  kind: "device" | "picture";
  case_ref: string;
  rule: string;
  brand: string;
  picture_id: number | null;
  distance: number | null;
  report_id: number | null;
  ts_created: number;
}
export type BanMatchRow = Selectable<BanMatchTable>;

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
export type AppealRow = Selectable<AppealTable>;

export interface PrecedentTable {
  report_id: number;
  brand: string;
  category: string;
  outcome: string;
  summary: string;
  ts_decided: number;
}
export type PrecedentRow = Selectable<PrecedentTable>;

export interface NoticeTable {
  id: Generated<number>;
  ref: string;
  case_ref: string;
  brand: string;
  kind: "intimate" | "illegal";
  category: string;
  role: "shown" | "authorised" | null;
  locale: "en" | "es";
  name: Generated<string>;
  email: Generated<string>;
  contact: Generated<string>;
  location: Generated<string>;
  explanation: Generated<string>;
  upload_hash: string | null;
  sender_network: Uint8Array | null;
  sender_mailbox: Uint8Array | null;
  anonymous: Generated<0 | 1>;
  state: Generated<"open" | "asked" | "removed" | "rejected" | "forwarded">;
  reason: Generated<string>;
  unfounded: Generated<0 | 1>;
  report_id: number | null;
  decided_by: number | null;
  ts_created: number;
  ts_confirmed: number | null;
  ts_disowned: number | null;
  ts_matched: number | null;
  ts_staff_alerted: number | null;
  ts_decided: number | null;
  ts_notified: number | null;
  ts_erased: number | null;
  upload_print: Uint8Array | null;
}
export type NoticeRow = Selectable<NoticeTable>;

export interface NoticeMessageTable {
  id: Generated<number>;
  notice_id: number;
  by_staff: 0 | 1;
  text: string;
  ts_created: number;
}
export type NoticeMessageRow = Selectable<NoticeMessageTable>;

export interface NoticePictureTable {
  notice_id: number;
  picture_id: number;
  profile_id: number;
  version: number;
  state: "named" | "hidden" | "removed" | "cleared" | "deleted";
  hidden_immediately: Generated<0 | 1>;
  hash: string | null;
  was_public: Generated<0 | 1>;
  ts_created: number;
  ts_viewed: number | null;
  ts_view_told: number | null;
  alike: Generated<0 | 1>;
  sealed_print: Uint8Array | null;
}
export type NoticePictureRow = Selectable<NoticePictureTable>;

export interface NoticeCounterTable {
  notice_id: number;
  profile_id: number;
  text: string;
  result: "upheld" | "refused" | null;
  reason: Generated<string>;
  ts_created: number;
  ts_decided: number | null;
}
export type NoticeCounterRow = Selectable<NoticeCounterTable>;

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
export type AuditPrivateRow = Selectable<AuditPrivateTable>;

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

export interface ExplicitShareTable {
  brand: string;
  country: string;
  pictures: number;
  explicit: number;
  ts_counted: number;
}
export type ExplicitShareRow = Selectable<ExplicitShareTable>;

export interface MemberCountTable {
  brand: number;
  members: number;
}
export type MemberCountRow = Selectable<MemberCountTable>;

export interface LegalHoldTable {
  hold_ref: string;
  report_id: number;
  case_ref: string;
  brand: string;
  rule: string;
  reason: string;
  confirmed: Generated<0 | 1>;
  key_version: number;
  salt: string;
  extensions: Generated<number>;
  tip_number: string | null;
  ts_tip: number | null;
  ts_started: number;
  ts_until: number;
}
export type LegalHoldRow = Selectable<LegalHoldTable>;

export interface LegalHoldItemTable {
  hold_ref: string;
  kind: "record" | "evidence" | "original";
  evidence_id: number | null;
  mac: string;
  bytes: number;
  ts_created: number;
}
export type LegalHoldItemRow = Selectable<LegalHoldItemTable>;

export interface LegalHoldRequestTable {
  request_ref: string;
  hold_ref: string;
  asked_by: number;
  agreed_by: number | null;
  reason: string;
  ts_asked: number;
  ts_agreed: number | null;
}
export type LegalHoldRequestRow = Selectable<LegalHoldRequestTable>;

export interface CreditEntryTable {
  id: Generated<number>;
  profile_id: number;
  amount: number;
  reason: "rating" | "buster" | "identify" | "cooties" | "crop" | "jury";
  ref: string;
  ts_created: number;
}
export type CreditEntryRow = Selectable<CreditEntryTable>;

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
  by_staff: Generated<0 | 1>;
  staff_reason: "divided" | "thin" | "doubted" | "owner" | null;
  ts_staff: number | null;
  ts_review_asked: number | null;
  ts_created: number;
  ts_decided: number | null;
}
export type GameItemRow = Selectable<GameItemTable>;

export interface GameVoteTable {
  item_id: number;
  voter_id: number;
  answer: string;
  weight: number;
  ts_created: number;
}
export type GameVoteRow = Selectable<GameVoteTable>;

export interface GamePackTable {
  profile_id: number;
  game: "rating" | "buster";
  day: number;
  items: string;
  issued: Generated<number>;
  issued_known: Generated<number>;
}
export type GamePackRow = Selectable<GamePackTable>;

export interface GameRecordTable {
  profile_id: number;
  game: "rating" | "buster" | "identify";
  votes: Generated<number>;
  known: Generated<string>;
  answers: Generated<string>;
  too_fast: Generated<number>;
  proven: Generated<0 | 1>;
  collusion: Generated<number>;
  streak: Generated<number>;
  best_streak: Generated<number>;
  ts_last: Generated<number>;
}
export type GameRecordRow = Selectable<GameRecordTable>;

export interface GamePoolTable {
  game: "rating" | "buster";
  voters: number;
}
export type GamePoolRow = Selectable<GamePoolTable>;

export interface IdentifyRoundTable {
  profile_id: number;
  answer_id: number;
  picture_id: number;
  options: string;
  ts_created: number;
}
export type IdentifyRoundRow = Selectable<IdentifyRoundTable>;

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
export type CropSuggestionRow = Selectable<CropSuggestionTable>;

export interface CootiesPlayerTable {
  profile_id: number;
  brand: number;
  carrier: Generated<0 | 1>;
  from_id: number | null;
  tags: Generated<number>;
  caught: Generated<number>;
  ts_caught: number | null;
  ts_joined: number;
  square: number | null;
  random_order: Generated<number>;
}
export type CootiesPlayerRow = Selectable<CootiesPlayerTable>;

export interface ExposureNoticeTable {
  id: string;
  recipient_id: number;
  brand: string;
  ts_due: number;
  ts_expires: number;
  sender_mac: Generated<string>;
}
export type ExposureNoticeRow = Selectable<ExposureNoticeTable>;

export interface ExposureRecipientTable {
  recipient_id: number;
  day: number;
}
export type ExposureRecipientRow = Selectable<ExposureRecipientTable>;

export interface ExposureSaltTable {
  day: number;
  salt: string;
}
export type ExposureSaltRow = Selectable<ExposureSaltTable>;

export interface BucketMarkTable {
  id: number;
  token: string;
  previous: string;
}
export type BucketMarkRow = Selectable<BucketMarkTable>;

export interface MessageDatabaseTable {
  number: number;
  bytes: number;
  ts_measured: number;
}
export type MessageDatabaseRow = Selectable<MessageDatabaseTable>;

export interface MissedAnnouncementTable {
  id: number;
  count: number;
}
export type MissedAnnouncementRow = Selectable<MissedAnnouncementTable>;

export interface MailQueueTable {
  id: Generated<number>;
  brand: string;
  sealed: string;
  attempts: number;
  ts_due: number;
  ts_expires: number;
}
export type MailQueueRow = Selectable<MailQueueTable>;

export interface Tables {
  account: AccountTable;
  session: SessionTable;
  passkey: PasskeyTable;
  login_code: LoginCodeTable;
  lockdown: LockdownTable;
  lockdown_signal: LockdownSignalTable;
  age_proof: AgeProofTable;
  age_request: AgeRequestTable;
  profile: ProfileTable;
  drawable_member: DrawableMemberTable;
  position: PositionTable;
  place_memory: PlaceMemoryTable;
  presence: PresenceTable;
  presence_density: PresenceDensityTable;
  presence_count: PresenceCountTable;
  presence_count_update: PresenceCountUpdateTable;
  travel_stay: TravelStayTable;
  trip: TripTable;
  picture: PictureTable;
  picture_hash: PictureHashTable;
  known_picture: KnownPictureTable;
  known_picture_part: KnownPicturePartTable;
  known_picture_match: KnownPictureMatchTable;
  picture_exemption: PictureExemptionTable;
  album_grant: AlbumGrantTable;
  profile_like: ProfileLikeTable;
  picture_like: PictureLikeTable;
  profile_note: ProfileNoteTable;
  stored_bytes: StoredBytesTable;
  block: BlockTable;
  shown_to: ShownToTable;
  health_panel: HealthPanelTable;
  message: MessageTable;
  message_pair: MessagePairTable;
  conversation: ConversationTable;
  message_picture: MessagePictureTable;
  voice: VoiceTable;
  profile_voice: ProfileVoiceTable;
  once_view: OnceViewTable;
  picture_decline: PictureDeclineTable;
  notification: NotificationTable;
  push_subscription: PushSubscriptionTable;
  contact_message: ContactMessageTable;
  report: ReportTable;
  report_filing: ReportFilingTable;
  evidence: EvidenceTable;
  jury: JuryTable;
  juror: JurorTable;
  juror_record: JurorRecordTable;
  moderation_action: ModerationActionTable;
  ban_mark: BanMarkTable;
  ban_match: BanMatchTable;
  appeal: AppealTable;
  precedent: PrecedentTable;
  notice: NoticeTable;
  notice_message: NoticeMessageTable;
  notice_picture: NoticePictureTable;
  notice_counter: NoticeCounterTable;
  audit_entry: AuditEntryTable;
  audit_private: AuditPrivateTable;
  public_entry: PublicEntryTable;
  explicit_share: ExplicitShareTable;
  member_count: MemberCountTable;
  legal_hold: LegalHoldTable;
  legal_hold_item: LegalHoldItemTable;
  legal_hold_request: LegalHoldRequestTable;
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
  exposure_recipient: ExposureRecipientTable;
  exposure_salt: ExposureSaltTable;
  bucket_mark: BucketMarkTable;
  message_database: MessageDatabaseTable;
  missed_announcement: MissedAnnouncementTable;
  mail_queue: MailQueueTable;
}
