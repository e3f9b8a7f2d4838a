import { ruleCopy } from "@lambda/contract/rule-copy";
import { Stat, StatRow } from "@lambda/ui/stat";
import { useSearch } from "wouter";
import { trpc } from "../../../api/trpc.ts";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { useSession } from "../../../session/session.ts";
import { Article } from "../Article.tsx";
import { CaseCheck } from "./CaseCheck.tsx";
import { ChainCheck } from "./ChainCheck.tsx";
import { NoticeFigures } from "./NoticeFigures.tsx";
import css from "./transparency.module.css";
import { transparencyCopy } from "./transparency-copy.ts";
import { YearlyReports } from "./YearlyReports.tsx";

/** Statistics on reports and actions from the audit log, which anybody can verify. */
export default function TransparencyScreen() {
  const copy = useCopy(transparencyCopy);
  const rules = useCopy(ruleCopy);
  const [locale] = useLocale();
  const { loggedIn } = useSession();
  const caseRef = new URLSearchParams(useSearch()).get("case") ?? "";
  const { data } = trpc.transparency.summary.useQuery();
  const number = (value: number | undefined) => (value === undefined ? "–" : value.toLocaleString(locale));
  return (
    <Article title={copy.title} lead={copy.lead} sections={[]}>
      <div className={css.section}>
        <StatRow>
          <Stat label={copy.reports} value={number(data?.reports)} />
          <Stat label={copy.decided} value={number(data?.decided)} />
          <Stat label={copy.median} value={data?.medianDecisionMs == null ? "–" : copy.time(data.medianDecisionMs)} />
          <Stat label={copy.appeals} value={number(data?.appeals)} />
          <Stat label={copy.reversals} value={number(data?.reversals)} />
        </StatRow>
      </div>
      <section className={css.section}>
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
        <section className={css.section}>
          <h3>{copy.rules}</h3>
          <Counts rows={data.byRule.map(({ rule, count }) => [rule, rules[rule as keyof typeof rules], count])} />
        </section>
      )}
      <NoticeFigures />
      <section className={css.section} id="yearly">
        <h3>{copy.yearly.title}</h3>
        <p>{copy.yearly.text}</p>
        <YearlyReports />
      </section>
      <section className={css.section}>
        <h3>{copy.chain}</h3>
        <p>{copy.chainText}</p>
        {data?.head && (
          <p className={css.muted}>
            {copy.head(data.head.seq)} <code className={css.hash}>{data.head.hash}</code>
          </p>
        )}
        <ChainCheck />
      </section>
      {loggedIn && (
        <section className={css.section}>
          <h3>{copy.own}</h3>
          <p>{copy.ownText}</p>
          <CaseCheck key={caseRef} caseRef={caseRef} />
        </section>
      )}
    </Article>
  );
}

function Counts({ rows }: { rows: readonly (readonly [id: string, name: string, count: number])[] }) {
  const [locale] = useLocale();
  return (
    <table className={css.table}>
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
