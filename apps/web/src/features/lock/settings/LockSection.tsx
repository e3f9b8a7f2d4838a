import { Button } from "@lambda/ui/button";
import { FormSection } from "@lambda/ui/form-section";
import { Segmented } from "@lambda/ui/segmented";
import { useToast } from "@lambda/ui/toast";
import { useState } from "react";
import { useDevice } from "../../../device/device-storage.ts";
import { LOCK, LOCK_AFTER_MINUTES, type LockAfter } from "../../../device/lock-record.ts";
import { useCopy } from "../../../format/i18n.ts";
import { lock } from "../guard.ts";
import { changePin, setLockAfter, turnOff, turnOn } from "./change-lock.ts";
import css from "./lock.module.css";
import { lockCopy } from "./lock-copy.ts";
import { PinSheet } from "./PinSheet.tsx";
import { SecondPinSheet } from "./SecondPinSheet.tsx";
import { WordsSheet } from "./WordsSheet.tsx";

type Open = "on" | "off" | "change" | "second" | "words";

/** The app lock of this device. Says alike whether or not there is a second PIN: whoever holds an unlocked phone reads it too. */
export function LockSection() {
  const copy = useCopy(lockCopy);
  const toast = useToast();
  const [record] = useDevice(LOCK);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const done = (text: string) => () => {
    close();
    toast({ text, tone: "success" });
  };
  const waits = LOCK_AFTER_MINUTES.map((value) => ({ value: String(value), label: copy.afters[value] }));

  return (
    <div id="lock">
      <FormSection title={copy.title} text={copy.text}>
        {!record && (
          <Button icon="lock" onClick={() => setOpen("on")}>
            {copy.turnOn}
          </Button>
        )}
        {record && (
          <>
            <div className={css.stack}>
              <span className={css.label}>{copy.after}</span>
              <Segmented
                label={copy.after}
                options={waits}
                value={String(record.after)}
                onChange={(value) => setLockAfter(Number(value) as LockAfter)}
              />
            </div>
            <div className={css.actions}>
              <Button icon="lock" onClick={() => void lock()}>
                {copy.lockNow}
              </Button>
              <Button onClick={() => setOpen("change")}>{copy.change}</Button>
              <Button onClick={() => setOpen("second")}>{copy.second}</Button>
              <Button onClick={() => setOpen("words")}>{copy.words}</Button>
              <Button variant="quiet" onClick={() => setOpen("off")}>
                {copy.turnOff}
              </Button>
            </div>
          </>
        )}
        <details className={css.limits}>
          <summary>{copy.limitsTitle}</summary>
          <ul>
            {copy.limits.map((limit) => (
              <li key={limit}>{limit}</li>
            ))}
          </ul>
        </details>
      </FormSection>
      {open === "on" && (
        <PinSheet
          title={copy.turnOn}
          action={copy.turnOn}
          asksCurrent={false}
          newLabel={copy.pin}
          newHelp={copy.pinHelp}
          onClose={close}
          onSubmit={async ({ next }) => {
            await turnOn(next, 1);
            return "done";
          }}
          onDone={done(copy.isOn)}
        />
      )}
      {open === "off" && (
        <PinSheet
          title={copy.turnOff}
          action={copy.turnOff}
          asksCurrent
          onClose={close}
          onSubmit={({ current }) => turnOff(current)}
          onDone={done(copy.isOff)}
        />
      )}
      {open === "change" && (
        <PinSheet
          title={copy.change}
          action={copy.save}
          asksCurrent
          newLabel={copy.pin}
          newHelp={copy.pinHelp}
          onClose={close}
          onSubmit={({ current, next }) => changePin(current, next)}
          onDone={done(copy.saved)}
        />
      )}
      {open === "second" && record && (
        <SecondPinSheet digitsWanted={record.digits} onClose={close} onDone={done(copy.saved)} />
      )}
      {open === "words" && <WordsSheet onClose={close} onDone={done(copy.wordsSaved)} />}
    </div>
  );
}
