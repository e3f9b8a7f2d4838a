import { bramble } from "./bramble.ts";
import type { Brand } from "./brand.ts";
import { ember } from "./ember.ts";
import { harbor } from "./harbor.ts";

/** All brands; the first one is the default. */
export const BRANDS: readonly [Brand, ...Brand[]] = [ember, harbor, bramble];
