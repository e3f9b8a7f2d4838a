import type { HealthPoint, HealthRange, Incident } from "@lambda/contract/site-health";
import { Banner } from "@lambda/ui/banner";
import { LineChart } from "@lambda/ui/line-chart";
import { Segmented } from "@lambda/ui/segmented";
import { Skeleton } from "@lambda/ui/skeleton";
import { useState } from "react";
import { trpc } from "../../../api/trpc.ts";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { clockTime, dateAndTime, dayAndTime } from "../../../format/time.ts";
import dashboard from "../dashboard.module.css";
import css from "./health.module.css";
import { healthCopy } from "./health-copy.ts";

const REFETCH_MS = 60_000;
const RANGES: readonly HealthRange[] = ["day", "month"];

/** The health of the site: current and past incidents, and metrics for a day or a month. */
export function SiteHealth() {
  const copy = useCopy(healthCopy);
  const [range, setRange] = useState<HealthRange>("day");
  const { data } = trpc.admin.siteHealth.useQuery({ range }, { refetchInterval: REFETCH_MS });
  return (
    <div className={dashboard.section}>
      <p className={dashboard.muted}>{copy.lead}</p>
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
          <Charts range={range} points={data.points} databaseBytesMax={data.databaseBytesMax} />
        </>
      ) : (
        <Skeleton height="20rem" width="100%" label={copy.loading} />
      )}
    </div>
  );
}

function Incidents({ incidents }: { readonly incidents: readonly Incident[] }) {
  const copy = useCopy(healthCopy);
  const [locale] = useLocale();
  const formatTime = (iso: string) => dateAndTime(iso, locale);
  const current = incidents.filter(({ tsUntil }) => tsUntil === null);
  const past = incidents.filter(({ tsUntil }) => tsUntil !== null);
  return (
    <>
      {current.length === 0 && <Banner tone="success">{copy.fine}</Banner>}
      {current.map(({ alert, tsFrom, told }) => (
        <Banner key={`${alert} ${tsFrom}`} tone="danger">
          <strong>{copy.alerts[alert]}</strong> ({alert}), {copy.since(formatTime(tsFrom))}
          {!told && `; ${copy.nobodyTold}`}. {copy.what}
        </Banner>
      ))}
      {past.length > 0 && (
        <section aria-labelledby="past-incidents">
          <h2 id="past-incidents">{copy.past}</h2>
          <ul className={css.incidents}>
            {past.map(({ alert, tsFrom, tsUntil }) => (
              <li key={`${alert} ${tsFrom}`}>
                {copy.alerts[alert]} <small>{copy.between(formatTime(tsFrom), formatTime(tsUntil ?? tsFrom))}</small>
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
type Line = readonly [name: string, value: Metric | ((point: HealthPoint) => number)];

interface ChartsProps {
  readonly range: HealthRange;
  readonly points: readonly HealthPoint[];
  readonly databaseBytesMax: number;
}

function Charts({ range, points, databaseBytesMax }: ChartsProps) {
  const { charts: copy } = useCopy(healthCopy);
  const chart = useMetricChart(range, points);
  const sizeChart = (title: string, bytesOf: (point: HealthPoint) => number) => {
    // Drawing a distant limit would flatten the line.
    const isNearLimit = Math.max(0, ...points.map(bytesOf)) > databaseBytesMax / 4;
    return chart(title, "bytes", [[copy.bytes, bytesOf]], isNearLimit ? databaseBytesMax : undefined);
  };
  const messageDatabases = [...new Set(points.flatMap(({ messageBytes }) => messageBytes.map(({ number }) => number)))];
  return (
    <div className={css.charts}>
      {chart(copy.calls, "count", [
        [copy.requests, "requests"],
        [copy.refused, "refused"],
      ])}
      {chart(copy.faults, "count", [
        [copy.errors, "errors"],
        [copy.jobs, "jobsFailed"],
      ])}
      {chart(copy.times, "ms", [
        [copy.median, "p50"],
        [copy.p99, "p99"],
      ])}
      {chart(copy.rows, "count", [
        [copy.read, "rowsRead"],
        [copy.written, "rowsWritten"],
      ])}
      {sizeChart(copy.size, ({ databaseBytes }) => databaseBytes)}
      {messageDatabases.map((number) =>
        sizeChart(
          copy.messages(number),
          ({ messageBytes }) => messageBytes.find((database) => database.number === number)?.bytes ?? 0,
        ),
      )}
      {chart(copy.mail, "count", [
        [copy.sent, "mailsSent"],
        [copy.mailsRefused, "mailsRefused"],
      ])}
      {chart(copy.pushes, "count", [
        [copy.queued, "pushesQueued"],
        [copy.handled, "pushesHandled"],
      ])}
      {chart(copy.queue, "ms", [[copy.wait, "queueAgeMs"]])}
      {chart(copy.dead, "count", [[copy.dead, "deadLetters"]])}
      {chart(copy.openSockets, "count", [[copy.open, "socketsOpen"]])}
      {chart(copy.sockets, "count", [
        [copy.opened, "socketsOpened"],
        [copy.closed, "socketsClosed"],
      ])}
    </div>
  );
}

/** Returns a function that renders one chart of the points. */
function useMetricChart(range: HealthRange, points: readonly HealthPoint[]) {
  const { charts: copy, words } = useCopy(healthCopy);
  const [locale] = useLocale();
  const labels = points.map(({ ts }) => (range === "day" ? clockTime : dayAndTime)(ts, locale));
  const formats: Readonly<Record<Unit, (value: number) => string>> = {
    count: (value) => value.toLocaleString(locale, { notation: value >= 100_000 ? "compact" : "standard" }),
    ms: (value) => (value >= 1000 ? `${(value / 1000).toLocaleString(locale)} s` : `${Math.round(value)} ms`),
    bytes: (value) => `${(value / 1e6).toLocaleString(locale, { maximumFractionDigits: value < 1e7 ? 1 : 0 })} MB`,
  };
  return (title: string, unit: Unit, lines: readonly Line[], limit?: number) => (
    <LineChart
      key={title}
      title={title}
      points={labels}
      lines={lines.map(([name, value]) => ({
        name,
        values: points.map((point) => (typeof value === "function" ? value(point) : point[value])),
      }))}
      format={formats[unit]}
      labels={words}
      {...(limit !== undefined && { limit: { name: copy.limit, value: limit } })}
    />
  );
}
