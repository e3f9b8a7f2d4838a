import { z } from "zod";
import { Time } from "./primitives.ts";

/** What a place asks for: nothing, a proof of age, or it is closed whatever one proves. */
export const AGE_RULES = ["open", "proof", "closed"] as const;
export const AgeRule = z.enum(AGE_RULES);
export type AgeRule = z.infer<typeof AgeRule>;

/** eu-av: the European age attestation. mdl: a mobile driving licence. oidc: a provider that the operator contracts. */
export const AGE_METHODS = ["eu-av", "mdl", "oidc"] as const;
export const AgeMethod = z.enum(AGE_METHODS);
export type AgeMethod = z.infer<typeof AgeMethod>;

/** How a proof ended: proved, or why it was refused. */
export const AGE_OUTCOMES = [
  "proved",
  /** Not a proof at all, or one that was asked for by somebody else. */
  "malformed",
  /** Of another kind than the one that was asked for. */
  "wrong-document",
  /** Signed by nobody who is trusted. */
  "unknown-issuer",
  /** Not valid yet, or no longer. */
  "not-valid-now",
  /** A signature or digest that does not fit. */
  "tampered",
  /** It says that its holder is under 18, or does not say. */
  "not-over-18",
  /** It carries more than it was asked for. */
  "too-much",
  /** It has opened another account. */
  "used-before",
  /** Whoever was asked said no. */
  "declined",
  /** The provider could not be asked, or refused. */
  "provider-failed",
] as const;
export const AgeOutcome = z.enum(AGE_OUTCOMES);
export type AgeOutcome = z.infer<typeof AgeOutcome>;

/** What holds where this request comes from, and whether it is met. */
export const AgeStanding = z.object({
  join: AgeRule,
  seeExplicit: AgeRule,
  /** The member, or the visitor who wants to join, has proved their age. */
  proved: z.boolean(),
});
export type AgeStanding = z.infer<typeof AgeStanding>;

/** A member's own proof, as the settings show it. */
export const AgeStatus = AgeStanding.extend({
  proof: z.object({ method: AgeMethod, day: z.string(), policy: z.string() }).nullable(),
  /** The methods that this site offers, the preferred one first. */
  methods: z.array(z.object({ method: AgeMethod, provider: z.string().nullable() })),
});
export type AgeStatus = z.infer<typeof AgeStatus>;

export const AgeBegin = z.object({ method: AgeMethod });

/** How to ask a wallet or a provider; `state` names the request to the page that began it. */
export const AgeRequest = z.object({
  state: z.string(),
  tsExpires: Time,
  /** The argument of navigator.credentials.get, as JSON; null where the method has no wallet. */
  digitalCredential: z.record(z.string(), z.unknown()).nullable(),
  /** Opens a wallet on this device, or the provider's page. */
  link: z.string(),
  /** The link as a picture for another device: the sides of the modules, row by row, dark ones "1". */
  qr: z.array(z.string()),
  /** In development builds the wallet to play with; null in production. */
  testWallet: z.string().nullable(),
});
export type AgeRequest = z.infer<typeof AgeRequest>;

export const AGE_STATE_MAX_CHARS = 64;
export const AgeState = z.string().min(1).max(AGE_STATE_MAX_CHARS);
/** A device response with its certificates takes 2 to 6 KB. */
export const AGE_RESPONSE_MAX_CHARS = 40_000;

/** What the browser got: of a wallet the vp_token as JSON, of a provider the query of its answer. */
export const AgeAnswer = z.object({ state: AgeState, response: z.string().min(1).max(AGE_RESPONSE_MAX_CHARS) });

export const AgeProgress = z.object({ outcome: AgeOutcome.nullable(), expired: z.boolean() });
export type AgeProgress = z.infer<typeof AgeProgress>;
