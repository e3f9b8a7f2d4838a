import { LOGIN_DIGITS_TRIES_MAX } from "@lambda/contract/limits";
import { Banner, Problem } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { TextField } from "@lambda/ui/text-field";
import { type ChangeEvent, type FormEvent, useEffect, useRef, useState } from "react";
import { trpcClient } from "../../api/client.ts";
import { errorCodeOf } from "../../api/error-body.ts";
import { useDigits } from "../../components/use-digits.ts";
import { readDeviceValue, useDeviceValue, writeDeviceValue } from "../../device/device-storage.ts";
import { LOGIN_TICKET } from "../../device/login-ticket.ts";
import { serverNow } from "../../device/server-clock.ts";
import { hasSession } from "../../device/session-cookie.ts";
import { continueAfterLogin } from "./continue-after-login.ts";
import { useDigitsCopy } from "./digits-copy.ts";
import css from "./digits-step.module.css";
import { loginErrorText } from "./login-error.ts";

const DIGITS = 6;

/**
 * Waits for a login mail. Accepts its six digits, because the link might open in a different browser than this installed app, and
 * continues by itself when the link was opened in another tab.
 */
export default function DigitsStep() {
  const copy = useDigitsCopy();
  const [pending] = useDeviceValue(LOGIN_TICKET);
  const isExpired = useIsExpired(pending?.until ?? 0);
  useLoginInOtherTab();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The pressed button was removed, and the focus with it.
    if (document.activeElement === document.body) title.current?.focus({ preventScroll: true });
  }, []);
  if (!pending) return hasSession() && <Banner role="status">{copy.welcome}</Banner>;
  if (isExpired || pending.tries >= LOGIN_DIGITS_TRIES_MAX) {
    return (
      <Problem
        tone="warn"
        action={<Button label={copy.again} onClick={requestNewMail} />}
        text={isExpired ? copy.over : copy.usedUp}
      />
    );
  }
  return (
    <section className="stack gap-3" aria-labelledby="mail-sent">
      <h3 ref={title} id="mail-sent" tabIndex={-1} className="type-title">
        {copy.title}
      </h3>
      <p className="muted">{copy.text}</p>
      <DigitsForm />
      <p className="muted">{copy.nothingCame}</p>
    </section>
  );
}

function DigitsForm() {
  const copy = useDigitsCopy();
  const { isBusy, error, submitDigits } = useDigitsLogin();
  const { read, problem } = useDigits(DIGITS);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Clears a wrong code, so that it is never sent twice.
    if (error === null || !field.current) return;
    field.current.value = "";
    field.current.focus();
  }, [error]);
  const change = ({ target }: ChangeEvent<HTMLInputElement>) => {
    target.value = read(target.value);
    if (target.value.length === DIGITS) void submitDigits(target.value);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // A browser fills the field without an event.
    const digits = read(String(new FormData(event.currentTarget).get("digits")));
    if (digits.length === DIGITS) void submitDigits(digits);
    else field.current?.focus();
  };
  return (
    <form className="stack gap-3" onSubmit={submit} noValidate>
      <TextField
        ref={field}
        label={copy.label}
        name="digits"
        className={css.digits}
        inputMode="numeric"
        autoComplete="one-time-code"
        error={problem ?? error ?? undefined}
        onChange={change}
      />
      <Button type="submit" variant="primary" full busy={isBusy} label={copy.enter} />
    </form>
  );
}

function useDigitsLogin() {
  const copy = useDigitsCopy();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const submitDigits = async (digits: string) => {
    const pending = readDeviceValue(LOGIN_TICKET);
    if (isBusy || !pending) return;
    setBusy(true);
    setError(null);
    try {
      await trpcClient.accounts.loginByDigits.mutate({ ticket: pending.ticket, digits });
      await continueAfterLogin();
    } catch (failure) {
      setBusy(false);
      if (errorCodeOf(failure) !== "CODE_WRONG") return setError(loginErrorText(failure));
      const tries = pending.tries + 1;
      setError(copy.wrong(LOGIN_DIGITS_TRIES_MAX - tries));
      writeDeviceValue(LOGIN_TICKET, { ...pending, tries });
    }
  };
  return { isBusy, error, submitDigits };
}

function useIsExpired(until: number): boolean {
  const [isExpired, setExpired] = useState(until <= serverNow());
  useEffect(() => {
    const timer = setTimeout(() => setExpired(true), Math.max(0, until - serverNow()));
    return () => clearTimeout(timer);
  }, [until]);
  return isExpired;
}

/** Continues when another tab has logged in: on its storage event, and when the member returns to this tab. */
function useLoginInOtherTab(): void {
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const goOn = () => {
      if (!hasSession()) return;
      listening.abort();
      void continueAfterLogin().catch(() => undefined);
    };
    const onReturn = () => document.visibilityState === "visible" && goOn();
    document.addEventListener("visibilitychange", onReturn, { signal });
    addEventListener("focus", onReturn, { signal });
    // Storage events fire only in other tabs, and even in hidden ones.
    addEventListener("storage", ({ key, newValue }) => key === LOGIN_TICKET.name && newValue === "null" && goOn(), {
      signal,
    });
    return () => listening.abort();
  }, []);
}

function requestNewMail(): void {
  writeDeviceValue(LOGIN_TICKET, null);
  // The registration form allows one request per page load.
  location.reload();
}
