import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { PASSWORD_MIN_CHARS } from "@lambda/contract/limits";
import { AppError } from "../../platform/errors.ts";
import { isCommonPassword } from "./common-passwords.ts";

/**
 * OWASP Password Storage Cheat Sheet: scrypt with N=2^14, r=8, p=5 (16 MiB) equals N=2^17, r=8, p=1, which would not
 * fit in an isolate's 128 MB alongside other requests.
 */
const COST = { N: 16_384, r: 8, p: 5 };
const HASH_BYTES = 32;

/** Returns "scrypt$N$r$p$salt$hash" in base64; the stored parameters allow raising the cost later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await deriveKey(password, salt, COST);
  return ["scrypt", COST.N, COST.r, COST.p, salt.toString("base64"), hash.toString("base64")].join("$");
}

/**
 * Compares in constant time. Does the same work without a stored hash, so that timing does not reveal whether an
 * address is known.
 */
export async function verifyPassword(password: string, stored: string | null | undefined): Promise<boolean> {
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
  if ([...password].length < PASSWORD_MIN_CHARS) {
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
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, HASH_BYTES, { ...cost, maxmem: 64 * 1024 * 1024 }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
