import type { ColumnType, Generated, Selectable } from "kysely";
import type { CommunityTables } from "./community-tables.ts";

/** Row types of schema.sql, kept in its order. Times are integer milliseconds, booleans 0 or 1. */

type Flag = 0 | 1;

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
  is_test: Generated<Flag>;
  lattice_seed: Uint8Array | null;
}

export interface SessionTable {
  id: Generated<number>;
  token_hash: Uint8Array;
  account_id: number;
  brand: string;
  device_label: Generated<string>;
  remember: Generated<Flag>;
  via_link: Generated<Flag>;
  ts_created: number;
  ts_last_used: number;
  ts_expires: number;
}

export interface LoginCodeTable {
  code_hash: Uint8Array;
  purpose: "login" | "email";
  email: string;
  account_id: number | null;
  brand: string;
  locale: Generated<"en" | "es">;
  acknowledgements: Generated<string>;
  ts_expires: number;
}

export interface ProfileTable {
  id: number;
  profile_name: Generated<string>;
  name_skeleton: Generated<string | null>;
  birthdate: string | null;
  height: Generated<string>;
  weight: Generated<string>;
  description: Generated<string>;
  characteristics: Generated<number>;
  pics_public: Generated<string>;
  pics_private: Generated<string>;
  status: Generated<"active" | "suspended" | "banned" | "deleted">;
  ts_status_until: number | null;
  hidden: Generated<Flag>;
  shared_on: number;
  listed_on: ColumnType<number, never, never>;
  tie_key: number;
  credits: Generated<number>;
  ts_seen: number;
  ts_updated: number;
}
export type ProfileRow = Selectable<ProfileTable>;

export interface PositionTable {
  profile_id: number;
  use: "RANDOM" | "OVERRIDE" | "DEVICE_GPS";
  precision: "exact" | "street" | "district" | "city";
  cell: number;
  pending_cell: number | null;
  key: number;
  session: Generated<number>;
  ts_published: number;
  ts_effective_until: number;
}

export type PositionRow = Selectable<PositionTable>;

export interface PlaceMemoryTable {
  profile_id: number;
  sealed: Uint8Array;
}

export interface PresenceTable {
  brand: number;
  key: number;
  profile_id: number;
  tie_key: number;
  ts_effective_until: number;
  ts_seen: number;
  characteristics: number;
  birth_day: number | null;
  profile_name: string;
  height: string;
  weight: string;
  pics_public: string;
}

export interface PresenceDensityTable {
  brand: number;
  key: number;
  key_end: number;
  squares: string;
}

export interface PresenceCountTable {
  region: number;
  sectors: string;
}

export interface PictureTable {
  id: Generated<number>;
  profile_id: number;
  audience: "public" | "private" | "chat";
  version: Generated<number>;
  width: number;
  height: number;
  bytes: number;
  placeholder: Generated<string>;
  nsfw_owner: Generated<Flag>;
  nsfw_community: Generated<Flag>;
  hidden_by_staff: Generated<Flag>;
  wants_crop: Generated<Flag>;
  ts_created: number;
  ts_updated: number;
}
export type PictureRow = Selectable<PictureTable>;

export interface AlbumGrantTable {
  owner_id: number;
  member_id: number;
  state: "requested" | "granted";
  ts_expires: number | null;
  ts_created: number;
}

type LikeType = "LIKE" | "DISLIKE" | "UNDETERMINED" | "ERROR";

export interface ProfileLikeTable {
  liker_id: number;
  liked_id: number;
  like_type: LikeType;
  ts_created: number;
  /** LIKE both ways; kept by triggers. */
  mutual: Generated<Flag>;
}

export interface PictureLikeTable {
  liker_id: number;
  picture_id: number;
  owner_id: number;
  like_type: LikeType;
  ts_created: number;
}

export interface StoredBytesTable {
  profile_id: number;
  notes: Generated<number>;
  pictures: Generated<number>;
}

export interface ProfileNoteTable {
  author_id: number;
  about_id: number;
  body_text: Generated<string>;
  private_tags: Generated<string>;
  ts_updated: number;
}

export interface BlockTable {
  profile_id: number;
  other_id: number;
  by_me: Flag;
  by_other: Flag;
  ts_created: number;
}

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
  flagged: Generated<Flag>;
  ts_created: number;
  ts_delivered: number | null;
  ts_recipient_read: number | null;
  ts_recipient_deleted: number | null;
  ts_sender_deleted: number | null;
  ts_unsent: number | null;
  unsend_due: Generated<Flag>;
}
export type MessageRow = Selectable<MessageTable>;

export interface MessagePictureTable {
  picture_id: number;
  reader_id: number;
  message_id: number;
}

export interface ConversationTable {
  profile_id: number;
  other_id: number;
  last_message_id: number;
  unread: Generated<number>;
}

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

export interface Tables extends CommunityTables {
  account: AccountTable;
  session: SessionTable;
  login_code: LoginCodeTable;
  profile: ProfileTable;
  position: PositionTable;
  place_memory: PlaceMemoryTable;
  presence: PresenceTable;
  presence_count: PresenceCountTable;
  presence_density: PresenceDensityTable;
  picture: PictureTable;
  album_grant: AlbumGrantTable;
  profile_like: ProfileLikeTable;
  picture_like: PictureLikeTable;
  profile_note: ProfileNoteTable;
  stored_bytes: StoredBytesTable;
  block: BlockTable;
  health_panel: HealthPanelTable;
  message: MessageTable;
  message_picture: MessagePictureTable;
  conversation: ConversationTable;
  notification: NotificationTable;
  push_subscription: PushSubscriptionTable;
  contact_message: ContactMessageTable;
}
