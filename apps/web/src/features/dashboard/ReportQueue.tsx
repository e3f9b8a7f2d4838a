import { ruleCopy } from "@lambda/contract/rule-copy";
import { trpc } from "../../api/trpc.ts";
import { useCopy } from "../../format/i18n.ts";
import { CaseFileView } from "./CaseFileView.tsx";
import { dashboardCopy } from "./copy.ts";
import { Desk, useDeskView } from "./Desk.tsx";
import css from "./dashboard.module.css";
import { useAge } from "./use-due.ts";

const VIEWS = ["staff", "jury", "appeals", "decided"] as const;

/** Cases by severity and credibility. */
export function ReportQueue() {
  const copy = useCopy(dashboardCopy);
  const rules = useCopy(ruleCopy);
  const age = useAge();
  const { data } = trpc.admin.queue.useQuery({ view: useDeskView(VIEWS) });
  return (
    <Desk
      section="queue"
      views={VIEWS.map((value) => ({ value, label: copy.view[value] }))}
      viewLabel={copy.viewLabel}
      pick={copy.pick}
      entries={data?.items.map((entry) => ({
        id: entry.id,
        title: `${rules[entry.category]} · ${entry.subjectName || entry.subjectProfileId}`,
        text: [
          copy.source[entry.source],
          copy.filings(entry.filings, Math.round(entry.credibility * 100)),
          entry.staffReason && copy.staffReason[entry.staffReason],
        ]
          .filter(Boolean)
          .join(" · "),
        clock: age(entry.tsCreated),
        mark: (
          <span className={css.severity} data-severity={entry.severity}>
            {copy.severity(entry.severity)}
          </span>
        ),
      }))}
      file={(id) => <CaseFileView key={id} id={id} />}
    />
  );
}
