import type { PagePath } from "@lambda/contract/page-paths";
import type { Context } from "../context.ts";
import { developmentOrigin } from "../development/hosts.ts";
import { originOf } from "../http/address.ts";

/** A page that exists, or a path of the API. */
type SitePath = "" | PagePath | `${PagePath}${"?" | "#"}${string}` | `/notice/${string}` | `/api/${string}`;

/**
 * A link to a path of the brand's site, for mails. In production it does not depend on the request: a caller who triggers a mail to somebody
 * else must not control the link's scheme, host or port.
 */
export function siteLink(ctx: Pick<Context, "brand" | "request" | "env">, path: SitePath): string {
  const localOrigin = __DEVELOPMENT__ ? developmentOrigin(ctx.request, ctx.env) : undefined;
  return `${localOrigin ?? originOf(ctx.brand)}${path}`;
}
