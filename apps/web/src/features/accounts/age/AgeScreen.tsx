import type { AgeMethod, AgeOutcome, AgeProofRequest, AgeStatus } from "@lambda/contract/age";
import { AGE_REQUEST_TTL_MS } from "@lambda/contract/limits";
import { Banner, Problem } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { useEffect, useState } from "react";
import { trpc } from "../../../api/trpc.ts";
import { QueryState } from "../../../components/QueryState.tsx";
import { withDeadline } from "../../../device/with-deadline.ts";
import { currentAddress } from "../../../routing/address.ts";
import { useSession } from "../../../session/session.ts";
import css from "./age.module.css";
import { useAgeCopy } from "./copy.ts";

/** The light margin that cameras need to find the code, in modules. */
const QUIET_ZONE = 4;

/** A QR code, dark on white in every theme so that cameras can read it. */
function QrCode({ rows, label }: { rows: readonly string[]; label: string }) {
  const side = rows.length + 2 * QUIET_ZONE;
  const path = rows
    .flatMap((row, y) =>
      [...row].map((module, x) => (module === "1" ? `M${x + QUIET_ZONE} ${y + QUIET_ZONE}h1v1h-1z` : "")),
    )
    .join("");
  return (
    <svg
      className={`radius-2 ${css.qr}`}
      viewBox={`0 0 ${side} ${side}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path className={css.light} d={`M0 0h${side}v${side}H0z`} />
      <path className={css.dark} d={path} />
    </svg>
  );
}

/** Explains the local rule on proving one's age and starts a proof. Also used before registration where joining needs one. */
export default function AgeScreen() {
  const copy = useAgeCopy();
  const { loggedIn } = useSession();
  const status = trpc.age.status.useQuery();
  const proof = useAgeProof();
  if (!status.data) return <QueryState query={status} failed={copy.loadFailed} />;
  if (status.data.proved || proof.outcome === "proved") {
    // Leaves by a full page load, because this page has cached pixelated pictures under the same URLs.
    return (
      <div className="stack gap-5 measure letter">
        <Banner tone="success" role="status">
          {copy.proved}
        </Banner>
        <Button
          variant="primary"
          label={loggedIn ? copy.goOn : copy.toRegister}
          onClick={() => location.assign(loggedIn ? "/" : "/register")}
        />
      </div>
    );
  }
  return <ProofOptions status={status.data} proof={proof} isVisitor={!loggedIn} />;
}

function ProofOptions({ status, proof, isVisitor }: { status: AgeStatus; proof: AgeProof; isVisitor: boolean }) {
  const copy = useAgeCopy();
  const rule = isVisitor ? status.join : status.seeExplicit;
  if (rule === "closed") return <p className="stack gap-5 measure">{copy.closed}</p>;
  return (
    <div className="stack gap-5 measure">
      <p>{rule === "open" ? copy.free : isVisitor ? copy.leadJoin : copy.lead}</p>
      {rule === "proof" && !isVisitor && <p className="muted">{copy.until}</p>}
      <section className="stack gap-2 pad-4 raised radius-2">
        <h2 className="type-lead">{copy.promiseTitle}</h2>
        <p>{copy.promise}</p>
        {status.methods.map(({ method, provider }) => provider && <p key={method}>{copy.provider(provider)}</p>)}
      </section>
      <ProofProblem proof={proof} />
      {proof.request && !proof.expired ? (
        <Waiting request={proof.request} />
      ) : (
        <Methods status={status} proof={proof} />
      )}
    </div>
  );
}

function ProofProblem({ proof }: { proof: AgeProof }) {
  const copy = useAgeCopy();
  const { outcome } = proof;
  const text =
    outcome && outcome !== "proved"
      ? copy.outcomes[outcome]
      : proof.expired
        ? copy.expired
        : proof.failed
          ? copy.failed
          : undefined;
  return <Problem tone="warn" text={text} />;
}

function Methods({ status, proof }: { status: AgeStatus; proof: AgeProof }) {
  const copy = useAgeCopy();
  if (status.methods.length === 0) return <p>{copy.none}</p>;
  return (
    <div className="stack gap-3 items-start">
      {status.methods.map(({ method, provider }, index) => (
        <Button
          key={method}
          variant={index === 0 ? "primary" : "secondary"}
          busy={proof.busy}
          label={provider ?? copy.methods[method]}
          onClick={() => proof.begin(method)}
        />
      ))}
    </div>
  );
}

function Waiting({ request }: { request: AgeProofRequest }) {
  const copy = useAgeCopy();
  return (
    <div className="stack gap-3 items-start">
      <p role="status">{copy.waiting}</p>
      <a href={request.link}>{copy.openWallet}</a>
      {request.testWallet && (
        <a href={request.testWallet} target="_blank" rel="noreferrer">
          {copy.testWallet}
        </a>
      )}
      <p>{copy.scan}</p>
      <QrCode rows={request.qr} label={copy.qr} />
    </div>
  );
}

const POLL_MS = 2000;
const PROTOCOL = "openid4vp-v1-unsigned";

type AgeProof = ReturnType<typeof useAgeProof>;

/** Runs a proof of age: with the browser's credential API first, then with a link and a QR code for a phone. */
function useAgeProof() {
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
    /** A request that waits for a wallet on this or another device. */
    request: outcome === undefined && !current?.outcome ? request : undefined,
    busy: begin.isPending || answer.isPending || isReturning,
    outcome: outcome ?? current?.outcome ?? undefined,
    expired: current?.expired === true,
    failed: begin.isError || answer.isError,
    begin: (method: AgeMethod) => void start(method).catch(() => undefined),
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
