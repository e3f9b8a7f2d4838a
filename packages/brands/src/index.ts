import { BRANDS } from "./all.ts";
import type { Brand, BrandId } from "./brand.ts";

export { BRANDS, EXAMPLE_BRANDS } from "./all.ts";
export { BRAND_IDS, type Brand, type BrandId, type BrandPalette, type SignalPalette } from "./brand.ts";
export { brandCss } from "./brand-css.ts";
export { missingContacts } from "./missing-contacts.ts";
export { SIGNALS } from "./signals.ts";
export { brandsOfSite, type SiteBrand, type SiteBrands } from "./site-brands.ts";

/** The mask of a profile that is shared with all brands. */
export const ALL_BRANDS_MASK = /* @__PURE__ */ BRANDS.reduce((mask, brand) => mask | brand.bit, 0);

export function getBrand(id: BrandId): Brand {
  const brand = BRANDS.find((candidate) => candidate.id === id);
  if (!brand) throw new Error(`no brand ${id}`);
  return brand;
}

/** For what is stored with a brand, which may have been removed since: then the first one stands for it. */
export const storedBrand = (id: string): Brand => BRANDS.find((brand) => brand.id === id) ?? BRANDS[0];

/** The brand for a `Host` header, ignoring port and case; undefined for an unknown host, for which the worker responds with 421. */
export function resolveBrand(host: string): Brand | undefined {
  const name = host.toLowerCase().replace(/:\d+$/, "").replace(/\.$/, "");
  return BRANDS.find((brand) => brand.hosts.includes(name));
}
