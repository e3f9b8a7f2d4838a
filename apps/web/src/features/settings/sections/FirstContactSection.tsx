import { AGE_MIN_YEARS } from "@lambda/contract/limits";
import type { FirstContact } from "@lambda/contract/messages";
import { FormSection } from "@lambda/ui/form-section";
import { Select } from "@lambda/ui/select";
import { Switch } from "@lambda/ui/switch";
import { QueryState } from "../../../components/QueryState.tsx";
import { useChatPreferences } from "../../../components/use-chat-preferences.ts";
import { useFirstContactValue } from "../use-row-values.ts";
import { useFirstContactCopy } from "./first-contact-copy.ts";

const AGES = Array.from({ length: 15 }, (_, step) => AGE_MIN_YEARS + (step < 8 ? step : 7 + (step - 7) * 5));
const KILOMETERS = [5, 10, 25, 50, 100, 250, 1000];

export function FirstContactSection() {
  const copy = useFirstContactCopy();
  const { query, preferences, save } = useChatPreferences();
  const change = (changes: Partial<FirstContact>) =>
    save(({ firstContact }) => ({ firstContact: { ...firstContact, ...changes } }));
  const choice = (
    current: FirstContact,
    key: "ageMin" | "ageMax" | "distanceMaxMetres",
    values: number[],
    unit: (value: number) => string,
  ) => (
    <Select
      label={copy[key]}
      disabled={current.matchesOnly}
      value={String(current[key] ?? "")}
      options={[
        { value: "", label: copy.any },
        ...values.map((value) => ({ value: String(value), label: unit(value) })),
      ]}
      onValue={(value) => change({ [key]: value === "" ? null : Number(value) })}
    />
  );
  const fields = (current: FirstContact) => (
    <>
      <Switch
        label={copy.matchesOnly}
        help={copy.matchesOnlyHelp}
        checked={current.matchesOnly}
        onChange={(matchesOnly) => change({ matchesOnly })}
      />
      <Switch
        label={copy.checkedOnly}
        help={copy.checkedOnlyHelp}
        checked={current.checkedOnly}
        disabled={current.matchesOnly}
        onChange={(checkedOnly) => change({ checkedOnly })}
      />
      {choice(current, "ageMin", AGES, copy.years)}
      {choice(current, "ageMax", AGES, copy.years)}
      {choice(
        current,
        "distanceMaxMetres",
        KILOMETERS.map((km) => km * 1000),
        (meters) => copy.kilometres(meters / 1000),
      )}
    </>
  );
  return (
    <div id="first">
      <FormSection title={copy.title} text={copy.text} value={useFirstContactValue()}>
        {preferences ? fields(preferences.firstContact) : <QueryState compact query={query} shape="rows" />}
      </FormSection>
    </div>
  );
}
