import { randomBytes, scryptSync } from "node:crypto";

const COST = { N: 1024, r: 8, p: 1 };

/** Hashes a password as the worker does, at a hundredth of the cost. The worker reads the cost from the stored hash. */
export function quickHash(password: string): string {
  const salt = randomBytes(16);
  const hash = scryptSync(password.normalize("NFKC"), salt, 32, COST);
  return ["scrypt", COST.N, COST.r, COST.p, salt.toString("base64"), hash.toString("base64")].join("$");
}
