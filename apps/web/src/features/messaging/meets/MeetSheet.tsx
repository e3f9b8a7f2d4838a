import type { MeetContext } from "@lambda/contract/meets";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { useEffect, useState } from "react";
import { trpc } from "../../../api/trpc.ts";
import { ClosableSheet } from "../../../components/ClosableSheet.tsx";
import { QueryState } from "../../../components/QueryState.tsx";
import { OWN_PLAN } from "../../../device/device-keys.ts";
import { useDeviceValue } from "../../../device/device-storage.ts";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { AnswerPlan } from "./AnswerPlan.tsx";
import { meetsCopy } from "./copy.ts";
import { PlanForm } from "./PlanForm.tsx";
import { SendLink } from "./SendLink.tsx";
import { EMPTY_PLAN, type PlanDraft, useNewPlan } from "./use-new-plan.ts";

interface MeetSheetProps {
  open: boolean;
  onClose: () => void;
  account: number;
  otherName: string;
}

export default function MeetSheet({ open, onClose, account, otherName }: MeetSheetProps) {
  const copy = useCopy(meetsCopy);
  const [plan] = useDeviceValue(OWN_PLAN);
  const own = plan?.account === account ? plan : null;
  // A plan made while the sheet is open shows its link next.
  const [hadPlan, setHadPlan] = useState(own !== null);
  useEffect(() => {
    if (!open) setHadPlan(own !== null);
  }, [open, own]);
  const isNew = own !== null && !hadPlan;
  const [draft, setDraft] = useState<PlanDraft>();
  const [lacksPoint, setLacksPoint] = useState(false);
  const onMade = (made: { lacksPoint: boolean }) => {
    setDraft(undefined);
    setLacksPoint(made.lacksPoint);
  };
  const closeForm = () => {
    setDraft(draft && { ...draft, fine: "", help: "" });
    onClose();
  };
  return (
    <ClosableSheet open={open} onClose={closeForm} title={isNew ? copy.made : own ? copy.running : copy.title}>
      {!own && <NewPlan account={account} otherName={otherName} draft={draft} setDraft={setDraft} onMade={onMade} />}
      {own && isNew && (
        <div className="stack gap-4">
          {lacksPoint && <Banner tone="warn">{copy.noPosition}</Banner>}
          <p>{copy.madeText}</p>
          <SendLink plan={own} />
          <Button full label={copy.done} onClick={onClose} />
        </div>
      )}
      {own && !isNew && <AnswerPlan plan={own} onEnded={onClose} />}
    </ClosableSheet>
  );
}

interface NewPlanProps {
  account: number;
  otherName: string;
  draft: PlanDraft | undefined;
  setDraft: (draft: PlanDraft) => void;
  onMade: (made: { lacksPoint: boolean }) => void;
}

function NewPlan(props: NewPlanProps) {
  const query = trpc.meets.place.useQuery();
  if (!query.data) return <QueryState query={query} shape="rows" count={4} />;
  return <NewPlanForm {...props} place={query.data} />;
}

function NewPlanForm({ account, otherName, draft, setDraft, onMade, place }: NewPlanProps & { place: MeetContext }) {
  const copy = useCopy(meetsCopy);
  const [locale] = useLocale();
  const { origin, isNeutral, country } = place;
  const { make, step, problem } = useNewPlan(account, { origin, isNeutral }, onMade);
  const [first] = useState<PlanDraft>({ ...EMPTY_PLAN, who: otherName, country: country ?? "", locale });
  const current = draft ?? first;
  return (
    <PlanForm
      draft={current}
      setDraft={setDraft}
      waiting={step && copy[step]}
      problem={problem}
      onMake={() => void make(current)}
    />
  );
}
