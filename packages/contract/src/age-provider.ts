/** The operator's own age verification provider (AGE_OIDC in wrangler.toml), if any. */
import { z } from "zod";

const AgeProvider = z.strictObject({
  /** Shown to members. */
  name: z.string().trim().min(2).max(60),
  /** Base URL of its discovery document. */
  issuer: z.url({ protocol: /^https?$/ }),
  clientId: z.string().min(1).max(200),
  scope: z.string().default("openid"),
  /** The id_token claim, and the value of it that means over 18. */
  claim: z.string().min(1).max(100),
  value: z.union([z.boolean(), z.string(), z.number()]).default(true),
});
export type AgeProvider = z.infer<typeof AgeProvider>;

/** Throws an error that names the invalid field. */
export function parseAgeProvider(text = ""): AgeProvider | undefined {
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
