import { LOGIN_DIGITS_TRIES_MAX } from "@lambda/contract/limits";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { TextField } from "@lambda/ui/text-field";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { logInByDigits } from "../../api/account-calls.ts";
import { errorCodeOf } from "../../api/error-body.ts";
import { readDevice, useDevice, writeDevice } from "../../device/device-storage.ts";
import { LOGIN_TICKET } from "../../device/login-ticket.ts";
import { hasSession } from "../../device/session-cookie.ts";
import { useCopy } from "../../format/i18n.ts";
import { digitsCopy } from "./digits-copy.ts";
import css from "./digits-step.module.css";
import { loginErrorText } from "./login-error.ts";
import { openWantedPage } from "./open-wanted-page.ts";

const DIGITS = 6;

/**
 * Waits for the mail: takes its six digits where the link would open in another browser than the application, and goes on by itself
 * when the link was opened in another tab.
 */
export default function DigitsStep() {
  const copy = useCopy(digitsCopy);
  const [waiting] = useDevice(LOGIN_TICKET);
  const over = useOver(waiting?.until ?? 0);
  useOtherTab();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The button that was pressed is gone, and the focus with it.
    if (document.activeElement === document.body) title.current?.focus({ preventScroll: true });
  }, []);
  if (!waiting) return hasSession() && <Banner role="status">{copy.welcome}</Banner>;
  if (over || waiting.tries >= LOGIN_DIGITS_TRIES_MAX) {
    return (
      <Banner tone="warn" role="alert" action={<Button onClick={askAnew}>{copy.again}</Button>}>
        {over ? copy.over : copy.usedUp}
      </Banner>
    );
  }
  return (
    <section className={css.step} aria-labelledby="mail-sent">
      <h3 ref={title} id="mail-sent" tabIndex={-1} className={css.title}>
        {copy.title}
      </h3>
      <p className={css.text}>{copy.text}</p>
      <DigitsForm />
      <p className={css.text}>{copy.nothingCame}</p>
    </section>
  );
}

function DigitsForm() {
  const copy = useCopy(digitsCopy);
  const [digits, setDigits] = useState("");
  const { state, error, enter } = useDigits();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // A wrong code is typed anew, and never sent twice.
    if (error === null) return;
    setDigits("");
    field.current?.focus();
  }, [error]);
  const change = (typed: string) => {
    const next = typed.replaceAll(/\D/g, "").slice(0, DIGITS);
    setDigits(next);
    if (next.length === DIGITS) void enter(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void enter(digits);
  };
  return (
    <form className={css.form} onSubmit={submit} noValidate>
      <TextField
        ref={field}
        label={copy.label}
        name="digits"
        className={css.digits}
        inputMode="numeric"
        autoComplete="one-time-code"
        value={digits}
        error={error ?? undefined}
        onChange={(event) => change(event.target.value)}
      />
      <Button type="submit" variant="primary" full busy={state !== "idle"} disabled={digits.length < DIGITS}>
        {copy.enter}
      </Button>
    </form>
  );
}

function useDigits() {
  const copy = useCopy(digitsCopy);
  const [state, setState] = useState<"idle" | "busy">("idle");
  const [error, setError] = useState<string | null>(null);
  const enter = async (digits: string) => {
    const waiting = readDevice(LOGIN_TICKET);
    if (state !== "idle" || !waiting || digits.length < DIGITS) return;
    setState("busy");
    setError(null);
    try {
      await logInByDigits({ ticket: waiting.ticket, digits });
      openWantedPage();
    } catch (refusal) {
      setState("idle");
      if (errorCodeOf(refusal) !== "CODE_WRONG") return setError(loginErrorText(refusal));
      const tries = waiting.tries + 1;
      setError(copy.wrong(LOGIN_DIGITS_TRIES_MAX - tries));
      writeDevice(LOGIN_TICKET, { ...waiting, tries });
    }
  };
  return { state, error, enter };
}

/** Whether the ten minutes are over; draws anew when they are. */
function useOver(until: number): boolean {
  const [over, setOver] = useState(until <= Date.now());
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), Math.max(0, until - Date.now()));
    return () => clearTimeout(timer);
  }, [until]);
  return over;
}

/** Goes on when another tab has logged in: at the change of what the tabs share, and when the member comes back to this one. */
function useOtherTab(): void {
  useEffect(() => {
    const goOn = () => {
      if (document.visibilityState !== "visible" || !hasSession()) return;
      stop();
      openWantedPage();
    };
    // Fires in the other tabs alone, and before a hidden one may draw.
    const onStorage = ({ key, newValue }: StorageEvent) => {
      if (key === LOGIN_TICKET.name && newValue === "null" && hasSession()) {
        stop();
        openWantedPage();
      }
    };
    const stop = () => {
      document.removeEventListener("visibilitychange", goOn);
      removeEventListener("focus", goOn);
      removeEventListener("storage", onStorage);
    };
    document.addEventListener("visibilitychange", goOn);
    addEventListener("focus", goOn);
    addEventListener("storage", onStorage);
    return stop;
  }, []);
}

function askAnew(): void {
  writeDevice(LOGIN_TICKET, null);
  // One request a page load.
  location.reload();
}
