import type { BrandId } from "@lambda/brands";
import type { AgePolicyRow } from "@lambda/contract/age-policy";
import type { ServerEvent } from "@lambda/contract/events";
import type { FriendDevice, FriendMeetState, MeetAnswerResponse, MeetStatus, PinAction } from "@lambda/contract/meets";
import type { Alert } from "@lambda/contract/site-health";
import type { CurveKey } from "@lambda/geo/curve";

/** The RPC interfaces of the Durable Objects in wrangler.toml, separate from their code. */

/** A session whose device may receive an event. */
export interface RecipientSession {
  readonly id: number;
  /** 1: the event has no subject, or the viewer takes part on the session's brand and sees the subject there. */
  readonly maySee: 0 | 1;
  /** The viewer's published position; null without a current one. */
  readonly key: CurveKey | null;
  /** The session's lock_hash: a socket that was opened under another one is closed. */
  readonly lock: string | null;
}

export interface MemberObjectApi extends Rpc.DurableObjectBranded {
  deliver(
    events: readonly ServerEvent[],
    aboutId: number | null,
    sessions?: readonly RecipientSession[],
    wrote?: string | null,
    brand?: BrandId,
  ): Promise<boolean>;
  isSeen(brand: BrandId): Promise<boolean>;
  addSocket(socket: SocketElsewhere): Promise<void>;
  removeSocket(id: string): number;
}

/** A member's socket of an area or a square, which the member's own object counts. */
export interface SocketElsewhere {
  readonly id: string;
  readonly binding: "AREA" | "SQUARE";
  readonly object: string;
  readonly ts: number;
}

export interface AreaObjectApi extends Rpc.DurableObjectBranded {
  drop(id: string): void;
  deliver(event: ServerEvent, own: ServerEvent, aboutId: number, sector: number): Promise<number>;
  dismiss(profileIds: readonly number[]): void;
}

/** A member who entered a square of the map, left it, or whose brief changed. */
export interface SquareChange {
  readonly id: number;
  /** Brands (bit set) on which everybody saw the member before the change: only who could see them then may learn that they are gone. */
  readonly was: number;
  /** The same for a discreet member, whom only those saw to whom they showed themselves. */
  readonly few?: number;
  /** The one other member whom it concerns, for a block, or what shows a discreet member. */
  readonly only?: number;
  /** When it happened: a later block does not hide the change from those who could see it then. */
  readonly ts: number;
}

export interface SquareObjectApi extends Rpc.DurableObjectBranded {
  drop(id: string): void;
  /** Returns how many listeners the changes will be compared with. */
  change(changes: readonly SquareChange[]): Promise<number>;
}

/** An amount to count against a limit per time window. */
export interface Charge {
  readonly name: string;
  readonly amount: number;
  readonly max: number;
  readonly windowMs: number;
}

/** The limit that would be exceeded, and how long until it resets. */
export interface Refusal {
  readonly name: string;
  readonly waitMs: number;
}

/** How much of a limit is used up, and when it resets. */
export interface CountedWindow {
  readonly name: string;
  readonly count: number;
  readonly ends: number;
}

/** What became of charges: all were counted, or one was refused and none was. */
export interface Counted {
  readonly refusal: Refusal | null;
  readonly windows: readonly CountedWindow[];
}

/** What a member did today as far as one isolate knows: members opened and shown, as bit sets, the number of changes, and what all of it cost. */
export interface UsageCounts {
  readonly opened: Uint8Array;
  readonly shown: Uint8Array;
  readonly changes: number;
  /** In millionths of a dollar. */
  readonly spent: number;
}

/** What is stored of a first message to another member: nothing of its text can be reconstructed. */
export interface Opening {
  readonly sketch: string;
  /** Keyed hash of the recipient. */
  readonly to: string;
  /** Longer than a plain greeting: the same text may not go to anybody else. */
  readonly isOwn: boolean;
}

export interface OpeningLimits {
  readonly max: number;
  readonly windowMs: number;
  readonly keptMs: number;
  readonly kept: number;
}

/** `repeated`: a similar opening went to somebody else. Otherwise how many similar ones were sent before, and how long to wait. */
export interface OpeningVerdict {
  readonly repeated: boolean;
  readonly before: number;
  readonly waitMs: number;
}

/** What renders a page, by its User-Agent. */
export type Engine = "Chromium" | "Firefox" | "WebKit";

/** Names of counters: what happened, never to whom. */
export type CountName =
  | "requests"
  | "errors"
  | "refused"
  | "rowsRead"
  | "rowsWritten"
  | "mailsSent"
  | "mailsRefused"
  | "pushesQueued"
  | "pushesHandled"
  | "deadLetters"
  | "socketsOpened"
  | "socketsClosed"
  | "jobsFailed"
  | "longJobsFailed"
  | "imagesFailed"
  | "imagesOverHalf"
  | "bucketRefused"
  | "objectsMissing"
  /** Responses within a latency bucket, named by its upper bound (metrics/percentiles.ts). */
  | `ms${number}`
  | `bytesMs${number}`
  /** Requests of an engine to the pattern of a route (metrics/engines.ts). */
  | `${"answered" | "denied"} ${Engine} ${string}`;

/** Names of gauges: not added up, the largest value of a minute is kept. */
export type GaugeName =
  | "databaseBytes"
  | "databaseFailed"
  | "queueAgeMs"
  | "backupAgeMs"
  | "socketsOpen"
  /** Size of a message database, by its number. */
  | `messageBytes${number}`;

export type Counts = Readonly<Partial<Record<CountName | GaugeName, number>>>;

export interface Minute {
  readonly ts: number;
  readonly counts: Counts;
}

export interface OpenIncident {
  readonly alert: Alert;
  /** What it is about, as "/ws in WebKit". */
  readonly detail?: string;
  readonly from: number;
  /** When the alert was last true. */
  readonly lastSeen: number;
  /** Whether the operator was notified of its start. */
  readonly told: boolean;
  /** When it ended; null while open. */
  readonly until: number | null;
  /** Whether the operator was notified of its end. */
  readonly toldOver: boolean;
}

export interface SiteStatus {
  readonly incidents: readonly OpenIncident[];
  /** Whether the minute cron, which reports the metrics, has stopped. */
  readonly isSilent: boolean;
}

export interface MetricsApi extends Rpc.DurableObjectBranded {
  add(counts: Counts, now?: number): Promise<void>;
  tick(counts: Counts, now: number): Promise<void>;
  read(from: number, stepMs: number): Promise<Minute[]>;
  incidents(): Promise<OpenIncident[]>;
  status(now?: number): Promise<SiteStatus>;
}

/** What one request wrote, as announced to the watermarks (platform/replication). */
export interface RecordedWrite {
  /** The state of the databases after the write. */
  readonly bookmark: string;
  /** Hash that identifies the writing session. */
  readonly key?: string;
  /** Whether somebody may see less than before. */
  readonly hides: boolean;
  /** The members concerned, as seen or as seeing. If absent: possibly anybody if it hides something, and otherwise nobody. */
  readonly about?: readonly number[];
}

/** A position in a change feed. A feed that restarted without its history has another `life`. */
export interface FeedPosition {
  readonly life: string;
  readonly at: number;
}

/** Members whose visibility, or view of others, may have changed; possibly anybody's. */
export type ChangedMembers = readonly number[] | "anybody";

/** What a region knows now. */
export interface RegionUpdates {
  /** The oldest database state that the session may read. */
  readonly bookmark: string | null;
  readonly mark: FeedPosition;
  readonly changed: ChangedMembers;
}

export interface RegionNews {
  readonly mark: FeedPosition;
  readonly changed: boolean;
}

/** A position in the feed of changes that hide something, and in that of the region's other writes. */
export interface SessionMark {
  readonly hiding: FeedPosition;
  readonly other: FeedPosition;
}

/** A session's member as read at some mark. */
export interface KnownSession {
  readonly profileId: number;
  readonly mark: SessionMark;
}

/** Where a session reads now, and whether what is known of it is still current. */
export interface SessionState {
  readonly bookmark: string | null;
  readonly mark: SessionMark;
  readonly isCurrent: boolean;
}

export interface WatermarkApi extends Rpc.DurableObjectBranded {
  getSession(key: string, known: KnownSession | null): Promise<SessionState>;
  getUpdates(key: string, since: FeedPosition | null): Promise<RegionUpdates>;
  getNews(since: FeedPosition | null, until: number): Promise<RegionNews>;
  recordWrite(written: RecordedWrite): Promise<void>;
}

/** The pictures that a session requests, and where it reads. */
export interface PictureLookupRequest {
  readonly ids: readonly number[];
  readonly tokenHash: Uint8Array;
  readonly unlockHash: string | null;
  readonly reader: { readonly region: DurableObjectLocationHint; readonly key: string };
  readonly brand: BrandId;
  readonly seeExplicit: AgePolicyRow["seeExplicit"];
  readonly now: number;
}

export interface PictureRightsApi extends Rpc.DurableObjectBranded {
  /** Returns a CachedPictureLookup (picture-lookup.ts) or null for each id. */
  open(request: PictureLookupRequest): Promise<unknown>;
}

export interface RateLimiterApi extends Rpc.DurableObjectBranded {
  hit(max: number, windowMs: number, amount?: number): Promise<number>;
  spend(charges: readonly Charge[]): Promise<Refusal | null>;
  charge(charges: readonly Charge[]): Promise<Counted>;
  giveBack(amounts: readonly Pick<Charge, "name" | "amount">[]): Promise<void>;
  mergeUsage(counts: UsageCounts, windowMs: number): Promise<UsageCounts & { readonly ends: number }>;
  hitOpening(opening: Opening, limits: OpeningLimits): Promise<OpeningVerdict>;
  clear(): Promise<void>;
}

/** A plan as the object stores it: it cannot be read there, and its maker and tokens cannot be recovered. */
export interface NewMeet {
  /** Hashes of the tokens held by the link, the maker's device and the two PINs. */
  readonly reader: string;
  readonly owner: string;
  readonly fine: string;
  readonly help: string;
  readonly runsMs: number;
  readonly graceMs: number;
  readonly plan: string;
  /** The maker, to be reminded before the deadline; sealed (messaging/meets/maker.ts). */
  readonly maker: string;
}

/** `gone`: the plan ended, was erased or never existed. */
export type MeetResult<Value> = Value | "gone" | "busy";

export interface PinTokens {
  readonly reader: string;
  /** Only the maker's device has it. */
  readonly owner?: string | undefined;
  readonly pin: string;
}

export interface SafeMeetApi extends Rpc.DurableObjectBranded {
  create(plan: NewMeet, now: number): Promise<MeetStatus | "taken">;
  /** `caller` here and below: a keyed hash of the network. */
  read(reader: string, caller: string, now: number): Promise<MeetResult<FriendMeetState>>;
  subscribe(reader: string, device: FriendDevice, caller: string, now: number): Promise<MeetResult<true>>;
  status(owner: string, now: number): Promise<MeetResult<MeetStatus>>;
  addPosition(owner: string, position: string, now: number): Promise<MeetResult<true>>;
  answer(tokens: PinTokens, act: PinAction, caller: string, now: number): Promise<MeetResult<MeetAnswerResponse>>;
}
