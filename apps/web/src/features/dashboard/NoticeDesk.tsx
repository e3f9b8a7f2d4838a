import { trpc } from "../../api/trpc.ts";
import { useCopy } from "../../format/i18n.ts";
import { dashboardCopy } from "./copy.ts";
import { Desk, useDeskView } from "./Desk.tsx";
import css from "./dashboard.module.css";
import { NoticeFileView } from "./NoticeFileView.tsx";
import { noticeDeskCopy } from "./notice-copy.ts";
import { isUrgent, useAge, useNoticeText, useTimeLeft } from "./use-due.ts";

const VIEWS = ["open", "counters", "decided"] as const;

/** The notices, soonest due first. */
export function NoticeDesk() {
  const copy = useCopy(noticeDeskCopy);
  const { severity } = useCopy(dashboardCopy);
  const describe = useNoticeText();
  const age = useAge();
  const timeLeft = useTimeLeft();
  const { data } = trpc.noticeDesk.list.useQuery(
    { view: useDeskView(VIEWS) },
    { staleTime: 0, refetchInterval: 60_000 },
  );
  return (
    <Desk
      section="notices"
      views={VIEWS.map((value) => ({ value, label: copy.view[value] }))}
      viewLabel={copy.viewLabel}
      pick={copy.pick}
      entries={data?.items.map((notice) => ({
        id: notice.id,
        ...describe(notice),
        clock: notice.tsDue && !notice.tsDecided ? timeLeft(notice.tsDue) : age(notice.tsCreated),
        mark: isUrgent(notice) && (
          <span className={css.severity} data-severity="5">
            {severity(5)}
          </span>
        ),
      }))}
      file={(id) => <NoticeFileView key={id} id={id} />}
    />
  );
}
