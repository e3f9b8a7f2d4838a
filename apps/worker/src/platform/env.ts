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

export interface Env {
  readonly ENVIRONMENT: "development" | "production";
  readonly DB: D1Database;
  /** Message databases, numbered from 1; none when the main database holds all messages. */
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
  /** Where alerts are mailed; empty: nowhere. */
  readonly ALERT_ADDRESS?: string;
  /** A URL that shows posted text on the operator's phone. A secret, as anybody who knows it can post there. */
  readonly ALERT_PUSH_URL?: string;
  /** API token that may export the databases of BACKUP_ACCOUNT; without it there are no backups. */
  readonly BACKUP_TOKEN?: string;
  readonly BACKUP_ACCOUNT?: string;
  readonly BACKUP_DATABASE?: string;
  /** Ids of the message databases by number, as "1:id 2:id". */
  readonly BACKUP_MESSAGES?: string;
  /** Factor on the rate limits of one network, for an evening when hundreds share one; default 1. */
  readonly NETWORK_CAPS_FACTOR?: string;
  /** Factor on what the whole site may spend on pictures a day and on login links an hour; default 1. */
  readonly SITE_BUDGET_FACTOR?: string;
  /** Share of successful requests that are logged, 0 to 1; default all. */
  readonly LOG_SHARE?: string;
  readonly SQUARE: DurableObjectNamespace<SquareObjectApi>;
  readonly PICTURE_RIGHTS: DurableObjectNamespace<PictureRightsApi>;
  readonly WATERMARK: DurableObjectNamespace<WatermarkApi>;
  readonly SAFE_MEET: DurableObjectNamespace<SafeMeetApi>;
  /** The site's secret, from which the key of each purpose is derived: versions, the newest first (keys.ts). */
  readonly SITE_KEY: string;
  /** Secret keys of legal holds, the newest first (moderation/hold/seal.ts). */
  readonly HOLD_KEY: string;
  /** Web Push key pairs, base64url (notifications/push/push-keys.ts), and the contact for push services. */
  readonly VAPID_PUBLIC_KEY: string;
  readonly VAPID_PRIVATE_KEY: string;
  readonly VAPID_SUBJECT: string;
  /** JSON rows that override the default age policy (packages/contract/src/age-policy.ts). */
  readonly AGE_POLICY?: string;
  /** JSON configuration of an OpenID provider for age proofs (packages/contract/src/age-provider.ts), and its secret. */
  readonly AGE_OIDC?: string;
  readonly AGE_OIDC_SECRET?: string;
  /** Origin of a neutral host for the page that a member's friend opens (messaging/meets/friend-page.ts). */
  readonly MEET_ORIGIN?: string;
  /** The day on which the site ends (contract's closing.ts); empty for a site that stays. */
  readonly CLOSING_ON?: string;
  /** Absent when the deployment did not set it. */
  readonly GIT_COMMIT_HASH?: string;
  readonly GIT_COMMIT_TS?: string;
  /** Port of a local site, for links in mails; unset in production. */
  readonly DEVELOPMENT_PORT?: string;
}

/** Message ids modulo this are the number of their database. */
export const MESSAGE_DATABASES_MAX = 64;

/** Cached because each request needs them and checking all bindings takes 0.1 ms. */
const cache = new WeakMap<object, ReadonlyMap<number, D1Database>>();

/** The bound message databases, without the main one, by number. */
export function messageDatabases(env: Pick<Env, `MESSAGES_${number}`>): ReadonlyMap<number, D1Database> {
  const cached = cache.get(env);
  if (cached) return cached;
  const bound = new Map<number, D1Database>();
  for (let number = 1; number < MESSAGE_DATABASES_MAX; number += 1) {
    const d1 = env[`MESSAGES_${number}`];
    if (d1) bound.set(number, d1);
  }
  cache.set(env, bound);
  return bound;
}

declare global {
  /** True under `wrangler dev` and in tests; false in production builds, which drop the guarded code. */
  const __DEVELOPMENT__: boolean;
}
