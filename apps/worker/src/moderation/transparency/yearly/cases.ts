import type { Locale } from "@lambda/contract/accounts";
import { ruleCopy } from "@lambda/contract/rule-copy";
import type { YearlyRow, YearlySection } from "@lambda/contract/transparency";
import { sql } from "kysely";
import { detectionOf } from "../../action/detection.ts";
import { readTotals } from "../totals.ts";
import { yearlyCopy } from "./copy.ts";
import type { SectionContext } from "./section.ts";

interface Counted {
  readonly action: string;
  readonly by: string;
  readonly what: string | null;
  readonly filed_by: string | null;
  readonly n: number;
}

interface YearFigures {
  readonly head: string | undefined;
  readonly rows: readonly Counted[];
  readonly medianMs: number | null;
}

/** The chain only grows: its sums hold as long as its newest entry is the same. Anybody may ask, and then one row is read. */
const kept = new Map<string, YearFigures>();

async function readFigures(ctx: SectionContext, year: number): Promise<YearFigures> {
  const { db, brand } = ctx;
  const { head } = await readTotals(ctx);
  const known = kept.get(`${brand.id} ${year}`);
  if (known && known.head === head?.hash) return known;
  const ofYear = sql<boolean>`substr(e.body ->> '$.ts', 1, 4) = ${String(year)}`;
  const filer = sql<string | null>`case when e.action like 'action.%' then (select f.body ->> '$.by' from public_entry f
    where f.case_ref = e.case_ref and f.action = 'report.filed') end`;
  const rows = await db
    .selectFrom("public_entry as e")
    .select("e.action")
    .select(sql<string>`e.body ->> '$.by'`.as("by"))
    .select(
      sql<
        string | null
      >`coalesce(e.body ->> '$.details.rule', e.body ->> '$.details.result', e.body ->> '$.details.verdict', e.body ->> '$.details.side')`.as(
        "what",
      ),
    )
    .select(filer.as("filed_by"))
    .select(({ fn }) => fn.countAll<number>().as("n"))
    .where("e.brand", "=", brand.id)
    .where(ofYear)
    .groupBy(["e.action", "by", "what", "filed_by"])
    .execute();
  const waits = await db
    .selectFrom("public_entry as e")
    .select(sql<number>`cast(e.body ->> '$.details.waitedMs' as integer)`.as("ms"))
    .where("e.brand", "=", brand.id)
    .where("e.action", "=", "report.decided")
    .where(ofYear)
    .orderBy("ms")
    .execute();
  const medianMs = waits[Math.floor((waits.length - 1) / 2)]?.ms ?? null;
  const figures = { head: head?.hash, rows, medianMs };
  kept.set(`${brand.id} ${year}`, figures);
  return figures;
}

/** Reports, decisions, actions, appeals and juries, from the public chain alone: by the day on which each became public. */
export async function readCaseSections(ctx: SectionContext, year: number, locale: Locale): Promise<YearlySection[]> {
  const { rows, medianMs } = await readFigures(ctx, year);
  const copy = yearlyCopy[locale];
  const rules: Readonly<Record<string, string>> = ruleCopy[locale];
  const ruleName = (rule: string | null) => rules[rule ?? ""] ?? rule ?? "";
  const sum = (is: (row: Counted) => boolean) => rows.filter(is).reduce((total, { n }) => total + n, 0);
  /** A row for each value that occurs. */
  const each = (
    id: string,
    is: (row: Counted) => boolean,
    key: (row: Counted) => string,
    label: (key: string) => string,
  ) => {
    const found = rows.filter(is);
    return [...new Set(found.map(key))].sort().map((value): YearlyRow => {
      const value_ = found.filter((row) => key(row) === value).reduce((total, { n }) => total + n, 0);
      return { id: `${id}.${value}`, label: label(value), value: value_ };
    });
  };
  const one = (id: string, label: string, value: number | null): YearlyRow => ({ id, label, value });
  const isAction = ({ action }: Counted) => action.startsWith("action.");
  const actionName = (kind: string) => copy.kinds[kind as keyof typeof copy.kinds] ?? kind;
  const decided = sum(({ action }) => action === "report.decided");
  const reversed = sum(({ action, what }) => action === "appeal.decided" && what === "reversed");
  return [
    {
      id: "reports",
      title: copy.reports,
      text: copy.reportsText,
      rows: [
        ...each(
          "reports",
          ({ action }) => action === "report.filed",
          ({ what }) => what ?? "",
          ruleName,
        ),
        one(
          "reports.joined",
          copy.joined,
          sum(({ action }) => action === "report.joined"),
        ),
        ...each(
          "detection",
          ({ action }) => action === "report.filed",
          ({ by }) => detectionOf(by),
          (by) => copy.detection[by as keyof typeof copy.detection],
        ),
      ],
    },
    {
      id: "decisions",
      title: copy.decisions,
      rows: [
        one("decisions.all", copy.decided, decided),
        ...each(
          "decisions.by",
          ({ action }) => action === "report.decided",
          ({ by }) => by,
          (by) => (by === "jury" ? copy.byJury : copy.byStaff),
        ),
        one("decisions.medianDays", copy.median, medianMs === null ? null : Math.round(medianMs / 86_400_000)),
      ],
    },
    {
      id: "actions",
      title: copy.actions,
      rows: each(
        "actions",
        isAction,
        ({ action, what, filed_by }) => `${action.slice(7)}.${what}.${detectionOf(filed_by)}`,
        (key) => {
          const [kind = "", rule = "", by = "own"] = key.split(".");
          return `${actionName(kind)}, ${ruleName(rule)}: ${copy.detection[by as keyof typeof copy.detection]}`;
        },
      ),
    },
    {
      id: "appeals",
      title: copy.appeals,
      rows: [
        ...each(
          "appeals.filed",
          ({ action }) => action === "appeal.filed",
          ({ what }) => what ?? "",
          (side) => (side === "subject" ? copy.bySubject : copy.byReporter),
        ),
        ...each(
          "appeals.decided",
          ({ action }) => action === "appeal.decided",
          ({ what }) => what ?? "",
          (result) => (result === "reversed" ? copy.reversed : copy.upheld),
        ),
        one(
          "appeals.reversedPercent",
          copy.errorRate,
          decided === 0 ? null : Math.round((reversed / decided) * 1000) / 10,
        ),
      ],
    },
    {
      id: "juries",
      title: copy.juries,
      rows: [
        one(
          "juries.seated",
          copy.seated,
          sum(({ action }) => action === "jury.seated"),
        ),
        ...each(
          "juries.verdict",
          ({ action }) => action === "jury.verdict",
          ({ what }) => what ?? "",
          (verdict) => copy.verdicts[verdict as keyof typeof copy.verdicts] ?? verdict,
        ),
      ],
    },
  ];
}
