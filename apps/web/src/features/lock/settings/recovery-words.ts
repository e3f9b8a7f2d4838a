import type { Locale } from "@lambda/contract/accounts";
import { RECOVERY_WORDS } from "@lambda/contract/limits";
import { CHUNK_WAIT_MS, withDeadline } from "../../../device/with-deadline.ts";

/** Picks random words from the BIP 39 list of 2048, which is made for writing down and reading aloud. */
export async function generateRecoveryWords(locale: Locale): Promise<string[]> {
  const { wordlist } = await withDeadline(CHUNK_WAIT_MS, () =>
    locale === "es" ? import("@scure/bip39/wordlists/spanish.js") : import("@scure/bip39/wordlists/english.js"),
  );
  // All words are equally likely, because 2048 divides 65536.
  const numbers = crypto.getRandomValues(new Uint16Array(RECOVERY_WORDS));
  return Array.from(numbers, (number) => (wordlist[number % wordlist.length] ?? "").normalize("NFC"));
}
