import { z } from "zod";
import { Time } from "./primitives.ts";

/** What the law of a place requires: nothing, a proof of age, or that it stays closed regardless. */
export const AgeRule = z.enum(["open", "proof", "closed"]);
export type AgeRule = z.infer<typeof AgeRule>;

/** eu-av: the European age attestation. mdl: a mobile driver's license. oidc: a provider contracted by the operator. */
export const AgeMethod = z.enum(["eu-av", "mdl", "oidc"]);
export type AgeMethod = z.infer<typeof AgeMethod>;

/** The result of an age proof: proved, or why it was refused. */
export const AgeOutcome = z.enum([
  "proved",
  /** Not a proof at all, or one made for somebody else's request. */
  "malformed",
  /** A different kind of document than requested. */
  "wrong-document",
  /** Not signed by a trusted issuer. */
  "unknown-issuer",
  /** Not valid yet, or expired. */
  "not-valid-now",
  /** A signature or digest does not match. */
  "tampered",
  /** It does not state that its holder is over 18. */
  "not-over-18",
  /** It discloses more than was requested. */
  "too-much",
  /** It was already used for another account. */
  "used-before",
  /** The holder declined the request. */
  "declined",
  /** The provider could not be reached, or refused. */
  "provider-failed",
]);
export type AgeOutcome = z.infer<typeof AgeOutcome>;

/** The rules that apply where the request comes from, and the member's own proof, for the settings screen. */
export const AgeStatus = z.object({
  join: AgeRule,
  seeExplicit: AgeRule,
  /** The member, or the visitor who wants to register, has proved their age. */
  proved: z.boolean(),
  proof: z.object({ method: AgeMethod, day: z.string(), policy: z.string() }).nullable(),
  /** Methods offered by this site, preferred one first. */
  methods: z.array(z.object({ method: AgeMethod, provider: z.string().nullable() })),
});
export type AgeStatus = z.infer<typeof AgeStatus>;

export const AgeProofStart = z.object({ method: AgeMethod });

/** How to ask a wallet or provider for the proof; `state` identifies the request to the page that started it. */
export const AgeProofRequest = z.object({
  state: z.string(),
  tsExpires: Time,
  /** Argument for navigator.credentials.get, as JSON; null if the method uses no wallet. */
  digitalCredential: z.record(z.string(), z.unknown()).nullable(),
  /** Opens a wallet on this device or the provider's page. */
  link: z.string(),
  /** The link as a QR code for another device: one string per row, with "1" for each dark module. */
  qr: z.array(z.string()),
  /** URL of the test wallet in development builds; null in production. */
  testWallet: z.string().nullable(),
});
export type AgeProofRequest = z.infer<typeof AgeProofRequest>;

export const AGE_STATE_MAX_CHARS = 64;
export const AgeState = z.string().min(1).max(AGE_STATE_MAX_CHARS);
/** A wallet's response with its certificates is 2 to 6 KB. */
export const AGE_RESPONSE_MAX_CHARS = 40_000;

/** What the browser received: a wallet's vp_token as JSON, or the query string of a provider's redirect. */
export const AgeProofResponse = z.object({ state: AgeState, response: z.string().min(1).max(AGE_RESPONSE_MAX_CHARS) });

export const AgeProofProgress = z.object({ outcome: AgeOutcome.nullable(), expired: z.boolean() });
export type AgeProofProgress = z.infer<typeof AgeProofProgress>;
