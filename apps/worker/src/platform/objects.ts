import type { BrandId } from "@lambda/brands";
import type { AgePolicyRow } from "@lambda/contract/age-policy";
import type { ServerEvent } from "@lambda/contract/events";
import type { FriendAnswer, FriendDevice, MeetStatus, PinAct } from "@lambda/contract/meets";
import type { Alert } from "@lambda/contract/site-health";
import type { CurveKey } from "@lambda/geo/curve";

/** What may be called on the Durable Objects of wrangler.toml, without their code. */

/** A session whose device may hear of an event. */
export interface OpenSession {
  readonly id: number;
  /** 1: the event's subject is listed on this session's brand, the viewer too, and no block stands between; or there is no subject. */
  readonly maySee: 0 | 1;
  /** Where the viewer is published now; null without a living position. */
  readonly key: CurveKey | null;
}

export interface MemberObjectApi extends Rpc.DurableObjectBranded {
  deliver(
    events: readonly ServerEvent[],
    aboutId: number | null,
    asked?: readonly OpenSession[],
    wrote?: string | null,
  ): Promise<boolean>;
  connected(brand: BrandId): Promise<boolean>;
}

export interface AreaObjectApi extends Rpc.DurableObjectBranded {
  deliver(event: ServerEvent, aboutId: number, sector: number): Promise<number>;
  dismiss(profileId: number): void;
}

/** A member who came to a square of the map, left it, or looks different there. */
export interface SquareChange {
  readonly id: number;
  /** Brands (bit set) that listed the member before: there they may be gone, and only who could see them then may know. */
  readonly was: number;
  /** Of a block: the one other whom it concerns. */
  readonly only?: number;
  /** When it happened: a block that came later does not keep it from whom it concerns. */
  readonly ts: number;
}

export interface SquareObjectApi extends Rpc.DurableObjectBranded {
  change(changes: readonly SquareChange[]): void;
}

/** One thing that is counted: how much of it, and how much fits into a window. */
export interface Charge {
  readonly name: string;
  readonly amount: number;
  readonly max: number;
  readonly windowMs: number;
}

/** What has no room any more, and for how long. */
export interface Refusal {
  readonly name: string;
  readonly waitMs: number;
}

/** What a member read in a day, as far as one isolate knows: which members, by their bits, and how often they changed something. */
export interface Readings {
  readonly opened: Uint8Array;
  readonly shown: Uint8Array;
  readonly changes: number;
}

/** The first message of one member to another, as it is remembered: nothing of it can be read. */
export interface Opening {
  readonly sketch: string;
  /** Who got it, keyed. */
  readonly to: string;
  /** Too long for a plain greeting: it may go to nobody else. */
  readonly isOwn: boolean;
}

export interface OpeningLimits {
  readonly max: number;
  readonly windowMs: number;
  readonly keptMs: number;
  readonly kept: number;
}

/** `repeated`: it, or one much like it, went to somebody else. Otherwise how many like it went before, and how long the next must wait. */
export interface OpeningVerdict {
  readonly repeated: boolean;
  readonly before: number;
  readonly waitMs: number;
}

/** What is counted. A name says what happened, never to whom. */
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
  | "bucketRefused"
  /** How many answers took at most so many milliseconds and more than the bound before (metrics/percentiles.ts). */
  | `ms${number}`;

/** What is measured and not added up: the largest of a minute stays. */
export type GaugeName =
  | "databaseBytes"
  | "databaseFailed"
  | "queueAgeMs"
  | "backupAgeMs"
  | "socketsOpen"
  /** Of a database for messages, by its number. */
  | `messageBytes${number}`;

export type Counts = Readonly<Partial<Record<CountName | GaugeName, number>>>;

export interface Minute {
  readonly ts: number;
  readonly counts: Counts;
}

export interface OpenIncident {
  readonly alert: Alert;
  readonly from: number;
  /** When the alert was last true. */
  readonly lastSeen: number;
  /** Whether the operator was told that it began. */
  readonly told: boolean;
  /** Set when it is over. */
  readonly until: number | null;
  /** Whether the operator was told that it is over. */
  readonly toldOver: boolean;
}

export interface MetricsApi extends Rpc.DurableObjectBranded {
  add(counts: Counts, now?: number): Promise<void>;
  tick(counts: Counts, now: number): Promise<void>;
  read(from: number, stepMs: number): Promise<Minute[]>;
  incidents(): Promise<OpenIncident[]>;
}

/** What one request wrote, as the watermarks of platform/near hear of it. */
export interface Written {
  /** The state of the database after it. */
  readonly bookmark: string;
  /** The session that wrote, under a name that only it knows. */
  readonly key?: string;
  /** Somebody may see less from now on. */
  readonly hides: boolean;
  /** Whom that is about, as one who is seen or as one who sees; anybody where it is not said. */
  readonly about?: readonly number[];
}

/** How far somebody has read a feed. A feed that began anew has another life. */
export interface FeedMark {
  readonly life: string;
  readonly at: number;
}

/** Who may be seen otherwise, or see otherwise, since a mark; or that it may be anybody. */
export type Changed = readonly number[] | "anybody";

/** What a region knows now. */
export interface News {
  /** The oldest state in which the session may read. */
  readonly bookmark: string | null;
  readonly mark: FeedMark;
  readonly changed: Changed;
}

export interface WatermarkApi extends Rpc.DurableObjectBranded {
  ask(key: string): Promise<string | null>;
  news(key: string, since: FeedMark | null): Promise<News>;
  tell(written: Written): Promise<void>;
}

/** Which pictures a session asks for, from where. */
export interface PictureAsk {
  readonly ids: readonly number[];
  readonly tokenHash: Uint8Array;
  readonly reader: { readonly region: DurableObjectLocationHint; readonly key: string };
  readonly brand: BrandId;
  readonly seeExplicit: AgePolicyRow["seeExplicit"];
  readonly now: number;
}

export interface PictureRightsApi extends Rpc.DurableObjectBranded {
  /** Of each a KnownPicture (known-picture.ts), or null. */
  open(ask: PictureAsk): Promise<unknown>;
}

export interface RateLimiterApi extends Rpc.DurableObjectBranded {
  hit(max: number, windowMs: number): Promise<number>;
  spend(charges: readonly Charge[]): Promise<Refusal | null>;
  joinReadings(news: Readings, windowMs: number): Promise<Readings & { readonly ends: number }>;
  hitOpening(opening: Opening, limits: OpeningLimits): Promise<OpeningVerdict>;
  clear(): Promise<void>;
}

/** A plan as the object gets it: nothing that names its maker, opens it, or could be asked for again. */
export interface NewMeet {
  /** Hashes of the tokens that only the link, the maker's device, and the two PINs make. */
  readonly reader: string;
  readonly owner: string;
  readonly fine: string;
  readonly help: string;
  readonly runsMs: number;
  readonly graceMs: number;
  readonly plan: string;
  /** Whom to ask, sealed (social/meets/maker.ts). */
  readonly maker: string;
}

/** `gone` is one answer for a plan that ended, was erased or never was. */
export type MeetAnswer<Value> = Value | "gone" | "busy";

export interface PinTokens {
  readonly reader: string;
  readonly pin: string;
}

export interface SafeMeetApi extends Rpc.DurableObjectBranded {
  create(plan: NewMeet, now: number): Promise<MeetStatus | "taken">;
  read(reader: string, now: number): Promise<MeetAnswer<FriendAnswer>>;
  subscribe(reader: string, device: FriendDevice, now: number): Promise<MeetAnswer<true>>;
  status(owner: string, now: number): Promise<MeetAnswer<MeetStatus>>;
  addPosition(owner: string, position: string, now: number): Promise<MeetAnswer<true>>;
  answer(tokens: PinTokens, act: PinAct, now: number): Promise<MeetAnswer<{ accepted: boolean; triesLeft: number }>>;
}
