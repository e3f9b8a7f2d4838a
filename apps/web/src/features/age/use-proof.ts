import type { AgeMethod, AgeOutcome, AgeRequest } from "@lambda/contract/age";
import { useEffect, useState } from "react";
import { trpc } from "../../api/trpc.ts";

const POLL_MS = 2000;
const PROTOCOL = "openid4vp-v1-unsigned";

export interface Proof {
  /** A request that waits for a wallet on this or another device. */
  readonly request: AgeRequest | undefined;
  readonly busy: boolean;
  readonly outcome: AgeOutcome | undefined;
  readonly expired: boolean;
  readonly failed: boolean;
  begin(method: AgeMethod): void;
}

/** A proof of age from the button to its outcome: the browser's own interface first, then a link and a code for a phone. */
export function useProof(): Proof {
  const [request, setRequest] = useState<AgeRequest>();
  const [outcome, setOutcome] = useState<AgeOutcome>();
  const begin = trpc.age.begin.useMutation();
  const answer = trpc.age.answer.useMutation();
  const returned = useReturn((state, response) =>
    answer.mutate({ state, response }, { onSuccess: (progress) => setOutcome(progress.outcome ?? undefined) }),
  );
  const progress = trpc.age.progress.useQuery(
    { state: request?.state ?? "" },
    { enabled: request !== undefined && outcome === undefined, refetchInterval: POLL_MS, staleTime: 0, retry: false },
  );
  const posted = request && progress.data;

  const start = async (method: AgeMethod) => {
    setOutcome(undefined);
    setRequest(undefined);
    const asked = await begin.mutateAsync({ method });
    if (method === "oidc") return location.assign(asked.link);
    // A browser may ask for a wallet that is not there, and wait: link and code come beside it.
    const patience = setTimeout(() => setRequest(asked), BROWSER_ALONE_MS);
    const response = await askBrowser(asked).finally(() => clearTimeout(patience));
    if (response === undefined) return setRequest(asked);
    const answered = await answer.mutateAsync({ state: asked.state, response });
    setOutcome(answered.outcome ?? undefined);
  };
  return {
    request: outcome === undefined && !posted?.outcome ? request : undefined,
    busy: begin.isPending || answer.isPending || returned,
    outcome: outcome ?? posted?.outcome ?? undefined,
    expired: posted?.expired === true,
    failed: begin.isError || answer.isError,
    begin: (method) => void start(method).catch(() => undefined),
  };
}

/** So long the browser's own way to a wallet is offered alone. */
const BROWSER_ALONE_MS = 3000;

/** The Digital Credentials API, which few libraries of types know yet. */
interface DigitalCredentials {
  get(options: { digital: unknown; mediation: "required" }): Promise<{ data?: { vp_token?: unknown } } | null>;
}

/** The wallet's vp_token as JSON; undefined where the browser has no such interface, knows no wallet, or its user said no. */
async function askBrowser({ digitalCredential }: AgeRequest): Promise<string | undefined> {
  const known = (globalThis as { DigitalCredential?: { userAgentAllowsProtocol?(protocol: string): boolean } })
    .DigitalCredential;
  if (!known || !digitalCredential || known.userAgentAllowsProtocol?.(PROTOCOL) === false) return undefined;
  try {
    const credentials = navigator.credentials as unknown as DigitalCredentials;
    const credential = await credentials.get({ digital: digitalCredential, mediation: "required" });
    return credential?.data?.vp_token === undefined ? undefined : JSON.stringify(credential.data.vp_token);
  } catch {
    return undefined;
  }
}

/** Hands over what a provider put into the address as it led back here, and takes it out of the address. */
function useReturn(onReturn: (state: string, response: string) => void): boolean {
  const [query] = useState(() => new URLSearchParams(location.search));
  const state = query.get("state");
  const [waiting, setWaiting] = useState(state !== null);
  useEffect(() => {
    if (!waiting || !state) return;
    setWaiting(false);
    history.replaceState(null, "", "/age");
    onReturn(state, query.toString());
  });
  return waiting;
}
