import { BRAND_IDS, BRANDS, type Brand, getBrand, resolveBrand } from "@lambda/brands";
import type { Locale } from "@lambda/contract/accounts";
import { createContext, useContext } from "react";

/** Whose page this is and in which language it came: known to the document in a browser, and to the build that draws pages. */
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

export function useBrand(): Brand {
  return useSite().brand;
}

/** The brand of this document: the worker writes its id into it, the host name tells it where no worker did. */
export function pageBrand(): Brand {
  const id = BRAND_IDS.find((candidate) => candidate === document.documentElement.dataset.brand);
  const found = (id && getBrand(id)) ?? resolveBrand(location.host) ?? BRANDS[0];
  if (!found) throw new Error("there is no brand");
  return found;
}
