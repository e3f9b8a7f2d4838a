import type { HealthPanel, HealthPanelUpdate } from "@lambda/contract/health";
import {
  AUDIENCES,
  DOXY_PEP,
  type HealthField,
  HIV_STATUSES,
  PREP_WAYS,
  REMINDER_MONTHS,
  VACCINES,
} from "@lambda/contract/health-fields";
import { Checkbox } from "@lambda/ui/checkbox";
import { FormSection } from "@lambda/ui/form-section";
import { SaveState } from "@lambda/ui/save-state";
import { Segmented } from "@lambda/ui/segmented";
import { Select } from "@lambda/ui/select";
import { Skeleton } from "@lambda/ui/skeleton";
import { TextField } from "@lambda/ui/text-field";
import { useToast } from "@lambda/ui/toast";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { useCopy } from "../../../format/i18n.ts";
import { editCopy } from "../edit/edit-copy.ts";
import { useSaveState } from "../notes/use-note.ts";
import { healthCopy } from "./health-copy.ts";
import css from "./health-editor.module.css";

type Save = (change: HealthPanelUpdate) => void;

/** Optional, each field with an audience of its own; everything is closed until the member opens it. */
export function HealthEditor() {
  const copy = useCopy(healthCopy);
  const words = useCopy(editCopy);
  const utils = trpc.useUtils();
  const toast = useToast();
  const [state, setState] = useSaveState();
  const panel = trpc.health.mine.useQuery();
  const { mutateAsync } = trpc.health.update.useMutation();
  const save: Save = async (change) => {
    setState("saving");
    try {
      utils.health.mine.setData(undefined, await mutateAsync(change));
      setState("saved");
    } catch (error) {
      setState("failed");
      toast({ text: errorText(error), tone: "danger" });
      void utils.health.mine.invalidate();
    }
  };
  // A reminder's link leads here.
  const anchor = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (panel.data && location.hash === "#health") anchor.current?.scrollIntoView();
  }, [panel.data]);
  const saved = { idle: null, saving: words.saving, saved: words.saved, failed: words.notSaved }[state];
  return (
    <div ref={anchor} id="health">
      <FormSection title={copy.title} text={copy.intro} aside={<SaveState state={state}>{saved}</SaveState>}>
        {panel.data ? <HealthFields panel={panel.data} save={save} /> : <Skeleton shape="rows" count={4} />}
      </FormSection>
    </div>
  );
}

function HealthFields({ panel, save }: { panel: HealthPanel; save: Save }) {
  const copy = useCopy(healthCopy);
  const choice = <Value extends string>(values: readonly Value[], names: Readonly<Record<Value, string>>) => [
    { value: "", label: copy.untold },
    ...values.map((value) => ({ value, label: names[value] })),
  ];
  const field = (name: HealthField, label: string, control: ReactNode) => (
    <AudienceField key={name} name={name} label={label} panel={panel} save={save}>
      {control}
    </AudienceField>
  );
  return (
    <>
      {field(
        "hivStatus",
        copy.hivStatus,
        <Select
          label={copy.hivStatus}
          value={panel.hivStatus ?? ""}
          options={choice(HIV_STATUSES, copy.hiv)}
          onChange={({ target }) => save({ hivStatus: (target.value || null) as HealthPanel["hivStatus"] })}
        />,
      )}
      {field(
        "prep",
        copy.prep,
        <Select
          label={copy.prep}
          value={panel.prep ?? ""}
          options={choice(PREP_WAYS, copy.prepWays)}
          onChange={({ target }) => save({ prep: (target.value || null) as HealthPanel["prep"] })}
        />,
      )}
      {field(
        "doxyPep",
        copy.doxyPep,
        <Select
          label={copy.doxyPep}
          value={panel.doxyPep ?? ""}
          options={choice(DOXY_PEP, copy.doxy)}
          onChange={({ target }) => save({ doxyPep: (target.value || null) as HealthPanel["doxyPep"] })}
        />,
      )}
      {field(
        "vaccines",
        copy.vaccines,
        <fieldset className={css.vaccines}>
          <legend>{copy.vaccines}</legend>
          {VACCINES.map((vaccine) => (
            <Checkbox
              key={vaccine}
              label={copy.vaccineNames[vaccine]}
              checked={panel.vaccines.includes(vaccine)}
              onChange={({ target }) =>
                save({
                  vaccines: target.checked
                    ? [...panel.vaccines, vaccine]
                    : panel.vaccines.filter((other) => other !== vaccine),
                })
              }
            />
          ))}
        </fieldset>,
      )}
      {field("lastTest", copy.lastTest, <LastTest panel={panel} save={save} />)}
      <Select
        label={copy.reminder}
        help={copy.reminderHelp}
        value={String(panel.reminderMonths)}
        options={REMINDER_MONTHS.map((months) => ({ value: String(months), label: copy.reminders[months] }))}
        onChange={({ target }) => save({ reminderMonths: Number(target.value) as HealthPanel["reminderMonths"] })}
      />
    </>
  );
}

function LastTest({ panel, save }: { panel: HealthPanel; save: Save }) {
  const copy = useCopy(healthCopy);
  const [draft, setDraft] = useState<string>();
  const value = draft ?? panel.lastTest ?? "";
  const today = new Date().toISOString().slice(0, 10);
  return (
    <TextField
      label={copy.lastTest}
      help={copy.lastTestHelp}
      type="date"
      max={today}
      value={value}
      error={value > today ? copy.inFuture : undefined}
      onChange={({ target }) => setDraft(target.value)}
      onBlur={() => {
        if (draft === undefined || draft > today) return;
        setDraft(undefined);
        if (draft !== (panel.lastTest ?? "")) save({ lastTest: draft || null });
      }}
    />
  );
}

interface AudienceFieldProps {
  name: HealthField;
  label: string;
  panel: HealthPanel;
  save: Save;
  children: ReactNode;
}

function AudienceField({ name, label, panel, save, children }: AudienceFieldProps) {
  const copy = useCopy(healthCopy);
  return (
    <div className={css.field}>
      {children}
      <span className={css.who} aria-hidden="true">
        {copy.who}
      </span>
      <Segmented
        label={copy.audience(label)}
        value={panel.audiences[name]}
        options={AUDIENCES.map((audience) => ({ value: audience, label: copy.audiences[audience] }))}
        onChange={(audience) => save({ audiences: { [name]: audience } })}
      />
    </div>
  );
}
