import { ageOf, isAdultBirthdate } from "@lambda/contract/birthdate";
import { AGE_MIN_YEARS, PROFILE_NAME_MAX_CHARS } from "@lambda/contract/limits";
import { findNameProblem, normalizeName } from "@lambda/contract/names";
import type { Profile } from "@lambda/contract/profiles";
import { Button } from "@lambda/ui/button";
import { Chip, ChipRow } from "@lambda/ui/chip";
import { Fault } from "@lambda/ui/fault";
import { TextField } from "@lambda/ui/text-field";
import { useRef, useState } from "react";
import { errorText } from "../../../api/error-text.ts";
import { Form } from "../../../components/Form.tsx";
import { useDigits } from "../../../components/use-digits.ts";
import { serverNow } from "../../../device/server-clock.ts";
import { useLocale } from "../../../format/i18n.ts";
import { useTagNames } from "../../../format/tag-names.ts";
import { useEditCopy } from "../../profiles/edit/edit-copy.ts";
import { useProfileUpdate } from "../../profiles/edit/use-autosave.ts";
import { BIRTHDAY_DIGITS, type Birthday, findBirthday, fromBirthdate, isComplete, toBirthdate } from "./birthday.ts";
import { useWelcomeCopy } from "./copy.ts";
import css from "./welcome.module.css";

/** Harmless ones, that start a conversation. */
const TAGS: readonly string[] = [
  "coffee",
  "bar",
  "culture",
  "fitness",
  "outdoors",
  "cooking",
  "travel",
  "art",
  "animals",
  "bear",
  "leather",
];

/** Asks for name and birthday, without which nobody sees the member, and offers tags, so that the profile begins with something. */
export function NameStep({ profile, onDone }: { profile: Profile; onDone: () => void }) {
  const { name: copy, next } = useWelcomeCopy();
  const profileCopy = useEditCopy();
  const { tagName } = useTagNames();
  const update = useProfileUpdate();
  const [name, setName] = useState(profile.profilename);
  const [birthday, setBirthday] = useState(() => fromBirthdate(profile.birthdate));
  const [tags, setTags] = useState<readonly string[]>(profile.characteristics);
  const [problems, setProblems] = useState<{ name?: string; birthday?: string; saving?: string }>({});
  const [busy, setBusy] = useState(false);

  const submit = async () => {
    const invalidName = findNameProblem(normalizeName(name));
    const birthdate = toBirthdate(birthday);
    const age = ageOf(birthdate, serverNow());
    const newProblems: typeof problems = {
      ...(invalidName && { name: profileCopy.nameRefused[invalidName] }),
      ...(!isAdultBirthdate(birthdate, serverNow()) && {
        birthday: age !== undefined && age < AGE_MIN_YEARS ? profileCopy.tooYoung : copy.birthdayInvalid,
      }),
    };
    setProblems(newProblems);
    if (busy || newProblems.name || newProblems.birthday) return;
    setBusy(true);
    try {
      const hasOtherTags = tags.join() !== profile.characteristics.join();
      await update({
        profilename: normalizeName(name),
        birthdate,
        ...(hasOtherTags && { characteristics: [...tags] }),
      });
      onDone();
    } catch (error) {
      setProblems({ saving: errorText(error) });
      setBusy(false);
    }
  };
  return (
    <Form className={`column gap-4 grow mt-2 ${css.form}`} onSubmit={submit} noValidate>
      <TextField
        label={profileCopy.name}
        help={profileCopy.nameHelp}
        autoFocus
        autoComplete="nickname"
        enterKeyHint="next"
        maxLength={PROFILE_NAME_MAX_CHARS}
        value={name}
        error={problems.name}
        onValue={setName}
      />
      <BirthdayFields value={birthday} error={problems.birthday} onChange={setBirthday} />
      <section className="stack gap-2" aria-label={copy.tags}>
        <h3>{copy.tags}</h3>
        <ChipRow label={copy.tags}>
          {TAGS.map((tag) => (
            <Chip
              key={tag}
              label={tagName(tag)}
              selected={tags.includes(tag)}
              onToggle={(on) => setTags(on ? [...tags, tag] : tags.filter((other) => other !== tag))}
            />
          ))}
        </ChipRow>
      </section>
      <Fault text={problems.saving} />
      <div className={css.primary}>
        <Button type="submit" variant="primary" full busy={busy} label={next} />
      </div>
    </Form>
  );
}

interface BirthdayFieldsProps {
  value: Birthday;
  error: string | undefined;
  onChange: (birthday: Birthday) => void;
}

const PARTS: Readonly<Record<"en" | "es", readonly (keyof Birthday)[]>> = {
  en: ["month", "day", "year"],
  es: ["day", "month", "year"],
};

function BirthdayFields({ value, error, onChange }: BirthdayFieldsProps) {
  const { name: copy } = useWelcomeCopy();
  const { birthdateHelp } = useEditCopy();
  const [locale] = useLocale();
  const fields = useRef<Partial<Record<keyof Birthday, HTMLInputElement | null>>>({});
  const { read, problem } = useDigits();
  const note = problem ?? error;
  const enter = (part: keyof Birthday, typed: string) => {
    const whole = findBirthday(typed, PARTS[locale]);
    if (whole) {
      read("");
      return onChange(whole);
    }
    const digits = read(typed, BIRTHDAY_DIGITS[part]);
    onChange({ ...value, [part]: digits });
    const nextPart = PARTS[locale][PARTS[locale].indexOf(part) + 1];
    if (nextPart && digits.length > value[part].length && isComplete(part, digits)) fields.current[nextPart]?.focus();
  };
  return (
    <fieldset className={`stack ${css.birthday}`} aria-describedby="birthday-note">
      <legend>{copy.birthday}</legend>
      {PARTS[locale].map((part) => (
        <TextField
          key={part}
          ref={(input) => {
            fields.current[part] = input;
          }}
          label={copy[part]}
          inputMode="numeric"
          autoComplete={`bday-${part}`}
          value={value[part]}
          aria-invalid={note ? true : undefined}
          onValue={(text) => enter(part, text)}
        />
      ))}
      <p id="birthday-note" className={note ? "danger" : "muted"} role={note ? "alert" : undefined}>
        {note ?? birthdateHelp}
      </p>
    </fieldset>
  );
}
