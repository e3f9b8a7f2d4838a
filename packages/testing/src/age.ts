/** Age proofs through the test wallet of the development build (accounts/age/development). */
import type { AgeProofRequest } from "@lambda/contract/age";
import type { TestMember } from "./member.ts";

interface Client {
  fetch(path: string, init?: RequestInit): Promise<Response>;
  send(method: "PUT" | "POST" | "DELETE", path: string, body?: unknown): Promise<Response>;
}

/** An issued document and the device key it is bound to. */
export interface Attestation {
  readonly issued: string;
  readonly deviceKey: JsonWebKey;
}

export interface WalletOptions {
  readonly attestation?: Attestation;
  readonly issue?: {
    readonly signer?: "trusted" | "expired" | "stranger";
    readonly docType?: string;
    readonly namespace?: string;
    readonly claims?: Readonly<Record<string, unknown>>;
    readonly validFrom?: string;
    readonly validUntil?: string;
  };
  readonly present?: { readonly docType?: string };
}

export interface WalletResponse {
  readonly attestation: Attestation;
  readonly token: string;
}

/** Lets the wallet sign a response to an open request, whose link says what to sign. */
export async function signWithWallet(
  client: Client,
  request: AgeProofRequest,
  options: WalletOptions = {},
): Promise<WalletResponse> {
  const query = new URLSearchParams(request.link.slice(request.link.indexOf("?") + 1));
  const walletRequest = {
    clientId: query.get("client_id") ?? "",
    responseUri: query.get("response_uri") ?? "",
    nonce: query.get("nonce") ?? "",
  };
  return signWalletRequest(client, walletRequest, options);
}

/** Lets the wallet sign a response to any request, valid or not. */
export async function signWalletRequest(
  client: Client,
  walletRequest: object,
  options: WalletOptions = {},
): Promise<WalletResponse> {
  const response = await client.send("POST", "/dev/wallet", { ...options, request: walletRequest });
  if (!response.ok) throw new Error(`the wallet returned ${response.status}: ${await response.text()}`);
  return (await response.json()) as WalletResponse;
}

export async function requestAgeProof(client: Client, method = "eu-av"): Promise<AgeProofRequest> {
  const response = await client.send("POST", "/api/age/request", { method });
  if (!response.ok) throw new Error(`no request: ${response.status} ${await response.text()}`);
  return (await response.json()) as AgeProofRequest;
}

/** Posts a token as a wallet does: without a session and from a null origin. */
export function postToken(client: Client, request: Pick<AgeProofRequest, "link">, token: string): Promise<Response> {
  const query = new URLSearchParams(request.link.slice(request.link.indexOf("?") + 1));
  const { pathname } = new URL(query.get("response_uri") ?? "");
  return client.fetch(pathname, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", origin: "null" },
    body: new URLSearchParams({ vp_token: token, state: query.get("state") ?? "" }).toString(),
  });
}

/** Proves a member's age from request to response, with a new attestation or with the one in `options`. */
export async function proveAge(client: Client, options: WalletOptions = {}): Promise<Attestation> {
  const request = await requestAgeProof(client);
  const { attestation, token } = await signWithWallet(client, request, options);
  const response = await postToken(client, request, token);
  if (!response.ok) throw new Error(`the token was refused: ${await response.text()}`);
  return attestation;
}

/** The same member sending requests from a region, such as `US-NY` or `GB`. */
export function fromRegion(member: TestMember, region: string): TestMember {
  const fetch: TestMember["fetch"] = (path, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set("x-development-place", region);
    return member.fetch(path, { ...init, headers });
  };
  const send: TestMember["send"] = (method, path, body) =>
    fetch(path, { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body ?? {}) });
  const get = async <T>(path: string) => {
    const response = await fetch(path);
    if (!response.ok) throw new Error(`GET ${path} returned ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  return { ...member, fetch, get, send };
}

/** Returns the width of a WebP response, which differs between pixelated and clear pictures. */
export async function readWebpWidth(response: Response): Promise<number> {
  if (response.status !== 200) throw new Error(`no picture: ${response.status} ${await response.text()}`);
  return Buffer.from(await response.arrayBuffer()).readUInt16LE(26) & 0x3fff;
}
