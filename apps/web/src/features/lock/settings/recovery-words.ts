import type { Locale } from "@lambda/contract/accounts";
import { RECOVERY_WORDS } from "@lambda/contract/limits";

/** Words drawn by chance from a list of 2048 that was made to be written down and read aloud (BIP 39). */
export async function drawRecoveryWords(locale: Locale): Promise<string[]> {
  const { wordlist } =
    locale === "es"
      ? await import("@scure/bip39/wordlists/spanish.js")
      : await import("@scure/bip39/wordlists/english.js");
  // 2048 divides 65536: every word is as likely.
  const drawn = crypto.getRandomValues(new Uint16Array(RECOVERY_WORDS));
  return Array.from(drawn, (number) => (wordlist[number % wordlist.length] ?? "").normalize("NFC"));
}
