import type { Rule } from "@lambda/contract/moderation";
import { ruleCopy } from "@lambda/contract/rule-copy";
import { reporterStatementParts } from "@lambda/contract/statement";
import { Button } from "@lambda/ui/button";
import { EmptyState } from "@lambda/ui/empty-state";
import { Select } from "@lambda/ui/select";
import { Stat, StatRow } from "@lambda/ui/stat";
import { Switch } from "@lambda/ui/switch";
import { Tabs } from "@lambda/ui/tabs";
import { TextField } from "@lambda/ui/text-field";
import { Fragment, useState } from "react";
import { useSearch } from "wouter";
import { trpc } from "../../../api/trpc.ts";
import { QueryState } from "../../../components/QueryState.tsx";
import { useAction } from "../../../components/use-action.ts";
import { useDebounced } from "../../../components/use-debounced.ts";
import { currentLocale, useCopy, useLocale } from "../../../format/i18n.ts";
import { useGamesCopy } from "../copy.ts";
import { AppealForm } from "./AppealForm.tsx";
import { useAppealCopy } from "./appeal-copy.ts";
import css from "./arbitration.module.css";
import { useArbitrationCopy } from "./copy.ts";
import { JuryCaseView } from "./JuryCaseView.tsx";

export default function ArbitrationScreen() {
  const copy = useArbitrationCopy();
  const tab = new URLSearchParams(useSearch()).get("tab");
  const path = "/games/arbitration";
  const current = tab === "precedents" || tab === "mine" ? `${path}?tab=${tab}` : path;
  return (
    <div className="centered measure">
      <Tabs
        label={copy.tabs}
        current={current}
        tabs={[
          { href: path, label: copy.cases },
          { href: `${path}?tab=precedents`, label: copy.precedents },
          { href: `${path}?tab=mine`, label: copy.mine },
        ]}
      />
      {tab === "precedents" ? <Precedents /> : tab === "mine" ? <MyReports /> : <JuryDuty />}
    </div>
  );
}

/** The first case waiting for the juror's vote, their record, and the switch for being drawn. */
function JuryDuty() {
  const copy = useArbitrationCopy();
  const { loading, failed } = useGamesCopy();
  const inbox = trpc.arbitration.inbox.useQuery();
  const setOptedOut = trpc.arbitration.setOptedOut.useMutation(useAction({ refresh: [trpc.arbitration.inbox] }));
  const { data } = inbox;
  if (!data) return <QueryState query={inbox} failed={failed} height="50dvh" width="100%" label={loading} />;
  const [firstCase] = data.cases;
  const { record } = data;
  return (
    <div className="stack gap-5 centered measure mt-4">
      {firstCase ? (
        <JuryCaseView key={firstCase.juryId} juryCase={firstCase} />
      ) : (
        <EmptyState figure="bench" title={copy.none} text={copy.noneText} />
      )}
      <section className={`stack gap-4 ruled ${css.record}`}>
        <h2>{copy.record}</h2>
        <StatRow>
          <Stat label={copy.summoned} value={record.summoned} />
          <Stat label={copy.voted} value={record.voted} />
          <Stat label={copy.majority} value={record.withMajority} />
          <Stat label={copy.overturned} value={record.overturned} />
        </StatRow>
        <Switch
          label={copy.serve}
          help={copy.serveHelp}
          checked={!data.optedOut}
          onChange={(isOptedIn) => setOptedOut.mutate({ optedOut: !isOptedIn })}
        />
      </section>
    </div>
  );
}

function MyReports() {
  const copy = useArbitrationCopy();
  const appealTexts = useAppealCopy();
  const rules = useCopy(ruleCopy);
  const [locale] = useLocale();
  const utils = trpc.useUtils();
  const { loading } = useGamesCopy();
  const reports = trpc.reports.mine.useQuery();
  if (!reports.data)
    return <QueryState query={reports} failed={copy.reportsFailed} shape="rows" count={3} label={loading} />;
  const { items } = reports.data;
  return (
    <div className="stack gap-5 centered measure mt-4">
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
            <dl className={`stack gap-1 quoted pre-line ${css.statement}`}>
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
          {report.appeal.allowed && <AppealForm reportId={report.id} refresh={() => utils.reports.mine.invalidate()} />}
          {report.caseRef && (
            <Button variant="quiet" href={`/transparency?case=${report.caseRef}`} label={appealTexts.verify} />
          )}
        </article>
      ))}
    </div>
  );
}

function Precedents() {
  const copy = useArbitrationCopy();
  const rules = useCopy(ruleCopy);
  const [category, setCategory] = useState<Rule | "">("");
  const [text, setText] = useState("");
  const searchText = useDebounced(text);
  const query = trpc.arbitration.precedents.useQuery(
    { text: searchText, ...(category && { category }) },
    { placeholderData: (previous) => previous },
  );
  return (
    <div className="stack gap-5 centered measure mt-4">
      <div className={`stack gap-3 ${css.search}`}>
        <TextField autoComplete="off" label={copy.search} icon="search" value={text} onValue={setText} />
        <Select
          label={copy.all}
          value={category}
          onValue={setCategory}
          options={[
            { value: "", label: copy.all },
            ...(Object.keys(rules) as Rule[]).map((value) => ({ value, label: rules[value] })),
          ]}
        />
      </div>
      {!query.data && <QueryState query={query} shape="rows" />}
      {query.data?.items.length === 0 && <p className="muted">{copy.noPrecedents}</p>}
      {query.data?.items.map((item) => (
        <article key={item.tsDecided + item.summary} className={`stack gap-2 items-start ruled-below ${css.precedent}`}>
          <header className="flex gap-3 between align-baseline full-width">
            <h3>{rules[item.category]}</h3>
            <span>{copy.outcome[item.outcome]}</span>
          </header>
          <p>{item.summary}</p>
          <time dateTime={item.tsDecided} className="muted">
            {new Date(item.tsDecided).toLocaleDateString(currentLocale(), { dateStyle: "medium" })}
          </time>
        </article>
      ))}
    </div>
  );
}
