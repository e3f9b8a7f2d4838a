import { asCode, wrongDigitOf } from "@lambda/contract/typed";
import { digitsOnlyText } from "@lambda/contract/wrong-character";
import { Button } from "@lambda/ui/button";
import { Icon } from "@lambda/ui/icon";
import { TextField } from "@lambda/ui/text-field";
import { useEffect, useRef, useState } from "react";
import { Form } from "../../../components/Form.tsx";
import { readDeviceValue } from "../../../device/device-storage.ts";
import { LOCK } from "../../../device/lock-record.ts";
import { currentLocale } from "../../../format/i18n.ts";
import css from "./locked-page.module.css";
import { useLockedPageCopy } from "./locked-page-copy.ts";
import { tryPin } from "./unlock.ts";

interface LockScreenProps {
  onOpened: () => void;
  onNotes: () => void;
  /** Resolves when the device can be used again from scratch. */
  onErased: () => Promise<void>;
}

/** Asks for the PIN. Reveals nothing about the member, the site or a second PIN. */
export function LockScreen({ onOpened, onNotes, onErased }: LockScreenProps) {
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
  const erased = useRef(onErased);
  useEffect(() => {
    void erased.current().then(() => setDone(true));
  }, []);
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
