/** The operator's own provider of proofs of age (AGE_OIDC in wrangler.toml); none unless the operator contracts one. */
import { z } from "zod";

const AgeProvider = z.strictObject({
  /** As members read it. */
  name: z.string().trim().min(2).max(60),
  /** Its discovery document lies below. */
  issuer: z.url({ protocol: /^https?$/ }),
  clientId: z.string().min(1).max(200),
  scope: z.string().default("openid"),
  /** The claim of the id_token that says it, and the value that means over 18. */
  claim: z.string().min(1).max(100),
  value: z.union([z.boolean(), z.string(), z.number()]).default(true),
});
export type AgeProvider = z.infer<typeof AgeProvider>;

/** Throws an error that names the field. */
export function readAgeProvider(text = ""): AgeProvider | undefined {
  if (text.trim() === "") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error("AGE_OIDC is no JSON.");
  }
  const parsed = AgeProvider.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`AGE_OIDC: ${issue?.path.join(".") || "object"} ${issue?.message}`);
}
