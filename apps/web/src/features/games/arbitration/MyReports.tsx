import { ruleCopy } from "@lambda/contract/rule-copy";
import { reporterStatementParts } from "@lambda/contract/statement";
import { Button } from "@lambda/ui/button";
import { EmptyState } from "@lambda/ui/empty-state";
import { Fragment } from "react";
import { trpc } from "../../../api/trpc.ts";
import { QueryState } from "../../../components/QueryState.tsx";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { gamesCopy } from "../copy.ts";
import { AppealForm } from "./AppealForm.tsx";
import { appealCopy } from "./appeal-copy.ts";
import css from "./arbitration.module.css";
import { arbitrationCopy } from "./copy.ts";

export function MyReports() {
  const copy = useCopy(arbitrationCopy);
  const appealTexts = useCopy(appealCopy);
  const rules = useCopy(ruleCopy);
  const [locale] = useLocale();
  const utils = trpc.useUtils();
  const { loading } = useCopy(gamesCopy);
  const reports = trpc.reports.mine.useQuery();
  if (!reports.data)
    return <QueryState query={reports} failed={copy.reportsFailed} shape="rows" count={3} label={loading} />;
  const { items } = reports.data;
  return (
    <div className={css.seat}>
      {items.length === 0 && <EmptyState figure="bench" title={copy.noReports} />}
      {items.map((report) => (
        <article key={report.id} className={`stack gap-2 items-start ruled-below ${css.precedent}`}>
          <header className="flex gap-3 between align-baseline full-width">
            <h3>{rules[report.category]}</h3>
            <span>{report.outcome ? copy.outcome[report.outcome] : copy.open}</span>
          </header>
          <time dateTime={report.tsCreated} className="muted">
            {new Date(report.tsCreated).toLocaleDateString(locale, { dateStyle: "medium" })}
          </time>
          {report.state === "decided" && (
            <dl className={css.statement}>
              {reporterStatementParts(
                {
                  acted: report.outcome !== "none",
                  appealUntil:
                    report.tsAppealUntil &&
                    new Date(report.tsAppealUntil).toLocaleDateString(locale, { dateStyle: "medium" }),
                },
                locale,
              ).map(({ heading, text }) => (
                <Fragment key={heading}>
                  <dt className="muted">{heading}</dt>
                  <dd>{text}</dd>
                </Fragment>
              ))}
            </dl>
          )}
          {report.appeal.pending && <p>{appealTexts.appealPending}</p>}
          {report.appeal.result && <p>{appealTexts[report.appeal.result]}</p>}
          {report.appeal.allowed && <AppealForm reportId={report.id} onSent={() => utils.reports.mine.invalidate()} />}
          {report.caseRef && (
            <Button variant="quiet" href={`/transparency?case=${report.caseRef}`}>
              {appealTexts.verify}
            </Button>
          )}
        </article>
      ))}
    </div>
  );
}
