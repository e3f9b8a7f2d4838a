import { z } from "zod";
import { PASSKEY_NAME_MAX_CHARS } from "./limits.ts";
import { Id, Line, Time } from "./primitives.ts";

/** The bytes of WebAuthn as its JSON forms hold them; the limits are far above what authenticators make. */
const bytes = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[\w-]*$/, { message: "is not base64url" });
const CredentialId = bytes(1400).min(1);

export const PasskeyName = Line.min(1, { message: "is required" }).max(PASSKEY_NAME_MAX_CHARS);

/** What a browser answers when a passkey signed. */
export const PasskeyAssertion = z.object({
  id: CredentialId,
  rawId: CredentialId,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: bytes(4000),
    authenticatorData: bytes(4000),
    signature: bytes(8000),
    userHandle: bytes(100).optional(),
  }),
});
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>;

/** What a browser answers when it made a passkey. */
export const PasskeyAttestation = z.object({
  id: CredentialId,
  rawId: CredentialId,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: bytes(4000),
    attestationObject: bytes(16_000),
    transports: z.array(z.string().max(30)).max(10).optional(),
  }),
});
export type PasskeyAttestation = z.infer<typeof PasskeyAttestation>;

/** How a browser can reach an authenticator again; others that it names are not kept. */
export const PASSKEY_TRANSPORTS = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"] as const;
const Descriptor = z.object({
  id: z.string(),
  type: z.literal("public-key"),
  transports: z.array(z.enum(PASSKEY_TRANSPORTS)),
});

/** What the browser needs to have a passkey sign. A login names no passkey: the device offers those that it has for this site. */
export const PasskeyRequest = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number().int(),
  userVerification: z.literal("required"),
  allowCredentials: z.array(Descriptor).optional(),
});
export type PasskeyRequest = z.infer<typeof PasskeyRequest>;

/** What the browser needs to make a passkey, and the name that is proposed for it. */
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
  /** The brand whose site it opens. */
  brand: z.string(),
  /** Whether it works on the site that was asked. */
  worksHere: z.boolean(),
  /** The device's maker keeps a copy, so that other devices of the same member have it too. */
  backedUp: z.boolean(),
  tsCreated: Time,
  tsLastUsed: Time.nullable(),
  /** When it was seen to be a copy; from then on it opens nothing. */
  tsCloned: Time.nullable(),
});
export type Passkey = z.infer<typeof Passkey>;
