/** An authenticator in software: makes passkeys (ES256, attestation "none") and signs with them, as a browser would hand it on. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** What a test may have it do otherwise than a device does. */
export interface Deviations {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly crossOrigin?: boolean;
  /** Leaves out that the member unlocked the device for it. */
  readonly unverified?: boolean;
  readonly counter?: number;
  readonly userHandle?: string;
  /** The format of the attestation, and what stands in it. */
  readonly attestation?: { readonly format: string; readonly statement: CborMap };
}

export interface SoftPasskey {
  readonly id: string;
  readonly rpId: string;
  readonly origin: string;
  readonly userHandle: string;
  readonly privateKey: KeyObject;
  counter: number;
}

interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const BACKUP_ELIGIBLE = 0x08;
const ATTESTED = 0x40;
const ES256 = -7;

/** Makes a passkey. `counts`: whether it counts its signatures, as those that are not copied between devices do. */
export function makePasskey(
  options: CreationOptions,
  origin: string,
  { counts = true, ...deviations }: Deviations & { counts?: boolean } = {},
) {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(32);
  const counter = deviations.counter ?? (counts ? 1 : 0);
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const cose: CborMap = new Map<CborKey, Cbor>([
    ...([
      [1, 2],
      [3, ES256],
      [-1, 1],
    ] as const),
    [-2, Buffer.from(x, "base64url")],
    [-3, Buffer.from(y, "base64url")],
  ]);
  const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cbor(cose)]);
  const flags = PRESENT | BACKUP_ELIGIBLE | ATTESTED | (deviations.unverified ? 0 : VERIFIED);
  const authData = Buffer.concat([headOf(deviations.rpId ?? options.rp.id, flags, counter), attested]);
  const { format, statement } = deviations.attestation ?? { format: "none", statement: new Map() };
  const object = cbor(
    new Map<CborKey, Cbor>([
      ["fmt", format],
      ["attStmt", statement],
      ["authData", authData],
    ]),
  );
  const passkey: SoftPasskey = {
    id: id.toString("base64url"),
    ...{ rpId: options.rp.id, origin, userHandle: options.user.id, privateKey, counter },
  };
  const attestation = {
    id: passkey.id,
    rawId: passkey.id,
    type: "public-key" as const,
    response: {
      clientDataJSON: clientData("webauthn.create", options.challenge, origin, deviations),
      attestationObject: object.toString("base64url"),
      transports: ["internal", "a-new-one"],
    },
  };
  return { passkey, attestation };
}

/** Signs a challenge, and counts on. */
export function signWith(passkey: SoftPasskey, challenge: string, deviations: Deviations = {}) {
  if (passkey.counter > 0) passkey.counter += 1;
  const flags = PRESENT | BACKUP_ELIGIBLE | (deviations.unverified ? 0 : VERIFIED);
  const authData = headOf(deviations.rpId ?? passkey.rpId, flags, deviations.counter ?? passkey.counter);
  const clientDataJSON = clientData("webauthn.get", challenge, passkey.origin, deviations);
  const signed = Buffer.concat([authData, sha256(Buffer.from(clientDataJSON, "base64url"))]);
  const signature = sign("sha256", signed, passkey.privateKey);
  return {
    id: passkey.id,
    rawId: passkey.id,
    type: "public-key" as const,
    response: {
      clientDataJSON,
      authenticatorData: authData.toString("base64url"),
      signature: signature.toString("base64url"),
      userHandle: deviations.userHandle ?? passkey.userHandle,
    },
  };
}

function clientData(type: string, challenge: string, origin: string, deviations: Deviations): string {
  const { crossOrigin = false } = deviations;
  const told = { type: deviations.type ?? type, challenge, origin: deviations.origin ?? origin, crossOrigin };
  return Buffer.from(JSON.stringify(told)).toString("base64url");
}

function headOf(rpId: string, flags: number, counter: number): Buffer {
  const tail = Buffer.alloc(5);
  tail.writeUInt8(flags, 0);
  tail.writeUInt32BE(counter, 1);
  return Buffer.concat([sha256(Buffer.from(rpId)), tail]);
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest();
}

type CborKey = string | number;
type Cbor = string | number | Uint8Array | readonly Cbor[] | CborMap;
type CborMap = ReadonlyMap<CborKey, Cbor>;

/** The few kinds of CBOR that an attestation is made of. */
function cbor(value: Cbor): Buffer {
  if (typeof value === "number") return value >= 0 ? headed(0, value) : headed(1, -1 - value);
  if (typeof value === "string") return Buffer.concat([headed(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([headed(2, value.length), value]);
  if (value instanceof Map) {
    return Buffer.concat([headed(5, value.size), ...[...value].flatMap(([key, held]) => [cbor(key), cbor(held)])]);
  }
  const list = value as readonly Cbor[];
  return Buffer.concat([headed(4, list.length), ...list.map(cbor)]);
}

function headed(kind: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(kind << 5) | length]);
  if (length < 256) return Buffer.from([(kind << 5) | 24, length]);
  return Buffer.from([(kind << 5) | 25, length >> 8, length & 0xff]);
}
