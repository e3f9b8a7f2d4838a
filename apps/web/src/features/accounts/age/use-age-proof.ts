import type { AgeMethod, AgeOutcome, AgeProofRequest } from "@lambda/contract/age";
import { AGE_REQUEST_TTL_MS } from "@lambda/contract/limits";
import { useEffect, useState } from "react";
import { trpc } from "../../../api/trpc.ts";
import { withDeadline } from "../../../device/with-deadline.ts";
import { currentAddress } from "../../../routing/address.ts";

const POLL_MS = 2000;
const PROTOCOL = "openid4vp-v1-unsigned";

export interface AgeProof {
  /** A request that waits for a wallet on this or another device. */
  readonly request: AgeProofRequest | undefined;
  readonly busy: boolean;
  readonly outcome: AgeOutcome | undefined;
  readonly expired: boolean;
  readonly failed: boolean;
  begin(method: AgeMethod): void;
}

/** Runs a proof of age: with the browser's credential API first, then with a link and a QR code for a phone. */
export function useAgeProof(): AgeProof {
  const [request, setRequest] = useState<AgeProofRequest>();
  const [outcome, setOutcome] = useState<AgeOutcome>();
  const begin = trpc.age.begin.useMutation();
  const answer = trpc.age.answer.useMutation();
  const isReturning = useProviderReturn((state, response) =>
    answer.mutate({ state, response }, { onSuccess: (progress) => setOutcome(progress.outcome ?? undefined) }),
  );
  const progress = trpc.age.progress.useQuery(
    { state: request?.state ?? "" },
    { enabled: request !== undefined && outcome === undefined, refetchInterval: POLL_MS, staleTime: 0, retry: false },
  );
  const current = request && progress.data;

  const start = async (method: AgeMethod) => {
    setOutcome(undefined);
    setRequest(undefined);
    const newRequest = await begin.mutateAsync({ method });
    if (method === "oidc") return location.assign(newRequest.link);
    // A browser may wait for a wallet that does not exist, so link and code appear after a while too.
    const timer = setTimeout(() => setRequest(newRequest), BROWSER_ONLY_MS);
    const response = await requestFromBrowser(newRequest).finally(() => clearTimeout(timer));
    if (response === undefined) return setRequest(newRequest);
    const result = await answer.mutateAsync({ state: newRequest.state, response });
    setOutcome(result.outcome ?? undefined);
  };
  return {
    request: outcome === undefined && !current?.outcome ? request : undefined,
    busy: begin.isPending || answer.isPending || isReturning,
    outcome: outcome ?? current?.outcome ?? undefined,
    expired: current?.expired === true,
    failed: begin.isError || answer.isError,
    begin: (method) => void start(method).catch(() => undefined),
  };
}

/** How long only the browser's credential API is offered. */
const BROWSER_ONLY_MS = 3000;

/** The Digital Credentials API, which TypeScript's DOM types do not include yet. */
interface DigitalCredentials {
  get(options: { digital: unknown; mediation: "required" }): Promise<{ data?: { vp_token?: unknown } } | null>;
}

/** The wallet's vp_token as JSON. Undefined if the browser lacks the API, finds no wallet, or the user declines. */
async function requestFromBrowser({ digitalCredential }: AgeProofRequest): Promise<string | undefined> {
  const api = (globalThis as { DigitalCredential?: { userAgentAllowsProtocol?(protocol: string): boolean } })
    .DigitalCredential;
  if (!api || !digitalCredential || api.userAgentAllowsProtocol?.(PROTOCOL) === false) return undefined;
  try {
    const credentials = navigator.credentials as unknown as DigitalCredentials;
    const ask = () => credentials.get({ digital: digitalCredential, mediation: "required" });
    const credential = await withDeadline(AGE_REQUEST_TTL_MS, ask);
    return credential?.data?.vp_token === undefined ? undefined : JSON.stringify(credential.data.vp_token);
  } catch {
    return undefined;
  }
}

/** Passes on the response that a provider added to the URL on its redirect, and removes it from the URL. */
function useProviderReturn(onReturn: (state: string, response: string) => void): boolean {
  const [query] = useState(() => new URLSearchParams(currentAddress().search));
  const state = query.get("state");
  const [isPending, setPending] = useState(state !== null);
  useEffect(() => {
    if (!isPending || !state) return;
    setPending(false);
    history.replaceState(null, "", "/age");
    onReturn(state, query.toString());
  });
  return isPending;
}
