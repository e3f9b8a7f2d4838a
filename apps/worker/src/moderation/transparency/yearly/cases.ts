import type { Locale } from "@lambda/contract/accounts";
import { DAY_MS } from "@lambda/contract/limits";
import { ruleCopy } from "@lambda/contract/rule-copy";
import type { YearlyRow, YearlySection } from "@lambda/contract/transparency";
import { sql } from "kysely";
import { toDetection } from "../../action/detection.ts";
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

/**
 * Cached by brand and year. The chain is append-only, so the figures are valid as long as its newest entry is the same.
 */
const cache = new Map<string, YearFigures>();

async function readFigures(ctx: SectionContext, year: number): Promise<YearFigures> {
  const { db, brand } = ctx;
  const { head } = await readTotals(ctx);
  const cached = cache.get(`${brand.id} ${year}`);
  if (cached && cached.head === head?.hash) return cached;
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
  cache.set(`${brand.id} ${year}`, figures);
  return figures;
}

type Copy = (typeof yearlyCopy)[Locale];
type Rows = readonly Counted[];

/**
 * Reports, decisions, actions, appeals and juries of a year, from the public chain alone, by the day each entry became
 * public.
 */
export async function readCaseSections(ctx: SectionContext, year: number, locale: Locale): Promise<YearlySection[]> {
  const { rows, medianMs } = await readFigures(ctx, year);
  const copy = yearlyCopy[locale];
  const rules: Readonly<Record<string, string>> = ruleCopy[locale];
  const ruleName = (rule: string) => rules[rule] ?? rule;
  return [
    reportsSection(rows, copy, ruleName),
    decisionsSection(rows, copy, medianMs),
    actionsSection(rows, copy, ruleName),
    appealsSection(rows, copy),
    juriesSection(rows, copy),
  ];
}

function reportsSection(rows: Rows, copy: Copy, ruleName: (rule: string) => string): YearlySection {
  const filed = withAction(rows, "report.filed");
  return {
    id: "reports",
    title: copy.reports,
    text: copy.reportsText,
    rows: [
      ...rowsByKey(filed, "reports", ({ what }) => what ?? "", ruleName),
      { id: "reports.joined", label: copy.joined, value: total(withAction(rows, "report.joined")) },
      ...rowsByKey(
        filed,
        "detection",
        ({ by }) => toDetection(by),
        (by) => copy.detection[by as keyof Copy["detection"]],
      ),
    ],
  };
}

function decisionsSection(rows: Rows, copy: Copy, medianMs: number | null): YearlySection {
  const decided = withAction(rows, "report.decided");
  return {
    id: "decisions",
    title: copy.decisions,
    rows: [
      { id: "decisions.all", label: copy.decided, value: total(decided) },
      ...rowsByKey(
        decided,
        "decisions.by",
        ({ by }) => by,
        (by) => (by === "jury" ? copy.byJury : copy.byStaff),
      ),
      {
        id: "decisions.medianDays",
        label: copy.median,
        value: medianMs === null ? null : Math.round(medianMs / DAY_MS),
      },
    ],
  };
}

function actionsSection(rows: Rows, copy: Copy, ruleName: (rule: string) => string): YearlySection {
  const actionName = (kind: string) => copy.kinds[kind as keyof Copy["kinds"]] ?? kind;
  return {
    id: "actions",
    title: copy.actions,
    rows: rowsByKey(
      rows.filter(({ action }) => action.startsWith("action.")),
      "actions",
      ({ action, what, filed_by }) => `${action.slice("action.".length)}.${what}.${toDetection(filed_by)}`,
      (key) => {
        const [kind = "", rule = "", by = "own"] = key.split(".");
        return `${actionName(kind)}, ${ruleName(rule)}: ${copy.detection[by as keyof Copy["detection"]]}`;
      },
    ),
  };
}

function appealsSection(rows: Rows, copy: Copy): YearlySection {
  const appeals = withAction(rows, "appeal.decided");
  const reversed = total(appeals.filter(({ what }) => what === "reversed"));
  const decided = total(withAction(rows, "report.decided"));
  return {
    id: "appeals",
    title: copy.appeals,
    rows: [
      ...rowsByKey(
        withAction(rows, "appeal.filed"),
        "appeals.filed",
        ({ what }) => what ?? "",
        (side) => (side === "subject" ? copy.bySubject : copy.byReporter),
      ),
      ...rowsByKey(
        appeals,
        "appeals.decided",
        ({ what }) => what ?? "",
        (result) => (result === "reversed" ? copy.reversed : copy.upheld),
      ),
      {
        id: "appeals.reversedPercent",
        label: copy.errorRate,
        value: decided === 0 ? null : Math.round((reversed / decided) * 1000) / 10,
      },
    ],
  };
}

function juriesSection(rows: Rows, copy: Copy): YearlySection {
  return {
    id: "juries",
    title: copy.juries,
    rows: [
      { id: "juries.seated", label: copy.seated, value: total(withAction(rows, "jury.seated")) },
      ...rowsByKey(
        withAction(rows, "jury.verdict"),
        "juries.verdict",
        ({ what }) => what ?? "",
        (verdict) => copy.verdicts[verdict as keyof Copy["verdicts"]] ?? verdict,
      ),
    ],
  };
}

function withAction(rows: Rows, action: string): Rows {
  return rows.filter((row) => row.action === action);
}

function total(rows: Rows): number {
  return rows.reduce((sum, { n }) => sum + n, 0);
}

/** One row of the report for each distinct key, sorted by key. */
function rowsByKey(
  rows: Rows,
  id: string,
  keyOf: (row: Counted) => string,
  label: (key: string) => string,
): YearlyRow[] {
  return [...new Set(rows.map(keyOf))].sort().map((key) => ({
    id: `${id}.${key}`,
    label: label(key),
    value: total(rows.filter((row) => keyOf(row) === key)),
  }));
}
