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

const edit = (scope: Permission["scope"], name: string, calls: RegExp, probe: string): Permission => ({
  scope,
  name,
  level: "Edit",
  calls,
  probe,
});

export const PERMISSIONS: readonly Permission[] = [
  edit("account", "Workers Scripts", /^\w+ ~\/workers\//, "~/workers/scripts"),
  edit("account", "D1", /^\w+ ~\/d1\//, "~/d1/database?per_page=10"),
  edit("account", "Workers R2 Storage", /^\w+ ~\/r2\//, "~/r2/buckets"),
  edit("account", "Queues", /^\w+ ~\/queues/, "~/queues"),
  edit("account", "Email Routing Addresses", /^\w+ ~\/email\/routing\/addresses/, "~/email/routing/addresses"),
  // For wrangler's d1 insights, which the guide asks for.
  { scope: "account", name: "Account Analytics", level: "Read", calls: /^POST \/graphql$/ },
  { scope: "zone", name: "Zone", level: "Read", calls: /^GET \/zones(\?|$)/ },
  edit("zone", "DNS", /^\w+ ~\/dns_records/, "~/dns_records?per_page=1"),
  edit("zone", "Email Routing Rules", /^\w+ ~\/email\/routing\/rules/, "~/email/routing/rules"),
  edit("zone", "Zone Settings", /^\w+ ~\/email\/routing(\/dns)?$/, "~/email/routing"),
  edit("zone", "Email Sending", /^\w+ ~\/email\/sending/, "~/email/sending/subdomains"),
  // For wrangler, which attaches the domains.
  edit("zone", "Workers Routes", /^\w+ ~\/workers\//, "~/workers/routes"),
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
