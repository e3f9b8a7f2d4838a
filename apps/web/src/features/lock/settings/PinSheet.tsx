import { Button } from "@lambda/ui/button";
import { Sheet } from "@lambda/ui/sheet";
import { type ReactNode, useState } from "react";
import { errorText } from "../../../api/error-text.ts";
import { useCopy } from "../../../format/i18n.ts";
import { isDeclined } from "../../accounts/proof/use-owner-proof.tsx";
import { settingsCopy } from "../../settings/copy.ts";
import type { ChangeOutcome } from "./change-lock.ts";
import css from "./lock.module.css";
import { lockCopy } from "./lock-copy.ts";
import { PinField } from "./PinField.tsx";
import { type PinProblem, pinProblem } from "./pin-rules.ts";

interface PinSheetProps {
  title: string;
  text?: ReactNode;
  action: string;
  /** Whether the PIN that holds now is asked for. */
  asksCurrent: boolean;
  /** What the new PIN is called; absent where none is chosen. */
  newLabel?: string;
  newHelp?: string;
  digitsWanted?: boolean;
  children?: ReactNode;
  onClose: () => void;
  onSubmit: (pins: { current: string; next: string }) => Promise<ChangeOutcome>;
  onDone: () => void;
}

type Field = "current" | "next" | "repeated";

/** What the member types, what is wrong with it, and the sending. */
function usePinChange({ newLabel, digitsWanted, onSubmit, onDone }: PinSheetProps) {
  const copy = useCopy(lockCopy);
  const [pins, setPins] = useState({ current: "", next: "", repeated: "" });
  const [problem, setProblem] = useState<PinProblem | "wrongPin" | "samePin">();
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);

  const submit = async () => {
    const found = newLabel === undefined ? undefined : pinProblem(pins.next, pins.repeated, digitsWanted);
    setProblem(found);
    setFailure(undefined);
    if (found || busy) return;
    setBusy(true);
    try {
      const outcome = await onSubmit(pins);
      if (outcome === "done") onDone();
      else if (outcome === "erased") location.reload();
      else setProblem(outcome);
    } catch (error) {
      if (!isDeclined(error)) setFailure(errorText(error));
    } finally {
      setBusy(false);
    }
  };

  const where = problem === "wrongPin" ? "current" : problem === "differs" ? "repeated" : "next";
  const fieldOf = (field: Field) => ({
    value: pins[field],
    onChange: (pin: string) => setPins((known) => ({ ...known, [field]: pin })),
    error: problem && where === field ? copy[problem] : undefined,
  });
  return { submit, busy, failure, fieldOf };
}

/** One change of the lock. */
export function PinSheet(props: PinSheetProps) {
  const { title, text, action, asksCurrent, newLabel, newHelp, children, onClose } = props;
  const copy = useCopy(lockCopy);
  const { close } = useCopy(settingsCopy);
  const { submit, busy, failure, fieldOf } = usePinChange(props);
  return (
    <Sheet
      open
      onClose={onClose}
      title={title}
      closeLabel={close}
      footer={
        <Button variant="primary" full busy={busy} onClick={submit}>
          {action}
        </Button>
      }
    >
      <form
        className={css.stack}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {text}
        {asksCurrent && <PinField label={copy.current} {...fieldOf("current")} first />}
        {newLabel !== undefined && (
          <>
            <PinField label={newLabel} {...fieldOf("next")} help={newHelp} first={!asksCurrent} />
            <PinField label={copy.repeat} {...fieldOf("repeated")} />
          </>
        )}
        {children}
        {failure && (
          <p className={css.failure} role="alert">
            {failure}
          </p>
        )}
        {/* Enter sends a form of several fields only where there is a button. */}
        <button type="submit" hidden />
      </form>
    </Sheet>
  );
}
