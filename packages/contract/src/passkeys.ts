import { z } from "zod";
import { PASSKEY_NAME_MAX_CHARS } from "./limits.ts";
import { Id, SingleLine, Time } from "./primitives.ts";

/** Base64url bytes, as in WebAuthn's JSON. The limits are far above what authenticators produce. */
const bytes = (maxChars: number) =>
  z
    .string()
    .max(maxChars)
    .regex(/^[\w-]*$/, { message: "is not base64url" });
const CredentialId = bytes(1400).min(1);

export const PasskeyName = SingleLine.min(1).max(PASSKEY_NAME_MAX_CHARS);

const Credential = z.object({ id: CredentialId, rawId: CredentialId, type: z.literal("public-key") });

/** The browser's response after a passkey signed a challenge. */
export const PasskeyAssertion = Credential.extend({
  response: z.object({
    clientDataJSON: bytes(4000),
    authenticatorData: bytes(4000),
    signature: bytes(8000),
    userHandle: bytes(100).optional(),
  }),
});
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>;

/** The browser's response after creating a passkey. */
export const PasskeyAttestation = Credential.extend({
  response: z.object({
    clientDataJSON: bytes(4000),
    attestationObject: bytes(16_000),
    transports: z.array(z.string().max(30)).max(10).optional(),
  }),
});
export type PasskeyAttestation = z.infer<typeof PasskeyAttestation>;

/** How a browser can reach the authenticator. Unknown transports are not stored. */
export const PASSKEY_TRANSPORTS = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"] as const;
const Descriptor = z.object({
  id: z.string(),
  type: z.literal("public-key"),
  transports: z.array(z.enum(PASSKEY_TRANSPORTS)),
});

/** Options for navigator.credentials.get. A login lists no passkeys; the device offers those it has for this site. */
export const PasskeyRequest = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number().int(),
  userVerification: z.literal("required"),
  allowCredentials: z.array(Descriptor).optional(),
});
export type PasskeyRequest = z.infer<typeof PasskeyRequest>;

/** Options for navigator.credentials.create, and a suggested name for the passkey. */
export const PasskeyCreation = z.object({
  proposedName: z.string(),
  options: z.object({
    challenge: z.string(),
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ type: z.literal("public-key"), alg: z.number().int() })),
    timeout: z.number().int(),
    excludeCredentials: z.array(Descriptor),
    authenticatorSelection: z.object({
      residentKey: z.literal("required"),
      requireResidentKey: z.literal(true),
      userVerification: z.literal("required"),
    }),
    attestation: z.literal("none"),
  }),
});
export type PasskeyCreation = z.infer<typeof PasskeyCreation>;

export const NewPasskey = z.object({ attestation: PasskeyAttestation, name: PasskeyName.optional() });

export const PasskeyLogin = z.object({ assertion: PasskeyAssertion, remember: z.boolean().default(true) });

export const Passkey = z.object({
  id: Id,
  name: z.string(),
  /** The brand on whose site it works. */
  brand: z.string(),
  /** Whether it works on the site of this request. */
  worksHere: z.boolean(),
  /** Synced by the device's platform, so that the member's other devices have it too. */
  backedUp: z.boolean(),
  tsCreated: Time,
  tsLastUsed: Time.nullable(),
  /** When it was detected to be a clone; from then on it no longer works. */
  tsCloned: Time.nullable(),
});
export type Passkey = z.infer<typeof Passkey>;
