/** For tests: a brand that is in no list yet. Imported before @lambda/brands, it joins the lists that the others are in. */
import { BRANDS } from "../../../brands/src/all.ts";
import { BRAND_IDS, type Brand, type BrandId } from "../../../brands/src/brand.ts";

/** Not in the type of ids, which a real brand file would join too. */
export const FOURTH_BRAND: Brand = {
  ...BRANDS[0],
  id: "quartz" as BrandId,
  bit: 8,
  name: "Quartz",
  hosts: ["quartz.example"],
};

(BRANDS as unknown as Brand[]).push(FOURTH_BRAND);
(BRAND_IDS as unknown as BrandId[]).push(FOURTH_BRAND.id);
