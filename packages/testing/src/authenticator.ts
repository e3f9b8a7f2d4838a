/**
 * A software authenticator: creates passkeys (ES256, attestation "none") and returns signatures as a browser would pass
 * them on.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** How the authenticator deviates from a real device. */
export interface Deviations {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly crossOrigin?: boolean;
  /** Omits the flag that the member unlocked the device. */
  readonly unverified?: boolean;
  readonly counter?: number;
  readonly userHandle?: string;
  readonly attestation?: { readonly format: string; readonly statement: CborMap };
}

export interface TestPasskey {
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

/**
 * Creates a passkey. `counts`: whether it counts its signatures, as passkeys that are not synced between devices do.
 */
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
    [1, 2],
    [3, ES256],
    [-1, 1],
    [-2, Buffer.from(x, "base64url")],
    [-3, Buffer.from(y, "base64url")],
  ]);
  const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cbor(cose)]);
  const flags = PRESENT | BACKUP_ELIGIBLE | ATTESTED | (deviations.unverified ? 0 : VERIFIED);
  const authData = Buffer.concat([authenticatorData(deviations.rpId ?? options.rp.id, flags, counter), attested]);
  const { format, statement } = deviations.attestation ?? { format: "none", statement: new Map() };
  const object = cbor(
    new Map<CborKey, Cbor>([
      ["fmt", format],
      ["attStmt", statement],
      ["authData", authData],
    ]),
  );
  const passkey: TestPasskey = {
    id: id.toString("base64url"),
    rpId: options.rp.id,
    origin,
    userHandle: options.user.id,
    privateKey,
    counter,
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

/** Signs a challenge and increments the passkey's counter. */
export function signWith(passkey: TestPasskey, challenge: string, deviations: Deviations = {}) {
  if (passkey.counter > 0) passkey.counter += 1;
  const flags = PRESENT | BACKUP_ELIGIBLE | (deviations.unverified ? 0 : VERIFIED);
  const authData = authenticatorData(deviations.rpId ?? passkey.rpId, flags, deviations.counter ?? passkey.counter);
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
  const data = { type: deviations.type ?? type, challenge, origin: deviations.origin ?? origin, crossOrigin };
  return Buffer.from(JSON.stringify(data)).toString("base64url");
}

function authenticatorData(rpId: string, flags: number, counter: number): Buffer {
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

/** Encodes the CBOR types that an attestation consists of. */
function cbor(value: Cbor): Buffer {
  if (typeof value === "number") return value >= 0 ? cborHead(0, value) : cborHead(1, -1 - value);
  if (typeof value === "string") return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([cborHead(2, value.length), value]);
  if (value instanceof Map) {
    return Buffer.concat([cborHead(5, value.size), ...[...value].flatMap(([key, inner]) => [cbor(key), cbor(inner)])]);
  }
  const list = value as readonly Cbor[];
  return Buffer.concat([cborHead(4, list.length), ...list.map(cbor)]);
}

function cborHead(majorType: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(majorType << 5) | length]);
  if (length < 256) return Buffer.from([(majorType << 5) | 24, length]);
  return Buffer.from([(majorType << 5) | 25, length >> 8, length & 0xff]);
}
