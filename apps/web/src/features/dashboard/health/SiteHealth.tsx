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

/** How the site itself does: what is wrong, what was, and the figures of a day or a month. */
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
  const time = (iso: string) => dateAndTime(iso, locale);
  const now = incidents.filter(({ tsUntil }) => tsUntil === null);
  const past = incidents.filter(({ tsUntil }) => tsUntil !== null);
  return (
    <>
      {now.length === 0 && <Banner tone="success">{copy.fine}</Banner>}
      {now.map(({ alert, tsFrom, told }) => (
        <Banner key={`${alert} ${tsFrom}`} tone="danger">
          <strong>{copy.alerts[alert]}</strong> ({alert}), {copy.since(time(tsFrom))}
          {!told && `; ${copy.untold}`}. {copy.what}
        </Banner>
      ))}
      {past.length > 0 && (
        <section aria-labelledby="past-incidents">
          <h2 id="past-incidents">{copy.past}</h2>
          <ul className={css.incidents}>
            {past.map(({ alert, tsFrom, tsUntil }) => (
              <li key={`${alert} ${tsFrom}`}>
                {copy.alerts[alert]} <small>{copy.between(time(tsFrom), time(tsUntil ?? tsFrom))}</small>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

interface ChartsProps {
  readonly range: HealthRange;
  readonly points: readonly HealthPoint[];
  readonly databaseBytesMax: number;
}

type Figure = Exclude<keyof HealthPoint, "ts" | "messageBytes">;
type Unit = "count" | "ms" | "bytes";

function Charts({ range, points, databaseBytesMax }: ChartsProps) {
  const { charts: copy, words } = useCopy(healthCopy);
  const [locale] = useLocale();
  const names = points.map(({ ts }) => (range === "day" ? clockTime : dayAndTime)(ts, locale));
  const formats: Readonly<Record<Unit, (value: number) => string>> = {
    count: (value) => value.toLocaleString(locale, { notation: value >= 100_000 ? "compact" : "standard" }),
    ms: (value) => (value >= 1000 ? `${(value / 1000).toLocaleString(locale)} s` : `${Math.round(value)} ms`),
    bytes: (value) => `${(value / 1e6).toLocaleString(locale, { maximumFractionDigits: value < 1e7 ? 1 : 0 })} MB`,
  };
  type Line = readonly [string, Figure | ((point: HealthPoint) => number)];
  const chart = (title: string, unit: Unit, lines: readonly Line[], limit?: number) => (
    <LineChart
      key={title}
      title={title}
      points={names}
      lines={lines.map(([name, figure]) => ({
        name,
        values: points.map((point) => (typeof figure === "function" ? figure(point) : point[figure])),
      }))}
      format={formats[unit]}
      words={words}
      {...(limit !== undefined && { limit: { name: copy.limit, value: limit } })}
    />
  );
  /** Where the limit is far, drawing it would flatten the line. */
  const sizeChart = (title: string, bytes: (point: HealthPoint) => number) => {
    const isNear = Math.max(0, ...points.map(bytes)) > databaseBytesMax / 4;
    return chart(title, "bytes", [[copy.bytes, bytes]], isNear ? databaseBytesMax : undefined);
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
        [copy.half, "p50"],
        [copy.most, "p99"],
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
