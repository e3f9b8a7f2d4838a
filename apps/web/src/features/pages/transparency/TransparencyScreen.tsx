import { ruleCopy } from "@lambda/contract/rule-copy";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { Stat, StatRow } from "@lambda/ui/stat";
import { useState } from "react";
import { useSearch } from "wouter";
import { errorText } from "../../../api/error-text.ts";
import { type RouterOutputs, trpc } from "../../../api/trpc.ts";
import { QueryState } from "../../../components/QueryState.tsx";
import { TableHead } from "../../../components/TableHead.tsx";
import { currentLocale, useCopy, useLocale } from "../../../format/i18n.ts";
import { useSession } from "../../../session/session.ts";
import { Article } from "../Article.tsx";
import { CaseCheck } from "./CaseCheck.tsx";
import { verifyChain } from "./chain.ts";
import { useNoticeFiguresCopy } from "./notice-figures-copy.ts";
import { useTransparencyCopy } from "./transparency-copy.ts";

type Summary = RouterOutputs["transparency"]["summary"];

/** Statistics on reports and actions from the audit log, which anybody can verify. */
export default function TransparencyScreen() {
  const copy = useTransparencyCopy();
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
      {/* What the audit log is, its latest entry, and the button that verifies all of it. */}
      <section className="stack gap-3 mt-5">
        <h3>{copy.chain}</h3>
        <p>{copy.chainText}</p>
        {data?.head && (
          <p className="muted">
            {copy.head(data.head.seq)} <code className="break-anywhere">{data.head.hash}</code>
          </p>
        )}
        <ChainCheck />
      </section>
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
  const copy = useTransparencyCopy();
  const number = (value: number | undefined) => value?.toLocaleString(currentLocale()) ?? "–";
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

/** Verifies every hash of the record on the reader's own device. */
function ChainCheck() {
  const copy = useTransparencyCopy();
  const utils = trpc.useUtils();
  const [count, setCount] = useState<number>();
  const [result, setResult] = useState<Awaited<ReturnType<typeof verifyChain>>>();
  const [failure, setFailure] = useState<string>();
  const check = async () => {
    setResult(undefined);
    setFailure(undefined);
    setCount(0);
    const read = async (after: number) => (await utils.transparency.chain.fetch({ after })).items;
    try {
      setResult(await verifyChain(read, setCount));
    } catch (error) {
      setFailure(errorText(error));
    } finally {
      setCount(undefined);
    }
  };
  return (
    <>
      <div>
        <Button icon="check" busy={count !== undefined} label={copy.check} onClick={() => void check()} />
      </div>
      {count !== undefined && <p role="status">{copy.checking(count)}</p>}
      {failure && <Banner tone="danger">{failure}</Banner>}
      {result && (
        <Banner tone={result.brokenAt === null ? "success" : "danger"} role="status">
          {result.brokenAt === null ? copy.sound(result.count) : copy.broken(result.brokenAt)}
        </Banner>
      )}
    </>
  );
}

const COUNTS = ["received", "intimate", "hiddenAtOnce", "removed", "rejected", "forwarded", "countersUpheld"] as const;

/** Statistics on notices filed without an account: a row per figure and a column per quarter. */
function NoticeFigures() {
  const copy = useNoticeFiguresCopy();
  const query = trpc.transparency.notices.useQuery();
  const { data } = query;
  const periods = data?.items.slice(0, 4) ?? [];
  const percent = (share: number | null) =>
    share === null ? "–" : share.toLocaleString(currentLocale(), { style: "percent", maximumFractionDigits: 0 });
  return (
    <section className="stack gap-3 mt-5">
      <h3>{copy.title}</h3>
      <p>{copy.text}</p>
      {query.isLoadingError && <QueryState query={query} />}
      {data?.items.length === 0 && <p className="muted">{copy.none}</p>}
      {periods.length > 0 && (
        <table className="table">
          <TableHead columns={[copy.period, ...periods.map(({ period }) => period)]} />
          <tbody>
            {COUNTS.map((name) => (
              <tr key={name}>
                <th scope="row">{copy[name]}</th>
                {periods.map((figures) => (
                  <td key={figures.period}>{figures[name].toLocaleString(currentLocale())}</td>
                ))}
              </tr>
            ))}
            <tr>
              <th scope="row">{copy.median}</th>
              {periods.map(({ period, medianDecisionMs }) => (
                <td key={period}>{medianDecisionMs === null ? "–" : copy.hours(medianDecisionMs)}</td>
              ))}
            </tr>
            <tr>
              <th scope="row">{copy.withinDue}</th>
              {periods.map(({ period, withinDue }) => (
                <td key={period}>{percent(withinDue)}</td>
              ))}
            </tr>
          </tbody>
        </table>
      )}
    </section>
  );
}
