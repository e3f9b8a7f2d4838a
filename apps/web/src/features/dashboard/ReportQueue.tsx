import { ruleCopy } from "@lambda/contract/rule-copy";
import { Segmented } from "@lambda/ui/segmented";
import { Skeleton } from "@lambda/ui/skeleton";
import { useState } from "react";
import { type RouterOutputs, trpc } from "../../api/trpc.ts";
import { useCopy, useLocale } from "../../format/i18n.ts";
import { CaseFileView } from "./CaseFileView.tsx";
import { dashboardCopy } from "./copy.ts";
import css from "./dashboard.module.css";

const VIEWS = ["staff", "jury", "appeals", "decided"] as const;
type View = (typeof VIEWS)[number];
/** Enough of a case's random name to tell it from the others on the page. */
const CASE_REF_SHOWN = 8;

/** Cases by severity and credibility, with the selected one next to the list. */
export function ReportQueue() {
  const copy = useCopy(dashboardCopy);
  const [view, setView] = useState<View>("staff");
  const [selectedId, setSelectedId] = useState<number>();
  const { data } = trpc.admin.queue.useQuery({ view });
  return (
    <div className={css.section}>
      <Segmented<View>
        label={copy.viewLabel}
        value={view}
        onChange={(next) => {
          setView(next);
          setSelectedId(undefined);
        }}
        options={VIEWS.map((value) => ({ value, label: copy.view[value] }))}
      />
      <div className={css.panes}>
        <div className={css.scroll}>
          {!data && <Skeleton shape="rows" label={copy.loading} />}
          {data?.items.length === 0 && <p className={css.muted}>{copy.empty}</p>}
          {data && data.items.length > 0 && (
            <CaseTable cases={data.items} selectedId={selectedId} onSelect={setSelectedId} />
          )}
        </div>
        <div className={css.pane}>
          {selectedId === undefined ? (
            <p className={css.muted}>{copy.pick}</p>
          ) : (
            <CaseFileView key={selectedId} id={selectedId} />
          )}
        </div>
      </div>
    </div>
  );
}

interface CaseTableProps {
  cases: RouterOutputs["admin"]["queue"]["items"];
  selectedId: number | undefined;
  onSelect: (id: number) => void;
}

function CaseTable({ cases, selectedId, onSelect }: CaseTableProps) {
  const copy = useCopy(dashboardCopy);
  const rules = useCopy(ruleCopy);
  const [locale] = useLocale();
  return (
    <table className={css.table}>
      <thead>
        <tr>
          <th scope="col">{copy.columns.case}</th>
          <th scope="col">{copy.columns.rule}</th>
          <th scope="col">{copy.columns.member}</th>
          <th scope="col">{copy.columns.source}</th>
          <th scope="col" data-number>
            {copy.columns.severity}
          </th>
          <th scope="col" data-number>
            {copy.columns.credibility}
          </th>
          <th scope="col" data-number>
            {copy.columns.filings}
          </th>
          <th scope="col">{copy.columns.age}</th>
        </tr>
      </thead>
      <tbody>
        {cases.map((entry) => (
          <tr key={entry.id} aria-current={entry.id === selectedId || undefined}>
            <th scope="row">
              <button type="button" className={css.link} onClick={() => onSelect(entry.id)}>
                {entry.caseRef.slice(0, CASE_REF_SHOWN)}
              </button>
            </th>
            <td>
              {rules[entry.category]}
              {entry.staffReason && <small>{copy.staffReason[entry.staffReason]}</small>}
            </td>
            <td>{entry.subjectName || entry.subjectProfileId}</td>
            <td>{copy.source[entry.source]}</td>
            <td data-number>
              <span className={css.severity} data-severity={entry.severity}>
                {entry.severity}
              </span>
            </td>
            <td data-number>{Math.round(entry.credibility * 100)} %</td>
            <td data-number>{entry.filings}</td>
            <td>{new Date(entry.tsCreated).toLocaleDateString(locale)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
