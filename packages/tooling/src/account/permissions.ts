/** What the API token must be allowed to do, and how to find out before anything is created. */
import { APIError, PermissionDeniedError } from "cloudflare/core/error";
import type { Zone } from "cloudflare/resources/zones/zones";
import { type Account, failedCall, hasCode } from "./client.ts";

export interface Permission {
  readonly scope: "account" | "zone";
  /** Its name in the dashboard's form for tokens (docs/OPERATIONS.md, First day). */
  readonly name: string;
  readonly level: "Read" | "Edit";
  /** The calls that need it, as `METHOD path`, where `~` stands for the account or the zone. */
  readonly calls: RegExp;
  /** A call that reads and needs it. Whether more than reading is allowed shows only at the first change. */
  readonly probe?: string;
}

export const PERMISSIONS: readonly Permission[] = [
  { scope: "account", name: "Workers Scripts", level: "Edit", calls: /^\w+ ~\/workers\//, probe: "~/workers/scripts" },
  { scope: "account", name: "D1", level: "Edit", calls: /^\w+ ~\/d1\//, probe: "~/d1/database?per_page=10" },
  { scope: "account", name: "Workers R2 Storage", level: "Edit", calls: /^\w+ ~\/r2\//, probe: "~/r2/buckets" },
  { scope: "account", name: "Queues", level: "Edit", calls: /^\w+ ~\/queues/, probe: "~/queues" },
  {
    scope: "account",
    name: "Email Routing Addresses",
    level: "Edit",
    calls: /^\w+ ~\/email\/routing\/addresses/,
    probe: "~/email/routing/addresses",
  },
  { scope: "zone", name: "Zone", level: "Read", calls: /^GET \/zones(\?|$)/ },
  { scope: "zone", name: "DNS", level: "Edit", calls: /^\w+ ~\/dns_records/, probe: "~/dns_records?per_page=1" },
  {
    scope: "zone",
    name: "Email Routing Rules",
    level: "Edit",
    calls: /^\w+ ~\/email\/routing\/rules/,
    probe: "~/email/routing/rules",
  },
  {
    scope: "zone",
    name: "Zone Settings",
    level: "Edit",
    calls: /^\w+ ~\/email\/routing(\/dns)?$/,
    probe: "~/email/routing",
  },
  {
    scope: "zone",
    name: "Email Sending",
    level: "Edit",
    calls: /^\w+ ~\/email\/sending/,
    probe: "~/email/sending/subdomains",
  },
  // For wrangler, which attaches the domains.
  { scope: "zone", name: "Workers Routes", level: "Edit", calls: /^\w+ ~\/workers\//, probe: "~/workers/routes" },
];

/** The API's error in an account whose R2 nobody has switched on. */
const R2_IS_OFF = 10042;

/** Why setup cannot work with this token in this account, each as a sentence. */
export async function listObstacles({ id: accountId, api }: Account, zones: readonly Zone[]): Promise<string[]> {
  const obstacles: string[] = [];
  for (const { scope, name, level, probe } of PERMISSIONS) {
    if (!probe) continue;
    const places =
      scope === "account"
        ? [{ path: `/accounts/${accountId}`, of: "" }]
        : zones.map(({ id, name: domain }) => ({ path: `/zones/${id}`, of: ` for ${domain}` }));
    for (const { path, of } of places) {
      try {
        await api.get(probe.replace("~", path));
      } catch (error) {
        if (!(error instanceof APIError)) throw error;
        if (hasCode(error, R2_IS_OFF)) obstacles.push("R2 is off in this account: switch it on in the dashboard, R2");
        else if (error instanceof PermissionDeniedError) obstacles.push(`the token lacks ${name} ${level}${of}`);
      }
    }
  }
  return obstacles;
}

/** The permission that a refused call lacks; undefined if the error is another. */
export function missingPermission(error: unknown): string | undefined {
  if (!(error instanceof PermissionDeniedError)) return undefined;
  const permission = permissionFor(failedCall(error) ?? "");
  return permission ? `${permission.name} ${permission.level}` : `a permission (${error.message})`;
}

/** What an operator reads about a failure. */
export function explain(error: unknown): string {
  const missing = missingPermission(error);
  const message = error instanceof Error ? error.message : String(error);
  return missing ? `The token lacks ${missing}: ${message}` : message;
}

/** @param call `METHOD /path` */
export function permissionFor(call: string): Permission | undefined {
  const roots = { account: /\/accounts\/\w+/, zone: /\/zones\/[\w.-]+/ };
  return PERMISSIONS.find(({ scope, calls }) => calls.test(call.replace(roots[scope], "~")));
}
