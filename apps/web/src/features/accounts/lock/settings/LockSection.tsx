import { Button } from "@lambda/ui/button";
import { FormSection } from "@lambda/ui/form-section";
import { Segmented } from "@lambda/ui/segmented";
import { useToast } from "@lambda/ui/toast";
import { useState } from "react";
import { useDeviceValue } from "../../../../device/device-storage.ts";
import { LOCK, LOCK_AFTER_MINUTES, type LockAfter } from "../../../../device/lock-record.ts";
import { lockNow } from "../auto-lock.ts";
import { changePin, setLockAfter, turnOff, turnOn } from "./change-lock.ts";
import { useLockCopy } from "./lock-copy.ts";
import { PinSheet } from "./PinSheet.tsx";
import { RecoveryWordsSheet } from "./RecoveryWordsSheet.tsx";
import { SecondPinSheet } from "./SecondPinSheet.tsx";

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
          <Button icon="lock" aria-haspopup="dialog" label={copy.turnOn} onClick={() => setOpen("on")} />
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
