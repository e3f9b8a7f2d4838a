/** The test wallet of a development build (members/age/development), as tests use it. */
import type { AgeProofRequest } from "@lambda/contract/age";
import type { TestMember } from "./member.ts";

interface Asker {
  fetch(path: string, init?: RequestInit): Promise<Response>;
  send(method: "PUT" | "POST" | "DELETE", path: string, body?: unknown): Promise<Response>;
}

/** What a wallet holds: an issued document and the key that is bound to it. */
export interface HeldAttestation {
  readonly issued: string;
  readonly deviceKey: JsonWebKey;
}

export interface WalletOrder {
  readonly attestation?: HeldAttestation;
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

export interface WalletAnswer {
  readonly attestation: HeldAttestation;
  readonly token: string;
}

/** Has the wallet answer an open request, as its link asks. */
export async function askWallet(
  asker: Asker,
  request: AgeProofRequest,
  order: WalletOrder = {},
): Promise<WalletAnswer> {
  const query = new URLSearchParams(request.link.slice(request.link.indexOf("?") + 1));
  const asked = {
    clientId: query.get("client_id") ?? "",
    responseUri: query.get("response_uri") ?? "",
    nonce: query.get("nonce") ?? "",
  };
  return askWalletFor(asker, asked, order);
}

/** Has the wallet sign for whatever a test says. */
export async function askWalletFor(asker: Asker, asked: object, order: WalletOrder = {}): Promise<WalletAnswer> {
  const answer = await asker.send("POST", "/dev/wallet", { ...order, request: asked });
  if (!answer.ok) throw new Error(`the wallet answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as WalletAnswer;
}

export async function beginProof(asker: Asker, method = "eu-av"): Promise<AgeProofRequest> {
  const answer = await asker.send("POST", "/api/age/request", { method });
  if (!answer.ok) throw new Error(`no request: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as AgeProofRequest;
}

/** Posts as a wallet does: from nowhere, without a session. */
export function postToken(asker: Asker, request: Pick<AgeProofRequest, "link">, token: string): Promise<Response> {
  const query = new URLSearchParams(request.link.slice(request.link.indexOf("?") + 1));
  const { pathname } = new URL(query.get("response_uri") ?? "");
  return asker.fetch(pathname, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", origin: "null" },
    body: new URLSearchParams({ vp_token: token, state: query.get("state") ?? "" }).toString(),
  });
}

/** The whole way: a member proves their age with a new attestation, or with one of before. */
export async function proveAge(asker: Asker, order: WalletOrder = {}): Promise<HeldAttestation> {
  const request = await beginProof(asker);
  const { attestation, token } = await askWallet(asker, request, order);
  const answer = await postToken(asker, request, token);
  if (!answer.ok) throw new Error(`refused: ${await answer.text()}`);
  return attestation;
}

/** The same member asking from a place. */
export function from(member: TestMember, place: string): TestMember {
  const fetch: TestMember["fetch"] = (path, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set("x-development-place", place);
    return member.fetch(path, { ...init, headers });
  };
  const send: TestMember["send"] = (method, path, body) =>
    fetch(path, { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body ?? {}) });
  const get = async <T>(path: string) => {
    const answer = await fetch(path);
    if (!answer.ok) throw new Error(`GET ${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  return { ...member, fetch, get, send };
}

/** Of an answer that must be a WebP: its width, by which a pixelated picture is told from a clear one. */
export async function widthOf(answer: Response): Promise<number> {
  if (answer.status !== 200) throw new Error(`no picture: ${answer.status} ${await answer.text()}`);
  return Buffer.from(await answer.arrayBuffer()).readUInt16LE(26) & 0x3fff;
}
