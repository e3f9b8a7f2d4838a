import { BRANDS, type Brand } from "@lambda/brands";
import type { Env } from "../env.ts";

/** Development only: `<brand>.localhost`, and plain localhost for the first brand. Not in a production build. */
export function findDevelopmentBrand(hostname: string): Brand | undefined {
  const name = hostname.toLowerCase().replace(/\.$/, "");
  return name === "localhost" ? BRANDS[0] : BRANDS.find((brand) => name === `${brand.id}.localhost`);
}

/** The local site that was asked, so that its links open there; undefined for a request by a production host. */
export function developmentOrigin(request: Request, env: Env): string | undefined {
  const url = new URL(request.url);
  if (!findDevelopmentBrand(url.hostname)) return undefined;
  const port = env.DEVELOPMENT_PORT ?? url.port;
  return `http://${url.hostname.replace(/\.$/, "")}${port === "" ? "" : `:${port}`}`;
}
