import { trpc } from "../../../api/trpc.ts";
import { QueryState } from "../../../components/QueryState.tsx";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { noticeFiguresCopy } from "./notice-figures-copy.ts";

const COUNTS = ["received", "intimate", "hiddenAtOnce", "removed", "rejected", "forwarded", "countersUpheld"] as const;

/** Statistics on notices filed without an account: a row per figure and a column per quarter. */
export function NoticeFigures() {
  const copy = useCopy(noticeFiguresCopy);
  const [locale] = useLocale();
  const query = trpc.transparency.notices.useQuery();
  const { data } = query;
  const periods = data?.items.slice(0, 4) ?? [];
  const percent = (share: number | null) =>
    share === null ? "–" : share.toLocaleString(locale, { style: "percent", maximumFractionDigits: 0 });
  return (
    <section className="stack gap-3 mt-5">
      <h3>{copy.title}</h3>
      <p>{copy.text}</p>
      {query.isLoadingError && <QueryState query={query} />}
      {data?.items.length === 0 && <p className="muted">{copy.none}</p>}
      {periods.length > 0 && (
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{copy.period}</th>
              {periods.map(({ period }) => (
                <th scope="col" key={period}>
                  {period}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {COUNTS.map((name) => (
              <tr key={name}>
                <th scope="row">{copy[name]}</th>
                {periods.map((figures) => (
                  <td key={figures.period}>{figures[name].toLocaleString(locale)}</td>
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
