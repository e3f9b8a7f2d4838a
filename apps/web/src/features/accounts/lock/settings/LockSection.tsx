import type { Locale } from "@lambda/contract/accounts";
import { RECOVERY_WORDS } from "@lambda/contract/limits";
import { Button } from "@lambda/ui/button";
import { Fault } from "@lambda/ui/fault";
import { FormSection } from "@lambda/ui/form-section";
import { Segmented } from "@lambda/ui/segmented";
import { Select } from "@lambda/ui/select";
import { TextArea } from "@lambda/ui/text-area";
import { useToast } from "@lambda/ui/toast";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { errorBodyOf } from "../../../../api/error-body.ts";
import { errorText } from "../../../../api/error-text.ts";
import { trpc } from "../../../../api/trpc.ts";
import { ClosableSheet } from "../../../../components/ClosableSheet.tsx";
import { useDeviceValue } from "../../../../device/device-storage.ts";
import { LOCK, LOCK_AFTER_MINUTES, type LockAfter } from "../../../../device/lock-record.ts";
import { CHUNK_WAIT_MS, withDeadline } from "../../../../device/with-deadline.ts";
import { useLocale } from "../../../../format/i18n.ts";
import { isDeclined, useOwnerProof } from "../../proof/use-owner-proof.tsx";
import { lockNow } from "../auto-lock.ts";
import { NOTE_MAX_BYTES } from "../slots.ts";
import { changePin, setLockAfter, setSecondPin, turnOff, turnOn } from "./change-lock.ts";
import css from "./lock.module.css";
import { useLockCopy } from "./lock-copy.ts";
import { PinSheet } from "./PinSheet.tsx";

type Open = "on" | "off" | "change" | "second" | "words";

/** The app lock of this device. It looks the same with and without a second PIN, since others may read it on an unlocked phone. */
export function LockSection() {
  const copy = useLockCopy();
  const [record] = useDeviceValue(LOCK);
  const [open, setOpen] = useState<Open>();
  return (
    <div id="lock">
      <FormSection title={copy.title} text={copy.text} value={record ? copy.isOn : copy.isOff}>
        {record ? (
          <>
            <div className="stack gap-3">
              <span className="bold">{copy.after}</span>
              <Segmented
                label={copy.after}
                options={LOCK_AFTER_MINUTES.map((value) => ({ value: String(value), label: copy.afters[value] }))}
                value={String(record.after)}
                onChange={(value) => setLockAfter(Number(value) as LockAfter)}
              />
            </div>
            <div className="wrap gap-3">
              <Button icon="lock" label={copy.lockNow} onClick={() => void lockNow()} />
              <Button aria-haspopup="dialog" label={copy.change} onClick={() => setOpen("change")} />
              <Button aria-haspopup="dialog" label={copy.second} onClick={() => setOpen("second")} />
              <Button aria-haspopup="dialog" label={copy.words} onClick={() => setOpen("words")} />
              <Button variant="quiet" aria-haspopup="dialog" label={copy.turnOff} onClick={() => setOpen("off")} />
            </div>
          </>
        ) : (
          <Button full icon="lock" aria-haspopup="dialog" label={copy.turnOn} onClick={() => setOpen("on")} />
        )}
        <details>
          <summary className="py-2 bold">{copy.limitsTitle}</summary>
          <ul className="stack gap-3 muted">
            {copy.limits.map((limit) => (
              <li key={limit}>{limit}</li>
            ))}
          </ul>
        </details>
      </FormSection>
      <LockSheet open={open} digits={record?.digits} onClose={() => setOpen(undefined)} />
    </div>
  );
}

interface LockSheetProps {
  open: Open | undefined;
  /** Whether the PIN consists of digits only; undefined without a lock. */
  digits: boolean | undefined;
  onClose: () => void;
}

function LockSheet({ open, digits, onClose }: LockSheetProps) {
  const copy = useLockCopy();
  const toast = useToast();
  const done = (text: string) => () => {
    onClose();
    toast({ text, tone: "success" });
  };
  const newPinProps = { newLabel: copy.pin, newHelp: copy.pinHelp };
  switch (open) {
    case "on": {
      const start = async ({ next }: { next: string }) => {
        await turnOn(next, 1);
        return "done" as const;
      };
      const sheet = { title: copy.turnOn, action: copy.turnOn, asksCurrent: false, onClose, onDone: done(copy.isOn) };
      return <PinSheet {...sheet} {...newPinProps} onSubmit={start} />;
    }
    case "off": {
      const sheet = { title: copy.turnOff, action: copy.turnOff, asksCurrent: true, onClose, onDone: done(copy.isOff) };
      return <PinSheet {...sheet} onSubmit={({ current }) => turnOff(current)} />;
    }
    case "change": {
      const sheet = { title: copy.change, action: copy.save, asksCurrent: true, onClose, onDone: done(copy.saved) };
      return <PinSheet {...sheet} {...newPinProps} onSubmit={({ current, next }) => changePin(current, next)} />;
    }
    case "second":
      return digits === undefined ? null : (
        <SecondPinSheet requiresDigits={digits} onClose={onClose} onDone={done(copy.saved)} />
      );
    case "words":
      return <RecoveryWordsSheet onClose={onClose} onDone={done(copy.wordsSaved)} />;
    default:
      return null;
  }
}

const HOURS = [24, 72, 168, 720] as const;
const HOURS_DEFAULT = 72;
/** A character takes up to four bytes. */
const NOTE_MAX_CHARS = Math.floor(NOTE_MAX_BYTES / 4);

interface SecondPinSheetProps {
  requiresDigits: boolean;
  onClose: () => void;
  onDone: () => void;
}

/** Sets or replaces the second PIN. Looks the same in both cases. */
function SecondPinSheet({ requiresDigits, onClose, onDone }: SecondPinSheetProps) {
  const copy = useLockCopy();
  const prepare = trpc.lockdown.prepare.useMutation();
  const owner = useOwnerProof();
  const [hours, setHours] = useState(String(HOURS_DEFAULT));
  const [note, setNote] = useState("");
  return (
    <>
      <PinSheet
        title={copy.secondTitle}
        text={
          <>
            <p>{copy.secondText}</p>
            <p className="muted">{copy.secondQuiet}</p>
          </>
        }
        action={copy.save}
        asksCurrent
        newLabel={copy.secondPin}
        newHelp={copy.secondHelp}
        requiresDigits={requiresDigits}
        onClose={onClose}
        onSubmit={({ current, next }) =>
          setSecondPin({ current, second: next, hours: Number(hours), note: note.trim() }, (tokenHash, chosen) =>
            owner.run(() => prepare.mutateAsync({ tokenHash, hours: chosen })),
          ).catch((error: unknown) => {
            if (errorBodyOf(error)?.field === "tokenHash") return "tooManyDevices";
            throw error;
          })
        }
        onDone={onDone}
      >
        <Select
          label={copy.hours}
          options={HOURS.map((value) => ({ value: String(value), label: copy.hoursOf[value] }))}
          value={hours}
          onValue={setHours}
        />
        <TextArea
          label={copy.note}
          counter={{ used: note.length, max: NOTE_MAX_CHARS }}
          value={note}
          onValue={(text) => setNote(text.slice(0, NOTE_MAX_CHARS))}
        />
      </PinSheet>
      {/* Outside of the sheet, because forms cannot be nested. */}
      {owner.dialog}
    </>
  );
}

/** Shows new recovery words once. They become valid when the member confirms having written them down. */
function RecoveryWordsSheet({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const copy = useLockCopy();
  const [locale] = useLocale();
  const [words, setWords] = useState<readonly string[]>([]);
  const [loadingError, setLoadingError] = useState<unknown>();
  const setRecoveryWords = trpc.lockdown.setWords.useMutation();
  const owner = useOwnerProof();
  const save = useMutation({
    mutationFn: () => owner.run(() => setRecoveryWords.mutateAsync({ words: words.join(" ") })),
    onSuccess: onDone,
  });

  useEffect(() => {
    let isCancelled = false;
    generateRecoveryWords(locale).then((generated) => {
      if (!isCancelled) setWords(generated);
    }, setLoadingError);
    return () => {
      isCancelled = true;
    };
  }, [locale]);

  const failure = loadingError ?? save.error;
  return (
    <ClosableSheet
      open
      onClose={onClose}
      title={copy.wordsTitle}
      footer={
        <Button
          variant="primary"
          full
          disabled={loadingError !== undefined}
          busy={save.isPending || (words.length === 0 && loadingError === undefined)}
          label={copy.wordsDone}
          onClick={() => save.mutate()}
        />
      }
    >
      <div className="stack gap-3">
        <p>{copy.wordsText}</p>
        <ol className={`stack two-columns radius-2 type-lead bold ${css.words}`}>
          {words.map((word) => (
            <li key={word}>{word}</li>
          ))}
        </ol>
        <p className="muted">{copy.wordsKeep}</p>
        <Fault text={failure != null && !isDeclined(failure) && errorText(failure)} />
        {owner.dialog}
      </div>
    </ClosableSheet>
  );
}

/** Picks random words from the BIP 39 list of 2048, which is made for writing down and reading aloud. */
async function generateRecoveryWords(locale: Locale): Promise<string[]> {
  const { wordlist } = await withDeadline(CHUNK_WAIT_MS, () =>
    locale === "es" ? import("@scure/bip39/wordlists/spanish.js") : import("@scure/bip39/wordlists/english.js"),
  );
  // All words are equally likely, because 2048 divides 65536.
  const numbers = crypto.getRandomValues(new Uint16Array(RECOVERY_WORDS));
  return Array.from(numbers, (number) => (wordlist[number % wordlist.length] ?? "").normalize("NFC"));
}
