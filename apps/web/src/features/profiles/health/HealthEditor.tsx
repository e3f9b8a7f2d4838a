import type { HealthPanel, HealthPanelUpdate } from "@lambda/contract/health";
import {
  AUDIENCES,
  DOXY_PEP,
  type HealthField,
  HIV_STATUSES,
  PREP_REGIMENS,
  REMINDER_MONTHS,
  VACCINES,
} from "@lambda/contract/health-fields";
import { Button } from "@lambda/ui/button";
import { Checkbox } from "@lambda/ui/checkbox";
import { FormSection } from "@lambda/ui/form-section";
import { Segmented } from "@lambda/ui/segmented";
import { Select } from "@lambda/ui/select";
import { TextField } from "@lambda/ui/text-field";
import { getQueryKey } from "@trpc/react-query";
import type { ReactNode } from "react";
import { trpc } from "../../../api/trpc.ts";
import { QueryState } from "../../../components/QueryState.tsx";
import { useFailureToast } from "../../../components/use-failure-toast.ts";
import { useKeptDraft } from "../../../components/use-kept-draft.ts";
import { useSavedWhole } from "../../../components/use-saved-whole.ts";
import { localToday } from "../../../format/local-today.ts";
import { SaveStateLabel } from "../edit/SaveStateLabel.tsx";
import { useOnLeave } from "../edit/use-on-leave.ts";
import { useSaveState } from "../notes/use-note.ts";
import css from "./health.module.css";
import { useHealthCopy } from "./health-copy.ts";

/** Saves a change, or what a function makes of the panel. Resolves to whether it was saved. */
type Save = (change: HealthPanelUpdate | ((panel: HealthPanel) => HealthPanelUpdate)) => Promise<boolean>;

/** Edits the optional health panel. Each field has its own audience and is visible to nobody by default. */
export function HealthEditor() {
  const copy = useHealthCopy();
  const { panel, query, state, save } = useHealthPanel();
  return (
    <FormSection
      id="health"
      title={copy.title}
      text={copy.intro}
      value={panel && copy.answers(countAnswers(panel))}
      aside={<SaveStateLabel state={state} />}
    >
      {panel ? (
        <HealthFields panel={panel} save={save} />
      ) : (
        <QueryState query={query} failed={copy.failed} shape="rows" count={4} />
      )}
    </FormSection>
  );
}

/** The folded line says how many, because anybody may look over the member's shoulder. */
const countAnswers = ({ hivStatus, prep, doxyPep, vaccines, lastTest }: HealthPanel) =>
  [hivStatus, prep, doxyPep, vaccines.length, lastTest].filter(Boolean).length;

function useHealthPanel() {
  const showFailure = useFailureToast();
  const [state, setState] = useSaveState();
  const query = trpc.health.mine.useQuery();
  const { mutateAsync } = trpc.health.update.useMutation();
  const [panel, saveWhole] = useSavedWhole(getQueryKey(trpc.health.mine, undefined, "query"), query.data);
  const save: Save = async (change) => {
    const updateOf = (known: HealthPanel) => (typeof change === "function" ? change(known) : change);
    setState("saving");
    try {
      const isLast = await saveWhole(
        (known) => applyChange(known, updateOf(known)),
        (known) => mutateAsync(updateOf(known)),
      );
      if (isLast) setState("saved");
      return true;
    } catch (error) {
      setState("failed");
      showFailure(error);
      return false;
    }
  };
  return { panel, query, state, save };
}

const applyChange = (panel: HealthPanel, { audiences, ...change }: HealthPanelUpdate) =>
  ({ ...panel, ...change, audiences: { ...panel.audiences, ...audiences } }) as HealthPanel;

function HealthFields({ panel, save }: { panel: HealthPanel; save: Save }) {
  const copy = useHealthCopy();
  const shared = { panel, save };
  return (
    <>
      <ChoiceField {...shared} name="hivStatus" values={HIV_STATUSES} names={copy.hiv} />
      <ChoiceField {...shared} name="prep" values={PREP_REGIMENS} names={copy.prepWays} />
      <ChoiceField {...shared} name="doxyPep" values={DOXY_PEP} names={copy.doxy} />
      <AudienceField {...shared} name="vaccines">
        <Vaccines {...shared} />
      </AudienceField>
      <AudienceField {...shared} name="lastTest">
        <LastTest {...shared} />
      </AudienceField>
      <Select
        label={copy.reminder}
        help={copy.reminderHelp}
        value={String(panel.reminderMonths)}
        options={REMINDER_MONTHS.map((months) => ({ value: String(months), label: copy.reminders[months] }))}
        onValue={(value) => save({ reminderMonths: Number(value) as HealthPanel["reminderMonths"] })}
      />
      <Button variant="quiet" icon="health" href="/games/health" label={copy.report} />
    </>
  );
}

interface FieldProps {
  panel: HealthPanel;
  save: Save;
}

interface ChoiceFieldProps<Value extends string> extends FieldProps {
  name: "hivStatus" | "prep" | "doxyPep";
  values: readonly Value[];
  names: Readonly<Record<Value, string>>;
}

function ChoiceField<Value extends string>({ panel, save, name, values, names }: ChoiceFieldProps<Value>) {
  const copy = useHealthCopy();
  const options = values.map((value) => ({ value, label: names[value] }));
  return (
    <AudienceField name={name} panel={panel} save={save}>
      <Select<string>
        label={copy[name]}
        value={panel[name] ?? ""}
        options={[{ value: "", label: copy.untold }, ...options]}
        onValue={(value) => save({ [name]: value || null })}
      />
    </AudienceField>
  );
}

function Vaccines({ panel, save }: FieldProps) {
  const copy = useHealthCopy();
  const toggle = (vaccine: (typeof VACCINES)[number], has: boolean) =>
    save(({ vaccines }) => ({
      vaccines: has ? [...vaccines, vaccine] : vaccines.filter((other) => other !== vaccine),
    }));
  return (
    <fieldset className={`stack ${css.vaccines}`}>
      <legend>{copy.vaccines}</legend>
      {VACCINES.map((vaccine) => (
        <Checkbox
          key={vaccine}
          label={copy.vaccineNames[vaccine]}
          checked={panel.vaccines.includes(vaccine)}
          onValue={(isChecked) => toggle(vaccine, isChecked)}
        />
      ))}
    </fieldset>
  );
}

function LastTest({ panel, save }: FieldProps) {
  const copy = useHealthCopy();
  const [draft, setDraft, readDraft] = useKeptDraft<string>("last test");
  const value = draft ?? panel.lastTest ?? "";
  const today = localToday();
  const saveDraft = async () => {
    const typed = readDraft();
    if (typed === undefined || typed > today) return;
    const isSaved = typed === (panel.lastTest ?? "") || (await save({ lastTest: typed || null }));
    if (isSaved && readDraft() === typed) setDraft(undefined);
  };
  useOnLeave(() => void saveDraft());
  return (
    <TextField
      autoComplete="off"
      label={copy.lastTest}
      help={copy.lastTestHelp}
      type="date"
      max={today}
      value={value}
      error={value > today ? copy.inFuture : undefined}
      onValue={setDraft}
      onBlur={saveDraft}
    />
  );
}

function AudienceField({ name, panel, save, children }: FieldProps & { name: HealthField; children: ReactNode }) {
  const copy = useHealthCopy();
  return (
    <div className="stack gap-2">
      {children}
      <span className="muted type-mark" aria-hidden="true">
        {copy.who}
      </span>
      <Segmented
        label={copy.audience(copy[name])}
        value={panel.audiences[name]}
        options={AUDIENCES.map((audience) => ({ value: audience, label: copy.audiences[audience] }))}
        onChange={(audience) => save({ audiences: { [name]: audience } })}
      />
    </div>
  );
}
