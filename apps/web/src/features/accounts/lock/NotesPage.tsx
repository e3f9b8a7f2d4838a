import { Button } from "@lambda/ui/button";
import { useState } from "react";
import { readDeviceValue, useDeviceValue, writeDeviceValue } from "../../../device/device-storage.ts";
import { NOTES, type Note } from "../../../device/lock-record.ts";
import { currentLocale } from "../../../format/i18n.ts";
import css from "./locked-page.module.css";
import { useLockedPageCopy } from "./locked-page-copy.ts";

/** A working page of notes, which stay on this device. It makes no request. */
export function NotesPage() {
  const copy = useLockedPageCopy();
  const [record] = useDeviceValue(NOTES);
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
      <main className={`stack gap-4 centered measure ${css.notes}`}>
        <div className={`row gap-3 between ${css.bar}`}>
          <Button variant="quiet" label={copy.done} onClick={close} />
          <Button variant="quiet" label={copy.remove} onClick={() => remove(open.id)} />
        </div>
        <textarea
          autoComplete="off"
          // biome-ignore lint/a11y/noAutofocus: a note is opened to be edited
          autoFocus
          className={css.page}
          aria-label={copy.write}
          placeholder={copy.write}
          value={open.text}
          onChange={({ target }) => save(withNote(notes, { ...open, text: target.value, at: Date.now() }))}
        />
      </main>
    );
  }
  return (
    <main className={`stack gap-4 centered measure ${css.notes}`}>
      <div className={`row gap-3 between ${css.bar}`}>
        <h1 className="type-name" data-mark="">
          {copy.notes}
        </h1>
        <Button icon="plus" label={copy.add} onClick={add} />
      </div>
      {notes.length === 0 && <p className="muted">{copy.noNotes}</p>}
      <ul className="plain-list">
        {notes.map((note) => (
          <li key={note.id}>
            <button
              type="button"
              className={`row gap-4 between full-width ruled text-start tall film ${css.note}`}
              onClick={() => setOpenId(note.id)}
            >
              <span className="min-0 truncate" dir="auto">
                {firstLine(note) || copy.untitled}
              </span>
              <span className="flex-none muted type-mark">
                {new Date(note.at).toLocaleDateString(currentLocale(), { dateStyle: "medium" })}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </main>
  );
}

const firstLine = ({ text }: Note) => text.trim().split("\n")[0] ?? "";

function withNote(notes: readonly Note[], next: Note): readonly Note[] {
  return [next, ...notes.filter(({ id }) => id !== next.id)];
}

/** Reads the record again first, since the server's response may have changed its other fields. */
function save(notes: readonly Note[]): void {
  const record = readDeviceValue(NOTES);
  if (record) writeDeviceValue(NOTES, { ...record, notes });
}
