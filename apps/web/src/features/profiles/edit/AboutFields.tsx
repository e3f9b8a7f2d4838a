import { ageOf, isAdultBirthdate } from "@lambda/contract/birthdate";
import { AGE_MIN_YEARS, MEASURE_MAX_CHARS, PROFILE_NAME_MAX_CHARS, TEXT_MAX_CHARS } from "@lambda/contract/limits";
import { nameProblem, tidyName } from "@lambda/contract/names";
import type { Profile } from "@lambda/contract/profiles";
import { Button } from "@lambda/ui/button";
import { SaveState } from "@lambda/ui/save-state";
import { TextArea } from "@lambda/ui/text-area";
import { TextField } from "@lambda/ui/text-field";
import type { ReactNode } from "react";
import { useCopy } from "../../../format/i18n.ts";
import css from "./about-fields.module.css";
import { editCopy } from "./edit-copy.ts";
import { type Autosave, useAutosave } from "./use-autosave.ts";

/** The fields with their rules, each saved by itself. */
function useFields(profile: Profile) {
  const copy = useCopy(editCopy);
  const name = useAutosave("profilename", profile.profilename, (text) => {
    const problem = nameProblem(tidyName(text));
    return problem && copy.nameRefused[problem];
  });
  const birthdate = useAutosave("birthdate", profile.birthdate ?? "", (text) => {
    const age = ageOf(text, Date.now());
    if (text === "" || isAdultBirthdate(text, Date.now())) return undefined;
    return age !== undefined && age < AGE_MIN_YEARS ? copy.tooYoung : copy.birthdateInvalid;
  });
  const height = useAutosave("height", profile.height);
  const weight = useAutosave("weight", profile.weight);
  const description = useAutosave("description", profile.description, (text) =>
    text.length > TEXT_MAX_CHARS ? copy.tooLong : undefined,
  );
  return { name, birthdate, height, weight, description };
}

/** Name, birthdate, measures and description. */
export function AboutFields({ profile }: { profile: Profile }) {
  const copy = useCopy(editCopy);
  const { name, birthdate, height, weight, description } = useFields(profile);
  const age = ageOf(birthdate.value, Date.now());
  const control = (field: Autosave) => ({
    value: field.value,
    error: field.error,
    onBlur: field.leave,
    onChange: (event: { target: { value: string } }) => field.change(event.target.value),
  });
  return (
    <>
      <Saved field={name}>
        <TextField
          label={copy.name}
          help={copy.nameHelp}
          required
          maxLength={PROFILE_NAME_MAX_CHARS}
          autoComplete="nickname"
          {...control(name)}
        />
      </Saved>
      <Saved field={birthdate}>
        <TextField
          label={copy.birthdate}
          help={age !== undefined && age >= AGE_MIN_YEARS ? copy.age(age) : copy.birthdateHelp}
          type="date"
          autoComplete="bday"
          {...control(birthdate)}
        />
      </Saved>
      <div className={css.pair}>
        <Saved field={height}>
          <TextField label={copy.height} help={copy.heightHelp} maxLength={MEASURE_MAX_CHARS} {...control(height)} />
        </Saved>
        <Saved field={weight}>
          <TextField label={copy.weight} maxLength={MEASURE_MAX_CHARS} {...control(weight)} />
        </Saved>
      </div>
      <Saved field={description}>
        <TextArea
          label={copy.description}
          help={copy.descriptionHelp}
          max={TEXT_MAX_CHARS}
          minRows={4}
          {...control(description)}
        />
      </Saved>
    </>
  );
}

/** A field with the state of its saving in sight, and the choice where two tabs disagree. */
function Saved({ field, children }: { field: Autosave; children: ReactNode }) {
  const copy = useCopy(editCopy);
  const words = { idle: null, saving: copy.saving, saved: copy.saved, failed: copy.notSaved }[field.state];
  return (
    <div className={css.field}>
      {children}
      <span className={css.state}>
        <SaveState state={field.state}>{words}</SaveState>
      </span>
      {field.other !== undefined && (
        <div className={css.conflict} role="alert">
          <p>{copy.conflict}</p>
          <blockquote>{field.other || copy.conflictEmpty}</blockquote>
          <div className={css.choice}>
            <Button onClick={field.keepMine}>{copy.keepMine}</Button>
            <Button onClick={field.takeOther}>{copy.takeOther}</Button>
          </div>
        </div>
      )}
    </div>
  );
}
