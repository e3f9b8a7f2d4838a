/**
 * Reminds the maker of a plan shortly before its deadline. The object stores their account encrypted with a server key, so that a copy of
 * the objects alone identifies nobody.
 */
import { BRANDS, type BrandId } from "@lambda/brands";
import { NOTIFICATION_KINDS } from "@lambda/contract/notification-kinds";
import { announce, insertNotificationQuery } from "../../notifications/notify.ts";
import { inEachLocale } from "../../platform/copy.ts";
import { openDatabase } from "../../platform/db/database.ts";
import { decrypt, encrypt } from "../../platform/encryption.ts";
import type { Env } from "../../platform/env.ts";
import type { Keys } from "../../platform/keys.ts";
import { meetsCopy } from "./copy.ts";

interface Maker {
  readonly profileId: number;
  readonly brand: BrandId;
}

const KEY_LABEL = "safe-meet-maker";
/** Padding that gives all encrypted makers the same length, regardless of id and brand. */
const SEALED_CHARS = 96;

export function encryptMaker(env: Keys, maker: Maker): string {
  return encrypt(env, KEY_LABEL, JSON.stringify(maker).padEnd(SEALED_CHARS)).toString("base64");
}

/** Notifies the maker without mentioning a plan. Like any notification it uses the member's disguise. */
export async function remindMaker(env: Env, sealed: string, now: number): Promise<void> {
  const opened = decrypt(env, KEY_LABEL, Buffer.from(sealed, "base64")).toString();
  const { profileId, brand: brandId } = JSON.parse(opened) as Maker;
  const brand = BRANDS.find(({ id }) => id === brandId);
  if (!brand) return;
  const db = openDatabase(env.DB);
  const bodyText = inEachLocale(meetsCopy, (text) => text.reminder);
  const plan = { profileId, kind: "plan", bodyText, url: NOTIFICATION_KINDS.plan.url } as const;
  const rows = await insertNotificationQuery({ db, brand, now }, plan).execute();
  if (rows.length === 0) return;
  const sending: Promise<unknown>[] = [];
  announce({ env, brand, now, waitUntil: (work) => sending.push(work) }, profileId, "plan");
  await Promise.all(sending);
}
