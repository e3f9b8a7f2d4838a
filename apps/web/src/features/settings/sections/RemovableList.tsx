import { Button } from "@lambda/ui/button";
import { TextField } from "@lambda/ui/text-field";
import { type FormEvent, useState } from "react";
import { useCopy } from "../../../format/i18n.ts";
import css from "./settings.module.css";
import { unwantedCopy } from "./unwanted-copy.ts";

interface RemovableListProps {
  items: readonly { readonly key: number | string; readonly text: string }[];
  label: string;
  addLabel: string;
  removeLabel: (text: string) => string;
  maxLength: number;
  error?: string | undefined;
  busy: boolean;
  full: boolean;
  /** Called with the typed text; `done` clears the field. */
  onAdd: (text: string, done: () => void) => void;
  onRemove: (key: number | string) => void;
}

/** An editable list of short texts. */
export function RemovableList(props: RemovableListProps) {
  const { items, label, addLabel, removeLabel, maxLength, error, busy, full, onAdd, onRemove } = props;
  const copy = useCopy(unwantedCopy);
  const [text, setText] = useState("");
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== "") onAdd(text.trim(), () => setText(""));
  };
  return (
    <>
      <form className={css.stack} onSubmit={add} noValidate>
        <TextField
          label={label}
          value={text}
          maxLength={maxLength}
          autoComplete="off"
          autoCapitalize="none"
          error={error}
          onChange={(event) => setText(event.target.value)}
        />
        <div>
          <Button type="submit" busy={busy} disabled={full}>
            {addLabel}
          </Button>
        </div>
      </form>
      <ul className={css.rows}>
        {items.map((item) => (
          <li key={item.key} className={css.row}>
            <span className={css.words}>{item.text}</span>
            <Button aria-label={removeLabel(item.text)} onClick={() => onRemove(item.key)}>
              {copy.removeShort}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
