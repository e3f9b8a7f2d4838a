import { Button } from "@lambda/ui/button";
import { useState } from "react";
import { readDevice, useDevice, writeDevice } from "../../device/device-storage.ts";
import { NOTES, type Note } from "../../device/lock-record.ts";
import { useCopy, useLocale } from "../../format/i18n.ts";
import css from "./gate.module.css";
import { gateCopy } from "./gate-copy.ts";

/** A page of notes that works: they stay on this device, and nothing is asked of anybody. */
export function NotesPage() {
  const copy = useCopy(gateCopy);
  const [locale] = useLocale();
  const [record] = useDevice(NOTES);
  const [openId, setOpenId] = useState<string>();
  const notes = record?.notes ?? [];
  const open = notes.find(({ id }) => id === openId);

  const add = () => {
    const id = crypto.randomUUID();
    save([{ id, text: "", at: Date.now() }, ...notes]);
    setOpenId(id);
  };
  const close = () => {
    save(notes.filter(({ text }) => text.trim() !== ""));
    setOpenId(undefined);
  };
  const remove = (id: string) => {
    save(notes.filter((note) => note.id !== id));
    setOpenId(undefined);
  };

  if (open) {
    return (
      <main className={css.notes}>
        <div className={css.bar}>
          <Button variant="quiet" onClick={close}>
            {copy.done}
          </Button>
          <Button variant="quiet" onClick={() => remove(open.id)}>
            {copy.remove}
          </Button>
        </div>
        <textarea
          // biome-ignore lint/a11y/noAutofocus: whoever opens a note is about to write
          autoFocus
          className={css.page}
          aria-label={copy.write}
          placeholder={copy.write}
          value={open.text}
          onChange={(event) => save(changed(notes, { ...open, text: event.target.value, at: Date.now() }))}
        />
      </main>
    );
  }
  return (
    <main className={css.notes}>
      <div className={css.bar}>
        <h1 className={css.title} data-mark="">
          {copy.notes}
        </h1>
        <Button icon="plus" onClick={add}>
          {copy.add}
        </Button>
      </div>
      {notes.length === 0 && <p className={css.text}>{copy.noNotes}</p>}
      <ul className={css.list}>
        {notes.map((note) => (
          <li key={note.id}>
            <button type="button" className={css.note} onClick={() => setOpenId(note.id)}>
              <span className={css.firstLine}>{firstLine(note) || copy.untitled}</span>
              <span className={css.day}>{new Date(note.at).toLocaleDateString(locale, { dateStyle: "medium" })}</span>
            </button>
          </li>
        ))}
      </ul>
    </main>
  );
}

const firstLine = ({ text }: Note) => text.trim().split("\n")[0] ?? "";

function changed(notes: readonly Note[], next: Note): readonly Note[] {
  return [next, ...notes.filter(({ id }) => id !== next.id)];
}

/** Beside the notes lies until when; read anew, as the server may have answered meanwhile. */
function save(notes: readonly Note[]): void {
  const record = readDevice(NOTES);
  if (record) writeDevice(NOTES, { ...record, notes });
}
