import { ruleCopy } from "@lambda/contract/rule-copy";
import { Stat, StatRow } from "@lambda/ui/stat";
import { useSearch } from "wouter";
import { type RouterOutputs, trpc } from "../../../api/trpc.ts";
import { QueryState } from "../../../components/QueryState.tsx";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { useSession } from "../../../session/session.ts";
import { Article } from "../Article.tsx";
import { CaseCheck } from "./CaseCheck.tsx";
import { ChainCheck } from "./ChainCheck.tsx";
import { NoticeFigures } from "./NoticeFigures.tsx";
import { transparencyCopy } from "./transparency-copy.ts";

type Summary = RouterOutputs["transparency"]["summary"];

/** Statistics on reports and actions from the audit log, which anybody can verify. */
export default function TransparencyScreen() {
  const copy = useCopy(transparencyCopy);
  const rules = useCopy(ruleCopy);
  const { loggedIn } = useSession();
  const caseRef = new URLSearchParams(useSearch()).get("case") ?? "";
  const summary = trpc.transparency.summary.useQuery();
  const { data } = summary;
  return (
    <Article title={copy.title} lead={copy.lead} sections={[]}>
      {summary.isLoadingError && <QueryState query={summary} />}
      <Totals summary={data} />
      <section className="stack gap-3 mt-5">
        <h3>{copy.actions}</h3>
        <Counts
          rows={(data?.actions ?? []).map(({ kind, count }) => [
            kind,
            copy.kinds[kind as keyof typeof copy.kinds],
            count,
          ])}
        />
      </section>
      {data && data.byRule.length > 0 && (
        <section className="stack gap-3 mt-5">
          <h3>{copy.rules}</h3>
          <Counts rows={data.byRule.map(({ rule, count }) => [rule, rules[rule as keyof typeof rules], count])} />
        </section>
      )}
      <NoticeFigures />
      <AuditLogSection head={data?.head} />
      {loggedIn && (
        <section className="stack gap-3 mt-5">
          <h3>{copy.own}</h3>
          <p>{copy.ownText}</p>
          <CaseCheck key={caseRef} caseRef={caseRef} />
        </section>
      )}
    </Article>
  );
}

function Totals({ summary }: { summary: Summary | undefined }) {
  const copy = useCopy(transparencyCopy);
  const [locale] = useLocale();
  const number = (value: number | undefined) => value?.toLocaleString(locale) ?? "–";
  const medianMs = summary?.medianDecisionMs;
  return (
    <div className="stack gap-3 mt-5">
      <StatRow>
        <Stat label={copy.reports} value={number(summary?.reports)} />
        <Stat label={copy.decided} value={number(summary?.decided)} />
        <Stat label={copy.median} value={medianMs == null ? "–" : copy.time(medianMs)} />
        <Stat label={copy.appeals} value={number(summary?.appeals)} />
        <Stat label={copy.reversals} value={number(summary?.reversals)} />
      </StatRow>
    </div>
  );
}

/** What the audit log is, its latest entry, and the button that verifies all of it. */
function AuditLogSection({ head }: { head: Summary["head"] | undefined }) {
  const copy = useCopy(transparencyCopy);
  return (
    <section className="stack gap-3 mt-5">
      <h3>{copy.chain}</h3>
      <p>{copy.chainText}</p>
      {head && (
        <p className="muted">
          {copy.head(head.seq)} <code className="break-anywhere">{head.hash}</code>
        </p>
      )}
      <ChainCheck />
    </section>
  );
}

function Counts({ rows }: { rows: readonly (readonly [id: string, name: string, count: number])[] }) {
  const [locale] = useLocale();
  return (
    <table className="table">
      <tbody>
        {rows.map(([id, name, count]) => (
          <tr key={id}>
            <th scope="row">{name}</th>
            <td>{count.toLocaleString(locale)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
