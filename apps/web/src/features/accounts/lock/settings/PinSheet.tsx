import { wrongDigitOf } from "@lambda/contract/typed";
import { digitsOnlyText } from "@lambda/contract/wrong-character";
import { Button } from "@lambda/ui/button";
import { Fault } from "@lambda/ui/fault";
import { type ReactNode, useState } from "react";
import { errorText } from "../../../../api/error-text.ts";
import { ClosableSheet } from "../../../../components/ClosableSheet.tsx";
import { Form } from "../../../../components/Form.tsx";
import { PinField } from "../../../../components/PinField.tsx";
import { currentLocale } from "../../../../format/i18n.ts";
import { isDeclined } from "../../proof/use-owner-proof.tsx";
import type { ChangeOutcome } from "./change-lock.ts";
import { useLockCopy } from "./lock-copy.ts";
import { type PinProblem, pinProblem } from "./pin-rules.ts";

interface PinSheetProps {
  title: string;
  text?: ReactNode;
  action: string;
  asksCurrent: boolean;
  /** Label of the new PIN; undefined if none is chosen. */
  newLabel?: string;
  newHelp?: string;
  requiresDigits?: boolean;
  children?: ReactNode;
  onClose: () => void;
  onSubmit: (pins: { current: string; next: string }) => Promise<ChangeOutcome>;
  onDone: () => void;
}

type Field = "current" | "next" | "repeated";

function usePinChange({ newLabel, requiresDigits, onSubmit, onDone }: PinSheetProps) {
  const copy = useLockCopy();
  const [pins, setPins] = useState({ current: "", next: "", repeated: "" });
  const [problem, setProblem] = useState<PinProblem | Exclude<ChangeOutcome, "done" | "erased">>();
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);

  const submit = async () => {
    const newProblem = newLabel === undefined ? undefined : pinProblem(pins.next, pins.repeated, requiresDigits);
    setProblem(newProblem);
    setFailure(undefined);
    if (newProblem || busy) return;
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

  const problemText = (kind: NonNullable<typeof problem>) => {
    const wrong = kind === "otherKind" ? wrongDigitOf(pins.next) : undefined;
    return wrong ? `${copy.otherKind} ${digitsOnlyText(wrong, currentLocale())}` : copy[kind];
  };
  const problemField = problem === "wrongPin" ? "current" : problem === "differs" ? "repeated" : "next";
  const fieldOf = (field: Field) => ({
    value: pins[field],
    onChange: (pin: string) => setPins((current) => ({ ...current, [field]: pin })),
    error: problem && problemField === field ? problemText(problem) : undefined,
  });
  return { submit, busy, failure, fieldOf };
}

export function PinSheet(props: PinSheetProps) {
  const { title, text, action, asksCurrent, newLabel, newHelp, children, onClose } = props;
  const copy = useLockCopy();
  const { submit, busy, failure, fieldOf } = usePinChange(props);
  return (
    <ClosableSheet
      open
      onClose={onClose}
      title={title}
      footer={<Button variant="primary" full busy={busy} label={action} onClick={submit} />}
    >
      <Form className="stack gap-3" onSubmit={() => submit()}>
        {text}
        {asksCurrent && <PinField label={copy.current} {...fieldOf("current")} hasInitialFocus />}
        {newLabel !== undefined && (
          <>
            <PinField label={newLabel} {...fieldOf("next")} help={newHelp} hasInitialFocus={!asksCurrent} />
            <PinField label={copy.repeat} {...fieldOf("repeated")} />
          </>
        )}
        {children}
        <Fault text={failure} />
        {/* Enter submits a form with several fields only if it has a submit button. */}
        <button type="submit" hidden />
      </Form>
    </ClosableSheet>
  );
}
