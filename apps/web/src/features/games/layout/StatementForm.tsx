import { TEXT_MAX_CHARS } from "@lambda/contract/limits";
import { Button } from "@lambda/ui/button";
import { TextArea } from "@lambda/ui/text-area";
import { type ReactNode, useState } from "react";
import { errorText } from "../../../api/error-text.ts";
import { Form } from "../../../components/Form.tsx";

interface StatementFormProps {
  /** Shown above the button that opens the form. */
  intro?: ReactNode;
  openLabel: string;
  label: string;
  help: string;
  sendLabel: string;
  minChars: number;
  mutation: { readonly isPending: boolean; readonly error: unknown };
  onSend: (text: string) => void;
}

/** A button that opens a form for the one statement a member may make on a decision. */
export function StatementForm(props: StatementFormProps) {
  const { intro, openLabel, label, help, sendLabel, minChars, mutation, onSend } = props;
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  if (!open) {
    return (
      <>
        {intro}
        <div>
          <Button label={openLabel} onClick={() => setOpen(true)} />
        </div>
      </>
    );
  }
  const length = text.trim().length;
  return (
    <Form className="stack gap-3 letter" onSubmit={() => onSend(text)}>
      <TextArea
        label={label}
        help={help}
        value={text}
        max={TEXT_MAX_CHARS}
        error={mutation.error ? errorText(mutation.error) : undefined}
        onValue={setText}
      />
      <Button
        type="submit"
        variant="primary"
        busy={mutation.isPending}
        disabled={length < minChars || length > TEXT_MAX_CHARS}
        label={sendLabel}
      />
    </Form>
  );
}
