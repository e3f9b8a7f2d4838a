/**
 * Reminds the maker of a plan shortly before its deadline. The object stores their account encrypted with a server key, so that a copy of
 * the objects alone identifies nobody.
 */
import { BRANDS, type BrandId } from "@lambda/brands";
import { inEachLocale } from "../../platform/copy.ts";
import { openDatabase } from "../../platform/db/database.ts";
import type { Env } from "../../platform/env.ts";
import { announce } from "../notifications/announce.ts";
import { insertNotificationQuery } from "../notifications/notify.ts";
import { meetsCopy } from "./copy.ts";

interface Maker {
  readonly profileId: number;
  readonly brand: BrandId;
}

const IV_BYTES = 12;
/** Padding that gives all encrypted makers the same length, regardless of id and brand. */
const SEALED_CHARS = 96;
const encoder = new TextEncoder();

export async function encryptMaker(env: Pick<Env, "POSITION_KEY">, maker: Maker): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const text = encoder.encode(JSON.stringify(maker).padEnd(SEALED_CHARS));
  const sealed = new Uint8Array(
    await crypto.subtle.encrypt({ name: "AES-GCM", iv }, await keyOf(env, "encrypt"), text),
  );
  return btoa(String.fromCharCode(...iv, ...sealed));
}

async function decryptMaker(env: Pick<Env, "POSITION_KEY">, text: string): Promise<Maker> {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const iv = bytes.slice(0, IV_BYTES);
  const key = await keyOf(env, "decrypt");
  const opened = await crypto.subtle.decrypt({ name: "AES-GCM", iv }, key, bytes.slice(IV_BYTES));
  return JSON.parse(new TextDecoder().decode(opened)) as Maker;
}

/** Derives a separate key, so that the other uses of the secret are independent of this one. */
async function keyOf({ POSITION_KEY }: Pick<Env, "POSITION_KEY">, use: "encrypt" | "decrypt"): Promise<CryptoKey> {
  const base = await crypto.subtle.importKey("raw", encoder.encode(POSITION_KEY), "HKDF", false, ["deriveKey"]);
  return crypto.subtle.deriveKey(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: encoder.encode("safe-meet maker") },
    base,
    { name: "AES-GCM", length: 256 },
    false,
    [use],
  );
}

/** Notifies the maker without mentioning a plan. Like any notification it uses the member's disguise. */
export async function remindMaker(env: Env, sealed: string, now: number): Promise<void> {
  const { profileId, brand: brandId } = await decryptMaker(env, sealed);
  const brand = BRANDS.find(({ id }) => id === brandId);
  if (!brand) return;
  const db = openDatabase(env.DB);
  const { rows } = await db.executeQuery(
    insertNotificationQuery(
      { db, brand, now },
      { profileId, kind: "reminder", bodyText: inEachLocale(meetsCopy, (text) => text.reminder) },
    ),
  );
  if (rows.length === 0) return;
  const sending: Promise<unknown>[] = [];
  announce({ env, brand, now, waitUntil: (work) => sending.push(work) }, profileId, "reminder");
  await Promise.all(sending);
}
