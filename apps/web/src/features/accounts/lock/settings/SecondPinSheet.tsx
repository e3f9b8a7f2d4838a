import { Select } from "@lambda/ui/select";
import { TextArea } from "@lambda/ui/text-area";
import { useState } from "react";
import { errorBodyOf } from "../../../../api/error-body.ts";
import { trpc } from "../../../../api/trpc.ts";
import { useOwnerProof } from "../../proof/use-owner-proof.tsx";
import { NOTE_MAX_BYTES } from "../slots.ts";
import { setSecondPin } from "./change-lock.ts";
import { useLockCopy } from "./lock-copy.ts";
import { PinSheet } from "./PinSheet.tsx";

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
export function SecondPinSheet({ requiresDigits, onClose, onDone }: SecondPinSheetProps) {
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
