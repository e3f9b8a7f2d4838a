import { PASSKEY_NAME_MAX_CHARS } from "@lambda/contract/limits";
import type { Passkey } from "@lambda/contract/passkeys";
import { Button } from "@lambda/ui/button";
import { Sheet } from "@lambda/ui/sheet";
import { TextField } from "@lambda/ui/text-field";
import { useId, useState } from "react";
import { Form } from "../../../components/Form.tsx";
import { useCopy } from "../../../format/i18n.ts";
import { passkeysCopy } from "./passkeys-copy.ts";

interface PasskeySheetProps {
  passkey: Passkey;
  action: "rename" | "remove";
  busy: boolean;
  onRename: (name: string) => void;
  onRemove: () => void;
  onClose: () => void;
}

/** Asks for a passkey's new name, or for confirmation before removing it. */
export function PasskeySheet({ passkey, action, busy, onRename, onRemove, onClose }: PasskeySheetProps) {
  const copy = useCopy(passkeysCopy);
  const [name, setName] = useState(passkey.name);
  const form = useId();
  const submit = () => {
    if (name.trim() !== "") onRename(name.trim());
  };
  return (
    <Sheet
      open
      onClose={onClose}
      title={action === "rename" ? copy.renameTitle : copy.removeTitle(passkey.name)}
      closeLabel={copy.close}
      footer={
        <div className="row wrap gap-3">
          <Button onClick={onClose}>{copy.cancel}</Button>
          {action === "rename" ? (
            <Button type="submit" form={form} variant="primary" busy={busy} disabled={name.trim() === ""}>
              {copy.save}
            </Button>
          ) : (
            <Button variant="danger" busy={busy} onClick={onRemove}>
              {copy.remove}
            </Button>
          )}
        </div>
      }
    >
      {action === "rename" ? (
        <Form id={form} onSubmit={submit}>
          <TextField
            autoComplete="off"
            data-focus
            label={copy.name}
            maxLength={PASSKEY_NAME_MAX_CHARS}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </Form>
      ) : (
        <p>{copy.removeText}</p>
      )}
    </Sheet>
  );
}
