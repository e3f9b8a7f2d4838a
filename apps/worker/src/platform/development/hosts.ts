import { BRANDS, type Brand } from "@lambda/brands";
import type { Env } from "../env.ts";

/** Development only: `<brand>.localhost`, and plain localhost for the first brand. */
export function findDevelopmentBrand(hostname: string): Brand | undefined {
  const name = hostname.toLowerCase().replace(/\.$/, "");
  return name === "localhost" ? BRANDS[0] : BRANDS.find((brand) => name === `${brand.id}.localhost`);
}

/** The origin of the requested local site, for links in mails; undefined for requests to a production host. */
export function developmentOrigin(request: Request, env: Env): string | undefined {
  const url = new URL(request.url);
  if (!findDevelopmentBrand(url.hostname)) return undefined;
  const port = env.DEVELOPMENT_PORT ?? url.port;
  return `http://${url.hostname.replace(/\.$/, "")}${port === "" ? "" : `:${port}`}`;
}
