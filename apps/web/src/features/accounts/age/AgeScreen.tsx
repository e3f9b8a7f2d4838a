import type { AgeStatus } from "@lambda/contract/age";
import { Banner, Problem } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { trpc } from "../../../api/trpc.ts";
import { QueryState } from "../../../components/QueryState.tsx";
import { useSession } from "../../../session/session.ts";
import css from "./age.module.css";
import { useAgeCopy } from "./copy.ts";
import { type AgeProof, useAgeProof } from "./use-age-proof.ts";

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
      <div className="stack gap-5 measure">
        <Banner tone="success" role="status">
          {copy.proved}
        </Banner>
        <div>
          <Button
            variant="primary"
            label={loggedIn ? copy.goOn : copy.toRegister}
            onClick={() => location.assign(loggedIn ? "/" : "/register")}
          />
        </div>
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
      {proof.request && !proof.expired ? <Waiting proof={proof} /> : <Methods status={status} proof={proof} />}
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
  if (!text) return null;
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

function Waiting({ proof }: { proof: AgeProof }) {
  const copy = useAgeCopy();
  const { request } = proof;
  if (!request) return null;
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
