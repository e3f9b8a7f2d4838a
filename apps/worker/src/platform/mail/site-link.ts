import type { Context } from "../context.ts";
import { developmentOrigin } from "../development/hosts.ts";
import { originOf } from "../http/address.ts";

/**
 * A link to a path of the brand's site, for mails. In production it owes nothing to the request: whoever asks for a mail to somebody
 * else must not choose the scheme, the host or the port of what is in it.
 */
export function siteLink(ctx: Pick<Context, "brand" | "request" | "env">, path: string): string {
  const local = __DEVELOPMENT__ ? developmentOrigin(ctx.request, ctx.env) : undefined;
  return `${local ?? originOf(ctx.brand)}${path}`;
}
