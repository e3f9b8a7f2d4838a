import { ageOf, isAdultBirthdate } from "@lambda/contract/birthdate";
import { AGE_MIN_YEARS, PROFILE_NAME_MAX_CHARS } from "@lambda/contract/limits";
import { findNameProblem, normalizeName } from "@lambda/contract/names";
import { type ProfileText, TEXT_FIELDS, textsAt } from "@lambda/contract/profile-texts";
import type { Profile } from "@lambda/contract/profiles";
import { Button } from "@lambda/ui/button";
import { openFoldOfRefused } from "@lambda/ui/form-section";
import { TextArea } from "@lambda/ui/text-area";
import { TextField } from "@lambda/ui/text-field";
import { type ReactNode, useEffect, useRef } from "react";
import { serverNow } from "../../../device/server-clock.ts";
import { useLocale } from "../../../format/i18n.ts";
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
  return { name, birthdate };
}

const toControl = (field: Autosave) => ({
  value: field.value,
  error: field.error,
  onBlur: field.onBlur,
  onChange: (event: { target: { value: string } }) => field.change(event.target.value),
});

export function AboutFields({ profile }: { profile: Profile }) {
  const copy = useEditCopy();
  const { name, birthdate } = useFields(profile);
  const age = ageOf(birthdate.value, serverNow());
  return (
    <>
      <AutosavedField field={name}>
        <TextField
          label={copy.name}
          help={copy.nameHelp}
          required
          maxLength={PROFILE_NAME_MAX_CHARS}
          autoComplete="nickname"
          {...toControl(name)}
        />
      </AutosavedField>
      <AutosavedField field={birthdate}>
        <TextField
          label={copy.birthdate}
          help={age !== undefined && age >= AGE_MIN_YEARS ? copy.age(age) : copy.birthdateHelp}
          type="date"
          autoComplete="bday"
          {...toControl(birthdate)}
        />
      </AutosavedField>
      <div className={`stack gap-4 ${css.pair}`}>
        {textsAt("fact").map((text) => (
          <ProfileTextField key={text} name={text} profile={profile} />
        ))}
      </div>
      {textsAt("text").map((text) => (
        <ProfileTextField key={text} name={text} profile={profile} />
      ))}
    </>
  );
}

function ProfileTextField({ name, profile }: { name: ProfileText; profile: Profile }) {
  const copy = useEditCopy();
  const [locale] = useLocale();
  const { place, maxChars, label, help } = TEXT_FIELDS[name];
  const field = useAutosave(name, profile[name], (text) =>
    text.length > maxChars ? copy.tooLong(maxChars) : undefined,
  );
  const props = { label: label[locale], help: help?.[locale], ...toControl(field) };
  return (
    <AutosavedField field={field}>
      {place === "fact" ? (
        <TextField autoComplete="off" maxLength={maxChars} {...props} />
      ) : (
        <TextArea max={maxChars} minRows={4} {...props} />
      )}
    </AutosavedField>
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
