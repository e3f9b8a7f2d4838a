import { EMERGENCY_COUNTRIES } from "@lambda/contract/emergency-numbers";
import {
  HOUR_MS,
  MEET_NAME_MAX_CHARS,
  MEET_NOTE_MAX_CHARS,
  MEET_PIN_MAX_DIGITS,
  MEET_PLACE_MAX_CHARS,
} from "@lambda/contract/limits";
import { Problem } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { Checkbox } from "@lambda/ui/checkbox";
import { Select } from "@lambda/ui/select";
import { TextArea } from "@lambda/ui/text-area";
import { TextField } from "@lambda/ui/text-field";
import { useMemo, useState } from "react";
import { Form } from "../../../components/Form.tsx";
import { PinField } from "../../../components/PinField.tsx";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { meetsCopy } from "./copy.ts";
import { isPin } from "./is-pin.ts";
import css from "./meets.module.css";
import type { PlanDraft } from "./use-new-plan.ts";

const HOURS = [1, 2, 3, 4, 6, 8, 12];

interface PlanFormProps {
  draft: PlanDraft;
  setDraft: (draft: PlanDraft) => void;
  waiting: string | undefined;
  problem: string | undefined;
  onMake: () => void;
}

interface PartProps {
  draft: PlanDraft;
  set: (change: Partial<PlanDraft>) => void;
  /** Whether to show errors because the member tried to submit. */
  showsErrors: boolean;
}

const isEmpty = ({ who, where }: PlanDraft) => who.trim() === "" && where.trim() === "";
const hasSamePins = ({ fine, help }: PlanDraft) => isPin(fine) && fine === help;
const isReady = (draft: PlanDraft) =>
  !isEmpty(draft) &&
  isPin(draft.fine) &&
  isPin(draft.help) &&
  !hasSamePins(draft) &&
  draft.note.length <= MEET_NOTE_MAX_CHARS;

export function PlanForm({ draft, setDraft, waiting, problem, onMake }: PlanFormProps) {
  const copy = useCopy(meetsCopy);
  const [showsErrors, setShowsErrors] = useState(false);
  const part = { draft, showsErrors, set: (change: Partial<PlanDraft>) => setDraft({ ...draft, ...change }) };

  const make = () => {
    setShowsErrors(true);
    if (isReady(draft) && waiting === undefined) onMake();
  };
  return (
    <Form className="stack gap-4" onSubmit={make} noValidate>
      <p>{copy.intro}</p>
      <Appointment {...part} />
      <Pins {...part} />
      <ForTheFriend {...part} />
      <p className="muted">{copy.limits}</p>
      <Problem text={problem} />
      <p className="muted" role="status">
        {waiting}
      </p>
      <Button variant="primary" full type="submit" busy={waiting !== undefined} label={copy.make} />
    </Form>
  );
}

function Appointment({ draft, set, showsErrors }: PartProps) {
  const copy = useCopy(meetsCopy);
  return (
    <>
      <TextField
        autoComplete="off"
        label={copy.who}
        value={draft.who}
        maxLength={MEET_NAME_MAX_CHARS}
        error={showsErrors && isEmpty(draft) ? copy.empty : undefined}
        onValue={(who) => set({ who })}
      />
      <TextField
        autoComplete="off"
        label={copy.where}
        help={copy.whereHelp}
        value={draft.where}
        maxLength={MEET_PLACE_MAX_CHARS}
        data-focus=""
        onValue={(where) => set({ where })}
      />
      <Checkbox label={copy.pointHere} checked={draft.addsPoint} onValue={(addsPoint) => set({ addsPoint })} />
      <Select
        label={copy.until}
        value={String(draft.runsMs / HOUR_MS)}
        options={HOURS.map((count) => ({ value: String(count), label: copy.hours(count) }))}
        onValue={(value) => set({ runsMs: Number(value) * HOUR_MS })}
      />
      <TextArea
        label={copy.note}
        help={copy.noteHelp}
        value={draft.note}
        max={MEET_NOTE_MAX_CHARS}
        onValue={(note) => set({ note })}
      />
    </>
  );
}

function Pins({ draft, set, showsErrors }: PartProps) {
  const copy = useCopy(meetsCopy);
  const problemOf = (pin: string) => (showsErrors && !isPin(pin) ? copy.badPin : undefined);
  return (
    <fieldset className={`stack gap-3 pad-4 radius-2 ${css.pins}`}>
      <legend>{copy.pins}</legend>
      <PinField
        label={copy.pin}
        help={copy.pinHelp}
        maxDigits={MEET_PIN_MAX_DIGITS}
        value={draft.fine}
        error={problemOf(draft.fine)}
        onChange={(fine) => set({ fine })}
      />
      <PinField
        label={copy.help}
        help={copy.helpHelp}
        maxDigits={MEET_PIN_MAX_DIGITS}
        value={draft.help}
        error={problemOf(draft.help) ?? (showsErrors && hasSamePins(draft) ? copy.samePin : undefined)}
        onChange={(help) => set({ help })}
      />
    </fieldset>
  );
}

function ForTheFriend({ draft, set }: PartProps) {
  const copy = useCopy(meetsCopy);
  const countries = useCountries(copy.countryNone);
  return (
    <>
      <TextField
        label={copy.me}
        value={draft.me}
        maxLength={MEET_NAME_MAX_CHARS}
        autoComplete="off"
        onValue={(me) => set({ me })}
      />
      <Select
        label={copy.locale}
        value={draft.locale}
        options={[
          { value: "en", label: copy.english },
          { value: "es", label: copy.spanish },
        ]}
        onValue={(locale) => set({ locale })}
      />
      <Select
        label={copy.country}
        help={copy.countryHelp}
        value={draft.country}
        options={countries}
        onValue={(country) => set({ country })}
      />
      <Checkbox
        label={copy.positions}
        help={copy.positionsHelp}
        checked={draft.sendsPosition}
        onValue={(sendsPosition) => set({ sendsPosition })}
      />
    </>
  );
}

function useCountries(none: string) {
  const [locale] = useLocale();
  return useMemo(() => {
    const names = new Intl.DisplayNames(locale, { type: "region" });
    const named = EMERGENCY_COUNTRIES.map((value) => ({ value, label: names.of(value) ?? value }));
    named.sort((a, b) => a.label.localeCompare(b.label, locale));
    return [{ value: "", label: none }, ...named];
  }, [locale, none]);
}
