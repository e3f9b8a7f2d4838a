/** The page of a locked device, and the page of notes after a second PIN. It fetches nothing from the server. */
import { asCode, wrongDigitOf } from "@lambda/contract/typed";
import { digitsOnlyText } from "@lambda/contract/wrong-character";
import { Button } from "@lambda/ui/button";
import { Icon } from "@lambda/ui/icon";
import { TextField } from "@lambda/ui/text-field";
import { StrictMode, useEffect, useEffectEvent, useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { Form } from "../../../components/Form.tsx";
import { readDeviceValue, useDeviceValue, writeDeviceValue } from "../../../device/device-storage.ts";
import { DISGUISE } from "../../../device/disguise.ts";
import { LOCK, NOTES, type Note } from "../../../device/lock-record.ts";
import { applyDisguise, neutralDisguise } from "../../../format/apply-disguise.ts";
import { currentLocale } from "../../../format/i18n.ts";
import { pageBrand, SiteProvider } from "../../../format/site.ts";
import { startAutoLock } from "./auto-lock.ts";
import { hideAddresses } from "./hide-addresses.ts";
import { openGate } from "./lock-store.ts";
import css from "./locked-page.module.css";
import { useLockedPageCopy } from "./locked-page-copy.ts";
import { endSession, reportUnlock } from "./server-calls.ts";
import { onUnlockReported, removeLock, removeNotes, tryPin, unsubscribePush } from "./unlock.ts";

export { openGate };

/** Renders into `element` until the device is unlocked, then calls `startApp`. */
export function renderLockedPage(element: HTMLElement, startApp: () => void): void {
  const notes = readDeviceValue(NOTES);
  if (!readDeviceValue(LOCK) && notes && notes.until <= Date.now()) {
    removeNotes();
    startApp();
    return;
  }
  applyDisguise(neutralDisguise());
  const root = createRoot(element);
  const render = (screen: React.ReactNode) =>
    root.render(
      <StrictMode>
        <SiteProvider value={{ brand: pageBrand(), locale: currentLocale() }}>{screen}</SiteProvider>
      </StrictMode>,
    );
  if (!readDeviceValue(LOCK) && notes) {
    render(<NotesPage />);
    if (notes.sync) void reportUnlock(notes.sync).then(onUnlockReported);
    void unsubscribePush().catch(() => undefined);
    return;
  }
  render(
    <LockScreen
      onOpened={async () => {
        root.unmount();
        applyDisguise(readDeviceValue(DISGUISE));
        await hideAddresses();
        startApp();
        startAutoLock();
      }}
      onNotes={() => render(<NotesPage />)}
      onErased={async () => {
        await endSession();
        removeLock();
      }}
    />,
  );
}

interface LockScreenProps {
  onOpened: () => void;
  onNotes: () => void;
  /** Resolves when the device can be used again from scratch. */
  onErased: () => Promise<void>;
}

/** Asks for the PIN. Reveals nothing about the member, the site or a second PIN. */
function LockScreen({ onOpened, onNotes, onErased }: LockScreenProps) {
  const copy = useLockedPageCopy();
  const field = useRef<HTMLInputElement>(null);
  const [record] = useState(() => readDeviceValue(LOCK));
  const [pin, setPin] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [isErased, setErased] = useState(record?.erased === true);

  useEffect(() => field.current?.focus(), []);

  const submit = async () => {
    if (busy || pin === "") return;
    // What cannot be the PIN costs no try.
    const wrong = record?.digits ? wrongDigitOf(pin) : undefined;
    if (wrong) return setProblem(digitsOnlyText(wrong, currentLocale()));
    setBusy(true);
    setProblem(undefined);
    const result = await tryPin(record?.digits ? asCode(pin) : pin);
    if (result.type === "opened") return onOpened();
    if (result.type === "notes") return onNotes();
    setBusy(false);
    setPin("");
    if (result.type === "erased") setErased(true);
    else setProblem(`${copy.wrong} ${copy.left(result.triesLeft)}`);
    field.current?.focus();
  };

  if (isErased) return <Erased onErased={onErased} />;
  return (
    <main className={css.gate}>
      <Form className={"stack gap-4"} onSubmit={submit}>
        <span className={css.mark} data-mark="">
          <Icon name="lock" size={36} />
        </span>
        <h1 className="type-name text-center">{copy.title}</h1>
        <TextField
          ref={field}
          label={copy.pin}
          type="password"
          inputMode={record?.digits ? "numeric" : "text"}
          autoComplete="off"
          reveal={{ show: copy.show, hide: copy.hide }}
          value={pin}
          error={problem}
          onValue={setPin}
        />
        <Button type="submit" variant="primary" full busy={busy} label={copy.open} />
      </Form>
    </main>
  );
}

/** Shown after ten wrong PINs. Scripts cannot delete the session cookie, so it waits for the server to end the session. */
function Erased({ onErased }: Pick<LockScreenProps, "onErased">) {
  const copy = useLockedPageCopy();
  const [isDone, setDone] = useState(false);
  const erase = useEffectEvent(onErased);
  useEffect(() => void erase().then(() => setDone(true)), []);
  return (
    <main className={css.gate}>
      <div className={"stack gap-4"}>
        <h1 className="type-name text-center">{copy.erasedTitle}</h1>
        <p className="muted">{copy.erasedText}</p>
        {isDone ? (
          <Button variant="primary" full label={copy.again} onClick={() => location.replace("/")} />
        ) : (
          <p className="muted" role="status">
            {copy.erasedWaits}
          </p>
        )}
      </div>
    </main>
  );
}

/** A working page of notes, which stay on this device. It makes no request. */
function NotesPage() {
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
