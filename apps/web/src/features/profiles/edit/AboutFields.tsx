import { ageOf, isAdultBirthdate } from "@lambda/contract/birthdate";
import { AGE_MIN_YEARS, MEASURE_MAX_CHARS, PROFILE_NAME_MAX_CHARS, TEXT_MAX_CHARS } from "@lambda/contract/limits";
import { findNameProblem, normalizeName } from "@lambda/contract/names";
import type { Profile } from "@lambda/contract/profiles";
import { Button } from "@lambda/ui/button";
import { openFoldOfRefused } from "@lambda/ui/form-section";
import { TextArea } from "@lambda/ui/text-area";
import { TextField } from "@lambda/ui/text-field";
import { type ReactNode, useEffect, useRef } from "react";
import { serverNow } from "../../../device/server-clock.ts";
import { useProfileCopy } from "../copy.ts";
import { useEditCopy } from "./edit-copy.ts";
import css from "./edit-profile.module.css";
import { SaveStateLabel } from "./SaveStateLabel.tsx";
import { type Autosave, useAutosave } from "./use-autosave.ts";

/** The profile fields with their validation; each is saved separately. */
function useFields(profile: Profile) {
  const copy = useEditCopy();
  const name = useAutosave("profilename", profile.profilename, (text) => {
    const problem = findNameProblem(normalizeName(text));
    return problem && copy.nameRefused[problem];
  });
  const birthdate = useAutosave("birthdate", profile.birthdate ?? "", (text) => {
    const age = ageOf(text, serverNow());
    if (text === "" || isAdultBirthdate(text, serverNow())) return undefined;
    return age !== undefined && age < AGE_MIN_YEARS ? copy.tooYoung : copy.birthdateInvalid;
  });
  const height = useAutosave("height", profile.height);
  const weight = useAutosave("weight", profile.weight);
  const description = useAutosave("description", profile.description, (text) =>
    text.length > TEXT_MAX_CHARS ? copy.tooLong : undefined,
  );
  return { name, birthdate, height, weight, description };
}

export function AboutFields({ profile }: { profile: Profile }) {
  const copy = useEditCopy();
  const labels = useProfileCopy();
  const { name, birthdate, height, weight, description } = useFields(profile);
  const age = ageOf(birthdate.value, serverNow());
  const control = (field: Autosave) => ({
    value: field.value,
    error: field.error,
    onBlur: field.onBlur,
    onChange: (event: { target: { value: string } }) => field.change(event.target.value),
  });
  return (
    <>
      <AutosavedField field={name}>
        <TextField
          label={copy.name}
          help={copy.nameHelp}
          required
          maxLength={PROFILE_NAME_MAX_CHARS}
          autoComplete="nickname"
          {...control(name)}
        />
      </AutosavedField>
      <AutosavedField field={birthdate}>
        <TextField
          label={copy.birthdate}
          help={age !== undefined && age >= AGE_MIN_YEARS ? copy.age(age) : copy.birthdateHelp}
          type="date"
          autoComplete="bday"
          {...control(birthdate)}
        />
      </AutosavedField>
      <div className={`stack gap-4 ${css.pair}`}>
        <AutosavedField field={height}>
          <TextField
            autoComplete="off"
            label={labels.height}
            help={copy.heightHelp}
            maxLength={MEASURE_MAX_CHARS}
            {...control(height)}
          />
        </AutosavedField>
        <AutosavedField field={weight}>
          <TextField autoComplete="off" label={labels.weight} maxLength={MEASURE_MAX_CHARS} {...control(weight)} />
        </AutosavedField>
      </div>
      <AutosavedField field={description}>
        <TextArea
          label={copy.description}
          help={copy.descriptionHelp}
          max={TEXT_MAX_CHARS}
          minRows={4}
          {...control(description)}
        />
      </AutosavedField>
    </>
  );
}

/** A field with its save state, and the choice between two versions after an edit conflict. */
function AutosavedField({ field, children }: { field: Autosave; children: ReactNode }) {
  const copy = useEditCopy();
  const root = useRef<HTMLDivElement>(null);
  const isRefused = field.error !== undefined || field.conflictingValue !== undefined;
  // The server may refuse a text after its section was folded.
  useEffect(() => {
    if (isRefused) openFoldOfRefused(root.current);
  }, [isRefused]);
  return (
    <div ref={root} className="relative">
      {children}
      <span className={css.saved}>
        <SaveStateLabel state={field.state} />
      </span>
      {field.conflictingValue !== undefined && (
        <div className={`stack gap-3 mt-3 pad-4 raised ${css.conflict}`} role="alert">
          <p>{copy.conflict}</p>
          <blockquote className="break-anywhere pre-line">{field.conflictingValue || copy.conflictEmpty}</blockquote>
          <div className="wrap gap-3">
            <Button label={copy.keepMine} onClick={field.keepMine} />
            <Button label={copy.takeOther} onClick={field.takeOther} />
          </div>
        </div>
      )}
    </div>
  );
}
