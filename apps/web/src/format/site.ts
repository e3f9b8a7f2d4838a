import { BRAND_IDS, BRANDS, type Brand, getBrand, resolveBrand } from "@lambda/brands";
import type { Locale } from "@lambda/contract/accounts";
import { createContext, useContext } from "react";

/** The brand and language of a page: read from the document in a browser, set by the build when it prerenders. */
export interface Site {
  readonly brand: Brand;
  readonly locale: Locale;
}

const SiteContext = createContext<Site | undefined>(undefined);
export const SiteProvider = SiteContext.Provider;

export function useSite(): Site {
  const site = useContext(SiteContext);
  if (!site) throw new Error("there is no SiteProvider");
  return site;
}

export const useBrand = (): Brand => useSite().brand;

/** The brand of this document. The worker writes its id into the document; otherwise the host name decides. */
export function pageBrand(): Brand {
  const id = BRAND_IDS.find((candidate) => candidate === document.documentElement.dataset.brand);
  const brand = (id && getBrand(id)) ?? resolveBrand(location.host) ?? BRANDS[0];
  if (!brand) throw new Error("there is no brand");
  return brand;
}
