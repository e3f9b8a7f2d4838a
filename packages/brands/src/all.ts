import { bramble } from "./bramble.ts";
import type { Brand } from "./brand.ts";
import { ember } from "./ember.ts";
import { harbor } from "./harbor.ts";
import { brandsOfSite, type SiteBrands } from "./site-brands.ts";

/** Replaced in the bundles of a deployment by the operator's brands. */
declare const __SITE_BRANDS__: SiteBrands | null;
declare const process: { readonly env: Readonly<Record<string, string | undefined>> };

/** The brands of this repository, for development and tests. */
export const EXAMPLE_BRANDS: readonly [Brand, ...Brand[]] = [ember, harbor, bramble];

/** The build of a deployment runs parts of the web application in Node, where nothing is replaced. */
function readEnvironment(): SiteBrands | null {
  const text = typeof process === "undefined" ? undefined : process.env.SITE_BRANDS;
  return text ? (JSON.parse(text) as SiteBrands) : null;
}

const site = typeof __SITE_BRANDS__ === "undefined" ? readEnvironment() : __SITE_BRANDS__;

/** All brands; the first one is the default. */
export const BRANDS: readonly [Brand, ...Brand[]] = site ? brandsOfSite(EXAMPLE_BRANDS, site) : EXAMPLE_BRANDS;
