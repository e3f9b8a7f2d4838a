import { parseClosingDay } from "@lambda/contract/closing";
import type { Env } from "./env.ts";

/** When the site ends; undefined for a site that stays. Throws for an invalid CLOSING_ON, which index.ts checks at the start. */
export const closingTime = ({ CLOSING_ON }: Pick<Env, "CLOSING_ON">): number | undefined => parseClosingDay(CLOSING_ON);
