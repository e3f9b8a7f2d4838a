import { trpc } from "../../../api/trpc.ts";
import { useAction } from "../../../components/use-action.ts";
import { useCopy } from "../../../format/i18n.ts";
import { dashboardCopy } from "../copy.ts";
import { holdsCopy } from "./copy.ts";
import { HoldPanel, ReasonForm } from "./HoldPanel.tsx";
import { TipForm } from "./TipForm.tsx";

/** The legal hold of a case, and the CyberTipline report if it concerns a minor. */
export function CaseHold({ reportId, concernsMinor }: { reportId: number; concernsMinor: boolean }) {
  const copy = useCopy(holdsCopy);
  const { data } = trpc.admin.holds.list.useQuery({ reportId });
  const { done } = useCopy(dashboardCopy);
  const start = trpc.admin.holds.start.useMutation(useAction({ done, refresh: [trpc.admin.holds] }));
  const hold = data?.items[0];
  return (
    <section className="stack gap-3">
      <h3>{copy.title}</h3>
      <p className="muted">{copy.explain}</p>
      {hold && <HoldPanel hold={hold} />}
      {data && !hold && (
        <ReasonForm
          label={copy.reason}
          submitLabel={copy.start}
          busy={start.isPending}
          onSubmit={(reason, onSuccess) => start.mutate({ id: reportId, reason }, { onSuccess })}
        />
      )}
      {concernsMinor && <TipForm reportId={reportId} />}
    </section>
  );
}
