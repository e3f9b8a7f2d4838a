import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { PASSWORD_HASH_MS } from "@lambda/contract/cost";
import { PASSWORD_MIN_CHARS } from "@lambda/contract/limits";
import { foldSecret } from "@lambda/contract/typed";
import { AppError } from "../platform/errors.ts";
import { spend } from "../platform/spend.ts";

/**
 * OWASP Password Storage Cheat Sheet: scrypt with N=2^14, r=8, p=5 (16 MiB) equals N=2^17, r=8, p=1, which would not
 * fit in an isolate's 128 MB alongside other requests.
 */
const COST = { N: 16_384, r: 8, p: 5 };
const HASH_BYTES = 32;

/** Returns "scrypt$N$r$p$salt$hash" in base64; the stored parameters allow raising the cost later. Every keyboard's spelling matches it. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await deriveKey(foldSecret(password), salt, COST);
  return ["scrypt", COST.N, COST.r, COST.p, salt.toString("base64"), hash.toString("base64")].join("$");
}

/**
 * Compares in constant time. Does the same work without a stored hash, so that timing does not reveal whether an
 * address is known. Hashes from before spellings were folded match what was typed then.
 */
export async function verifyPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const folded = foldSecret(password);
  if (await matches(folded, stored)) return true;
  return folded !== password.normalize("NFKC") && matches(password, stored);
}

async function matches(password: string, stored: string | null | undefined): Promise<boolean> {
  const [, N, r, p, salt, hash] = (stored ?? `scrypt$${COST.N}$${COST.r}$${COST.p}$AAAA$AAAA`).split("$");
  const expected = Buffer.from(hash ?? "", "base64");
  const actual = await deriveKey(password, Buffer.from(salt ?? "", "base64"), {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  });
  return expected.length === actual.length && timingSafeEqual(expected, actual) && Boolean(stored);
}

/** Throws BAD_INPUT for a password that is too short or among the most common. */
export async function checkPasswordStrength(password: string): Promise<void> {
  if ([...foldSecret(password)].length < PASSWORD_MIN_CHARS) {
    throw new AppError("BAD_INPUT", {
      field: "password",
      message: `password: use at least ${PASSWORD_MIN_CHARS} characters`,
    });
  }
  if (await isCommonPassword(password)) {
    throw new AppError("BAD_INPUT", { field: "password", message: "password: this one is among the most common" });
  }
}

function deriveKey(password: string, salt: Buffer, cost: { N: number; r: number; p: number }): Promise<Buffer> {
  spend("worker CPU, ms", PASSWORD_HASH_MS);
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, HASH_BYTES, { ...cost, maxmem: 64 * 1024 * 1024 }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

/**
 * Recognizes the passwords that attackers try first: the most leaked ones (ASVS 5.0, 6.2.4) as listed by zxcvbn-ts,
 * some additions in our languages, and either with up to four digits or signs around it ("michael1985").
 */
const ADDITIONS =
  `1234567890 12345678910 123456789a 0123456789 1234567891 123456789q 1q2w3e4r5t qwertyuiop qwerty12345 qwerty123456
  password12 password123 password1234 password12345 passw0rd123 p@ssw0rd123 mypassword mypassword1 changeme123 letmein123
  iloveyou123 iloveyou12 iloveyousomuch welcome123 welcome1234 administrator admin12345 admin123456 abcdefghij abcdefghijk
  abc1234567 abcd123456 a123456789 aa12345678 aaaaaaaaaa 1111111111 0000000000 1212121212 9876543210 0987654321 1122334455
  1234512345 1029384756 147258369a 123qweasdzxc 1qaz2wsx3edc qazwsxedcrfv zaq12wsxcde3 asdfghjkl1 asdfghjkl123 zxcvbnm123
  q1w2e3r4t5 q1w2e3r4t5y6 football123 baseball123 basketball superman123 spiderman1 liverpool1 manchester sunshine123
  princess123 michael123 charlie123 computer123 internet123 samsung123 trustno123 whatever123 starwars123 pokemon123
  dragon12345 monkey12345 shadow12345 master12345 freedom123 blink182182 christopher chocolate1 strawberry butterfly1
  alexander1 jonathan123 elizabeth1 leonardo123 barcelona1 realmadrid realmadrid1 juventus123 chelsea123 arsenal123
  contraseña contrasena contraseña1 contrasena123 teamotanto teamomucho tequiero123 hola123456 hola12345678 secret12345
  1234qwerasdf qwer1234asdf asdf1234asdf qwerasdfzxcv 12qwaszx12 google12345 facebook123 instagram1 whatsapp123 testtest123
  testing123 test123456 demo123456 guest12345 qwertyqwerty qweasdzxc123 asdfasdfasdf 12345qwert 123456abcd 1234abcd1234`.split(
    /\s+/,
  );

/** A common password stays weak with this many digits or signs around it. */
const PADDING_MAX_CHARS = 4;

let commonPasswords: Promise<ReadonlySet<string>> | undefined;

export async function isCommonPassword(password: string): Promise<boolean> {
  // Loaded when a password is first chosen: the list is 380 kB, too much for every worker start.
  commonPasswords ??= import("@zxcvbn-ts/language-common").then(
    ({ dictionary }) => new Set([...ADDITIONS, ...dictionary["passwords-common"]]),
  );
  const common = await commonPasswords;
  const normalized = foldSecret(password).toLowerCase();
  const half = normalized.slice(0, normalized.length / 2);
  if (common.has(half) && normalized === half + half) return true;
  for (let before = 0; before <= PADDING_MAX_CHARS; before++) {
    for (let after = 0; before + after <= PADDING_MAX_CHARS; after++) {
      const core = normalized.slice(before, normalized.length - after);
      const padding = normalized.slice(0, before) + normalized.slice(normalized.length - after);
      if (common.has(core) && !/\p{L}/u.test(padding)) return true;
    }
  }
  return false;
}
