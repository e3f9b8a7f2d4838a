import { BRAND_IDS, BRANDS, type Brand, getBrand, resolveBrand } from "@lambda/brands";

/** The brand of this page: the worker writes its id into the document, the host name tells it where no worker did. */
export const brand: Brand = findBrand();

function findBrand(): Brand {
  const id = BRAND_IDS.find((candidate) => candidate === document.documentElement.dataset.brand);
  const found = (id && getBrand(id)) ?? resolveBrand(location.host) ?? BRANDS[0];
  if (!found) throw new Error("there is no brand");
  return found;
}
