import { ruleCopy } from "@lambda/contract/rule-copy";
import { reporterStatementParts } from "@lambda/contract/statement";
import { Button } from "@lambda/ui/button";
import { EmptyState } from "@lambda/ui/empty-state";
import { Fragment } from "react";
import { trpc } from "../../../api/trpc.ts";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { gamesCopy } from "../copy.ts";
import { AppealForm } from "./AppealForm.tsx";
import css from "./arbitration.module.css";

/** The member's reports with their outcomes, and the appeal form where an appeal is allowed. */
export function MyReports() {
  const copy = useCopy(gamesCopy);
  const rules = useCopy(ruleCopy);
  const [locale] = useLocale();
  const utils = trpc.useUtils();
  const { data } = trpc.reports.mine.useQuery();
  return (
    <div className={css.seat}>
      {data?.items.length === 0 && <EmptyState figure="bench" title={copy.arbitration.noReports} />}
      {data?.items.map((report) => (
        <article key={report.id} className={css.precedent}>
          <header>
            <h3>{rules[report.category]}</h3>
            <span>{report.outcome ? copy.arbitration.outcome[report.outcome] : copy.arbitration.open}</span>
          </header>
          <time dateTime={report.tsCreated} className={css.muted}>
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
                  <dt>{heading}</dt>
                  <dd>{text}</dd>
                </Fragment>
              ))}
            </dl>
          )}
          {report.appeal.pending && <p>{copy.dungeon.appealPending}</p>}
          {report.appeal.result && <p>{copy.dungeon[report.appeal.result]}</p>}
          {report.appeal.allowed && <AppealForm reportId={report.id} onSent={() => utils.reports.mine.invalidate()} />}
          <Button variant="quiet" href={`/transparency?case=${report.caseRef}`}>
            {copy.dungeon.verify}
          </Button>
        </article>
      ))}
    </div>
  );
}
