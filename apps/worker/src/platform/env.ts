import type {
  AreaObjectApi,
  MemberObjectApi,
  MetricsApi,
  PictureRightsApi,
  RateLimiterApi,
  SafeMeetApi,
  SquareObjectApi,
  WatermarkApi,
} from "./objects.ts";

/** The bindings of wrangler.toml. */
export interface Env {
  readonly ENVIRONMENT: "development" | "production";
  readonly DB: D1Database;
  /** Databases for messages, numbered from 1; none where the main one holds them all. */
  readonly [messages: `MESSAGES_${number}`]: D1Database | undefined;
  readonly PICTURES: R2Bucket;
  readonly TILES: R2Bucket;
  readonly BACKUPS: R2Bucket;
  readonly IMAGES: ImagesBinding;
  readonly ASSETS: Fetcher;
  readonly MAIL: SendEmail;
  readonly PUSH_QUEUE: Queue<unknown>;
  readonly IP_RATE_LIMIT: RateLimit;
  readonly RATE_LIMITER: DurableObjectNamespace<RateLimiterApi>;
  readonly MEMBER: DurableObjectNamespace<MemberObjectApi>;
  readonly AREA: DurableObjectNamespace<AreaObjectApi>;
  readonly METRICS: DurableObjectNamespace<MetricsApi>;
  /** Whom the site tells that something is wrong; nobody when it is empty. */
  readonly ALERT_ADDRESS?: string;
  /** An address that takes a POST of text and shows it on the operator's phone. A secret, as whoever knows it can write there. */
  readonly ALERT_PUSH_URL?: string;
  /** May export this database of this account; without it there is no backup. */
  readonly BACKUP_TOKEN?: string;
  readonly BACKUP_ACCOUNT?: string;
  readonly BACKUP_DATABASE?: string;
  /** The same of the databases for messages, as "1:id 2:id". */
  readonly BACKUP_MESSAGES?: string;
  /** By how much the caps of one network are raised, for an evening when hundreds share one; 1 when it is not said. */
  readonly NETWORK_CAPS_FACTOR?: string;
  /** The share of lines about calls that went well which the log keeps, 0 to 1; all when it is not said. */
  readonly LOG_SHARE?: string;
  readonly SQUARE: DurableObjectNamespace<SquareObjectApi>;
  readonly PICTURE_RIGHTS: DurableObjectNamespace<PictureRightsApi>;
  readonly WATERMARK: DurableObjectNamespace<WatermarkApi>;
  readonly SAFE_MEET: DurableObjectNamespace<SafeMeetApi>;
  /** Secret key of the published positions: without it a published position says nothing but its cell. */
  readonly POSITION_KEY: string;
  /** Secret keys of legal holds, the newest first (moderation/hold/seal.ts). */
  readonly HOLD_KEY: string;
  /** Key pair of Web Push, base64url, and whom a push service may write to (packages/tooling/src/vapid-keys.ts). */
  readonly VAPID_PUBLIC_KEY: string;
  readonly VAPID_PRIVATE_KEY: string;
  readonly VAPID_SUBJECT: string;
  /** The operator's rows over the shipped table of ages, as JSON (packages/contract/src/age-policy.ts). */
  readonly AGE_POLICY?: string;
  /** The operator's provider of proofs of age, as JSON (packages/contract/src/age-provider.ts), and its secret. */
  readonly AGE_OIDC?: string;
  readonly AGE_OIDC_SECRET?: string;
  /** A neutral host for the page of a member's friend (social/meets/friend-page.ts). */
  readonly MEET_ORIGIN?: string;
  /** Absent where a deployment did not name it. */
  readonly GIT_COMMIT_HASH?: string;
  readonly GIT_COMMIT_TS?: string;
  /** Of a local site, for the links in its mails; production has none. */
  readonly DEVELOPMENT_PORT?: string;
}

/** The lowest bits of a message's id number its database. */
export const SHARDS_MAX = 64;

/** Looking for all of them takes 0.1 ms, and each request needs them. */
const boundTo = new WeakMap<object, ReadonlyMap<number, D1Database>>();

/** The message databases beside the main one, by number. */
export function messageDatabases(env: Pick<Env, `MESSAGES_${number}`>): ReadonlyMap<number, D1Database> {
  const known = boundTo.get(env);
  if (known) return known;
  const bound = new Map<number, D1Database>();
  for (let shard = 1; shard < SHARDS_MAX; shard += 1) {
    const d1 = env[`MESSAGES_${shard}`];
    if (d1) bound.set(shard, d1);
  }
  boundTo.set(env, bound);
  return bound;
}

declare global {
  /** True under `wrangler dev` and in tests; false and dropped from a production build. */
  const __DEVELOPMENT__: boolean;
}
