/** Adds a fourth brand to the lists of brands. Import this file before @lambda/brands. */
import { BRANDS } from "../../../brands/src/all.ts";
import { BRAND_IDS, type Brand, type BrandId } from "../../../brands/src/brand.ts";

/** The id is cast because only real brands are in its type. */
export const FOURTH_BRAND: Brand = {
  ...BRANDS[0],
  id: "quartz" as BrandId,
  bit: 8,
  name: "Quartz",
  hosts: ["quartz.example"],
};

(BRANDS as unknown as Brand[]).push(FOURTH_BRAND);
(BRAND_IDS as unknown as BrandId[]).push(FOURTH_BRAND.id);
