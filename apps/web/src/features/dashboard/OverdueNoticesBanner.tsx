import { Banner } from "@lambda/ui/banner";
import { Link } from "@lambda/ui/link";
import { trpc } from "../../api/trpc.ts";
import { useCopy, useLocale } from "../../format/i18n.ts";
import { dateAndTime } from "../../format/time.ts";
import { noticeDeskCopy } from "./notice-copy.ts";

const REFETCH_MS = 60_000;

/** Shown on every tab while a notice about an intimate picture has waited for more than a day. */
export function OverdueNoticesBanner() {
  const copy = useCopy(noticeDeskCopy);
  const [locale] = useLocale();
  const { data } = trpc.noticeDesk.counts.useQuery(undefined, { refetchInterval: REFETCH_MS });
  if (!data || data.late === 0) return null;
  return (
    <Banner tone="danger" role="alert" action={<Link href="/dashboard?section=notices">{copy.openDesk}</Link>}>
      {data.overdue > 0
        ? copy.overdue(data.overdue)
        : copy.alarm(data.late, data.tsNextDue ? dateAndTime(data.tsNextDue, locale) : "")}
    </Banner>
  );
}
