/** Development only: the test wallet over HTTP, for tests of the running worker and for /dev/wallet. */
import { escapeHtml } from "../../../platform/mail/compose.ts";
import {
  type AttestationOptions,
  issueAttestation,
  type PresentOptions,
  present,
  type WalletRequest,
} from "./wallet.ts";

interface WalletCommand {
  /** An attestation to reuse; if absent, a new one is issued. */
  readonly attestation?: Awaited<ReturnType<typeof issueAttestation>>;
  readonly issue?: Omit<AttestationOptions, "validFrom" | "validUntil"> & { validFrom?: string; validUntil?: string };
  readonly request?: WalletRequest;
  readonly present?: PresentOptions;
}

/** Issues an attestation, presents one, or both; returns what the wallet would hold and send. */
export async function handleWalletRequest(request: Request): Promise<Response> {
  const { attestation, issue = {}, request: walletRequest, present: options } = await request.json<WalletCommand>();
  const { validFrom, validUntil, ...rest } = issue;
  const held =
    attestation ??
    (await issueAttestation({
      ...rest,
      ...(validFrom && { validFrom: new Date(validFrom) }),
      ...(validUntil && { validUntil: new Date(validUntil) }),
    }));
  const started = performance.now();
  const token = walletRequest ? await present(held, walletRequest, options) : null;
  return Response.json({ attestation: held, token, ms: performance.now() - started });
}

/** The attestation that the page issued last, so that it can be presented twice, as nobody should. */
let held: Awaited<ReturnType<typeof issueAttestation>> | undefined;

const CHOICES: Readonly<Record<string, AttestationOptions | "same">> = {
  "Show that I am over 18": {},
  "Show the same proof again": "same",
  "Show that I am under 18": { claims: { age_over_18: false } },
  "Show a proof of a stranger's issuer": { signer: "stranger" },
};

/** A wallet as a form without any script: does what a phone does with the link. */
export async function showWalletPage(
  request: Request,
  post: (request: Request) => Response | Promise<Response>,
): Promise<Response> {
  const query = new URL(request.url).searchParams;
  const walletRequest = {
    clientId: query.get("client_id") ?? "",
    responseUri: query.get("response_uri") ?? "",
    nonce: query.get("nonce") ?? "",
  };
  const credential = (JSON.parse(query.get("dcql_query") ?? "{}").credentials ?? [])[0];
  const choice = query.get("choice");
  let outcome = "";
  if (choice !== null && CHOICES[choice]) {
    const options = CHOICES[choice];
    if (options !== "same" || !held) {
      const [namespace] = credential.claims[0].path;
      const order = options === "same" ? {} : options;
      held = await issueAttestation({ docType: credential.meta.doctype_value, namespace, ...order });
    }
    const body = new URLSearchParams({ vp_token: await present(held, walletRequest) });
    const { pathname } = new URL(walletRequest.responseUri);
    const response = await post(new Request(new URL(pathname, request.url), { method: "POST", body }));
    outcome = `${response.status} ${await response.text()}`;
  }
  const fields = [...query]
    .filter(([name]) => name !== "choice")
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`);
  const buttons = Object.keys(CHOICES).map((name) => `<p><button name="choice" value="${name}">${name}</button></p>`);
  const page = `<!doctype html><html lang="en"><title>Test wallet</title><h1>Test wallet</h1>
<p>Asked for: ${escapeHtml(JSON.stringify(credential?.claims ?? []))}</p>
<form>${fields.join("")}${buttons.join("")}</form><p role="status">${escapeHtml(outcome)}</p></html>`;
  return new Response(page, { headers: { "content-type": "text/html; charset=utf-8" } });
}
