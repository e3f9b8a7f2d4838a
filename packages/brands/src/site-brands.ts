import type { Brand, BrandId } from "./brand.ts";

/** What the operator of a site decides about one brand (docs/OPERATIONS.md); everything else is as in this package. */
export interface SiteBrand {
  readonly name: string;
  /** Without `www.`, which redirects to it. */
  readonly host: string;
  readonly legalName: string;
  readonly firstCity: Brand["firstCity"];
  readonly contact: Brand["contact"];
}

/** The brands that a site runs. */
export type SiteBrands = Readonly<Partial<Record<BrandId, SiteBrand>>>;

/** The operator's brands, in the order of the examples. Throws if there is none. */
export function brandsOfSite(examples: readonly Brand[], site: SiteBrands): [Brand, ...Brand[]] {
  const [first, ...others] = examples.flatMap((example) => {
    const own = site[example.id];
    if (!own) return [];
    const { host, ...rest } = own;
    return {
      ...example,
      ...rest,
      hosts: [host, `www.${host}`] as const,
      senderAddress: `hello@${host}`,
      operatorAddress: `volunteers@${host}`,
    };
  });
  if (!first) throw new Error("The site has no brand.");
  return [first, ...others];
}
