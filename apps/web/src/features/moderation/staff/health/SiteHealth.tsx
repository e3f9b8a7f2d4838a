import type { HealthPoint, HealthRange, Incident } from "@lambda/contract/site-health";
import { Banner } from "@lambda/ui/banner";
import { Segmented } from "@lambda/ui/segmented";
import { useId, useState } from "react";
import { trpc } from "../../../../api/trpc.ts";
import { QueryState } from "../../../../components/QueryState.tsx";
import { useLocale } from "../../../../format/i18n.ts";
import { clockTime, dateAndTime, dayAndTime } from "../../../../format/time.ts";
import dashboard from "../dashboard.module.css";
import { ScrolledTable } from "../ScrolledTable.tsx";
import css from "./health.module.css";
import { useHealthCopy } from "./health-copy.ts";

const REFETCH_MS = 60_000;
const RANGES: readonly HealthRange[] = ["day", "month"];

/** The health of the site: current and past incidents, and metrics for a day or a month. */
export function SiteHealth() {
  const copy = useHealthCopy();
  const [range, setRange] = useState<HealthRange>("day");
  const query = trpc.admin.siteHealth.useQuery({ range }, { refetchInterval: REFETCH_MS });
  const { data } = query;
  return (
    <div className={dashboard.section}>
      <p className="muted">{copy.lead}</p>
      <Segmented<HealthRange>
        label={copy.range}
        options={RANGES.map((value) => ({ value, label: copy.ranges[value] }))}
        value={range}
        onChange={setRange}
      />
      {data ? (
        <>
          {!data.operatorKnown && <Banner tone="warn">{copy.nobody}</Banner>}
          <Incidents incidents={data.incidents} />
          <Metrics range={range} points={data.points} databaseBytesMax={data.databaseBytesMax} />
        </>
      ) : (
        <QueryState query={query} height="20rem" width="100%" />
      )}
    </div>
  );
}

function Incidents({ incidents }: { readonly incidents: readonly Incident[] }) {
  const copy = useHealthCopy();
  const current = incidents.filter(({ tsUntil }) => tsUntil === null);
  const past = incidents.filter(({ tsUntil }) => tsUntil !== null);
  return (
    <>
      {current.length === 0 && <Banner tone="success">{copy.fine}</Banner>}
      {current.map(({ alert, tsFrom, told }) => (
        <Banner key={`${alert} ${tsFrom}`} tone="danger">
          <strong>{copy.alerts[alert]}</strong> ({alert}), {copy.since(dateAndTime(tsFrom))}
          {!told && `; ${copy.nobodyTold}`}. {copy.what}
        </Banner>
      ))}
      {past.length > 0 && (
        <section aria-labelledby="past-incidents">
          <h2 id="past-incidents">{copy.past}</h2>
          <ul className="stack gap-2 plain-list">
            {past.map(({ alert, tsFrom, tsUntil }) => (
              <li key={`${alert} ${tsFrom}`}>
                {copy.alerts[alert]} <small>{copy.between(dateAndTime(tsFrom), dateAndTime(tsUntil ?? tsFrom))}</small>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

type Metric = Exclude<keyof HealthPoint, "ts" | "messageBytes">;
type Unit = "count" | "ms" | "bytes";
type Line = readonly [name: string, value: Metric | ((point: HealthPoint) => number | null)];

interface MetricsProps {
  readonly range: HealthRange;
  readonly points: readonly HealthPoint[];
  readonly databaseBytesMax: number;
}

function Metrics({ range, points, databaseBytesMax }: MetricsProps) {
  const { metrics: copy } = useHealthCopy();
  const show = (title: string, unit: Unit, lines: readonly Line[], limit?: number) => (
    <MetricGroup key={title} {...{ title, unit, lines, range, points, limit }} />
  );
  const showSize = (title: string, bytesOf: (point: HealthPoint) => number | null) =>
    show(title, "bytes", [[copy.bytes, bytesOf]], databaseBytesMax);
  const messageDatabases = [...new Set(points.flatMap(({ messageBytes }) => messageBytes.map(({ number }) => number)))];
  return (
    <div className={`stack ${css.metrics}`}>
      {show(copy.calls, "count", [
        [copy.requests, "requests"],
        [copy.refused, "refused"],
      ])}
      {show(copy.faults, "count", [
        [copy.errors, "errors"],
        [copy.jobs, "jobsFailed"],
      ])}
      {show(copy.times, "ms", [
        [copy.median, "p50"],
        [copy.p99, "p99"],
        [copy.bytesP90, "bytesP90"],
      ])}
      {show(copy.rows, "count", [
        [copy.read, "rowsRead"],
        [copy.written, "rowsWritten"],
      ])}
      {showSize(copy.size, ({ databaseBytes }) => databaseBytes)}
      {messageDatabases.map((number) =>
        showSize(
          copy.messages(number),
          ({ messageBytes }) => messageBytes.find((database) => database.number === number)?.bytes ?? null,
        ),
      )}
      {show(copy.mail, "count", [
        [copy.sent, "mailsSent"],
        [copy.mailsRefused, "mailsRefused"],
      ])}
      {show(copy.pushes, "count", [
        [copy.queued, "pushesQueued"],
        [copy.handled, "pushesHandled"],
        [copy.dead, "deadLetters"],
      ])}
      {show(copy.queue, "ms", [[copy.wait, "queueAgeMs"]])}
      {show(copy.openSockets, "count", [[copy.open, "socketsOpen"]])}
      {show(copy.sockets, "count", [
        [copy.opened, "socketsOpened"],
        [copy.closed, "socketsClosed"],
      ])}
    </div>
  );
}

interface MetricGroupProps extends Pick<MetricsProps, "range" | "points"> {
  readonly title: string;
  readonly unit: Unit;
  readonly lines: readonly Line[];
  readonly limit: number | undefined;
}

/** The latest and the highest value of each metric, and all values on demand. */
function MetricGroup({ title, unit, lines, range, points, limit }: MetricGroupProps) {
  const { metrics: copy, words } = useHealthCopy();
  const [locale] = useLocale();
  const id = useId();
  const formatTime = range === "day" ? clockTime : dayAndTime;
  const pick = (point: HealthPoint, value: Line[1]) => (typeof value === "function" ? value(point) : point[value]);
  const format = (value: number | null | undefined) => (value == null ? "–" : formats[unit](value, locale));
  return (
    <figure className={`stack gap-2 content-start ${css.group}`} aria-labelledby={id}>
      <figcaption id={id}>{title}</figcaption>
      <ul className="plain-list muted">
        {lines.map(([name, value]) => {
          const known = points.map((point) => pick(point, value)).filter((each) => each !== null);
          return (
            <li key={name}>
              {name} <strong>{format(known.at(-1))}</strong>
              {known.length > 0 && `, ${words.highest} ${format(Math.max(...known))}`}
            </li>
          );
        })}
        {limit !== undefined && (
          <li>
            {copy.limit} {format(limit)}
          </li>
        )}
      </ul>
      <details>
        <summary className="inline-row accent">{words.values}</summary>
        <ScrolledTable label={title} columns={[words.time, ...lines.map(([name]) => name)]}>
          {points.map((point) => (
            <tr key={point.ts}>
              <th scope="row">{formatTime(point.ts, locale)}</th>
              {lines.map(([name, value]) => (
                <td key={name}>{format(pick(point, value))}</td>
              ))}
            </tr>
          ))}
        </ScrolledTable>
      </details>
    </figure>
  );
}

const formats: Readonly<Record<Unit, (value: number, locale: string) => string>> = {
  count: (value, locale) => value.toLocaleString(locale, { notation: value >= 100_000 ? "compact" : "standard" }),
  ms: (value, locale) => (value >= 1000 ? `${(value / 1000).toLocaleString(locale)} s` : `${Math.round(value)} ms`),
  bytes: (value, locale) =>
    `${(value / 1e6).toLocaleString(locale, { maximumFractionDigits: value < 1e7 ? 1 : 0 })} MB`,
};
