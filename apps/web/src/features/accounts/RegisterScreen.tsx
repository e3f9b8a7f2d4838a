import { LOGIN_CODE_TTL_MS } from "@lambda/contract/limits";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { Checkbox } from "@lambda/ui/checkbox";
import { Link } from "@lambda/ui/link";
import { type FormEvent, useCallback, useEffect, useRef, useState } from "react";
import { errorCodeOf } from "../../api/error-body.ts";
import type { Proof } from "../../api/proof-of-work/solve-in-worker.ts";
import { trpc } from "../../api/trpc.ts";
import { EmailField } from "../../components/EmailField.tsx";
import { writeDeviceValue } from "../../device/device-storage.ts";
import { LOGIN_TICKET } from "../../device/login-ticket.ts";
import { serverNow } from "../../device/server-clock.ts";
import { useLocale } from "../../format/i18n.ts";
import { createChunkLoader } from "../../routing/load-chunk.ts";
import { goTo } from "../../routing/navigation.ts";
import css from "./accounts.module.css";
import { useAcknowledgementsCopy } from "./acknowledgements.ts";
import { EntryPage } from "./EntryPage.tsx";
import { PendingLoginMail, preloadDigitsStep } from "./PendingLoginMail.tsx";
import { useRegisterCopy } from "./register-copy.ts";

const ACKNOWLEDGEMENTS = ["cookies", "adult", "geolocation"] as const;

// Loaded on demand, because most registrations do not need it.
const codeText = createChunkLoader(() => import("../../api/code-text.ts"));
const work = createChunkLoader(() => import("../../api/proof-of-work/send-with-work.ts"));

type Progress = "idle" | "requesting" | "working" | "sent" | "unanswered";

/** Allows one request per page load, so the progress outlives this component. */
let progressOfPage: Progress = "idle";

export default function RegisterScreen() {
  const copy = useRegisterCopy();
  const registration = useRegistration();
  const { progress } = registration;
  return (
    <EntryPage title={copy.registerTitle} text={copy.registerText}>
      <PendingLoginMail />
      {progress !== "sent" && <RegisterForm registration={registration} />}
      <div role="status">
        {progress === "requesting" && <Banner tone="warn">{copy.requesting}</Banner>}
        {progress === "working" && <Banner tone="warn">{copy.working}</Banner>}
        {progress === "unanswered" && <Banner>{copy.nothingCame}</Banner>}
      </div>
      <p className={`wrap tap-links ${css.links}`}>
        <Link href="/login">{copy.haveAccount}</Link>
        <Link href="/tos">{copy.terms}</Link>
        <Link href="/tos#pp">{copy.privacy}</Link>
      </p>
    </EntryPage>
  );
}

function useRegistration() {
  const texts = useAcknowledgementsCopy();
  const [locale] = useLocale();
  const [progress, setProgress] = useState(progressOfPage);
  const { emailInvalid, notOpen } = useRegisterCopy();
  const [emailError, setEmailError] = useState<string>();
  const { mutateAsync } = trpc.accounts.register.useMutation();

  const advance = (next: Progress) => {
    progressOfPage = next;
    setProgress(next);
  };
  const request = (email: string) => {
    if (progress !== "idle") return;
    // The server reads what is pasted around an address, and names a character that is wrong.
    if (!/[@＠]/.test(email)) return setEmailError(emailInvalid);
    advance("requesting");
    void preloadDigitsStep();
    void send(email);
  };
  const send = async (email: string) => {
    const acknowledgements = ACKNOWLEDGEMENTS.map((kind) => `${kind}: ${texts[kind]}`).join("\n\n");
    const ask = (proof?: Proof) => mutateAsync({ email, acknowledgements, locale, ...(proof && { proof }) });
    try {
      const { ticket } = await ask().catch(async (error) => {
        if (errorCodeOf(error) !== "WORK_NEEDED") throw error;
        advance("working");
        const loaded = await work.preload();
        if (!loaded) throw error;
        return loaded.sendWithWork(error, ask);
      });
      writeDeviceValue(LOGIN_TICKET, { ticket, until: serverNow() + LOGIN_CODE_TTL_MS, tries: 0 });
      advance("sent");
    } catch (error) {
      // Shows only an invalid address as an error, because other errors would reveal whether an account exists.
      const code = errorCodeOf(error);
      // These two depend only on the country, so they reveal nothing. After a reload the document explains the closure.
      if (code === "AGE_PROOF_NEEDED") {
        advance("idle");
        return goTo("/age");
      }
      if (code === "CLOSED_HERE") return location.reload();
      if (code === "NOT_OPEN") {
        advance("idle");
        return setEmailError(notOpen);
      }
      if (code !== "BAD_INPUT") return advance("unanswered");
      setEmailError((await codeText.preload())?.wrongInputText(error) ?? emailInvalid);
      advance("idle");
    }
  };
  return { progress, emailError, request, clearError: () => setEmailError(undefined) };
}

function RegisterForm({ registration }: { registration: ReturnType<typeof useRegistration> }) {
  const copy = useRegisterCopy();
  const texts = useAcknowledgementsCopy();
  const { progress, emailError, request, clearError } = registration;
  const form = useRef<HTMLFormElement>(null);
  const [isTicked, setTicked] = useState(false);
  const [isFilled, setFilled] = useState(false);
  // A browser fills fields without an event, and what was typed before hydration exists only in the document too.
  const read = useCallback(() => {
    const typed = new FormData(form.current ?? undefined);
    const email = String(typed.get("email") ?? "");
    const isComplete = ACKNOWLEDGEMENTS.every((kind) => typed.has(kind));
    setTicked(isComplete);
    setFilled(email.trim() !== "");
    return isComplete && email.trim() !== "" ? email : undefined;
  }, []);
  useEffect(() => void read(), [read]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const email = read();
    if (email) request(email);
  };
  return (
    <form
      ref={form}
      className="stack gap-4"
      method="dialog"
      onSubmit={submit}
      onChange={read}
      onFocus={read}
      onPointerDown={read}
      noValidate
    >
      <EmailField
        label={copy.email}
        help={copy.emailHelp}
        name="email"
        autoComplete="email"
        inputMode="email"
        error={emailError}
        onChange={clearError}
      />
      <fieldset className="stack">
        <legend className="type-lead font-display">{copy.acknowledgements}</legend>
        {ACKNOWLEDGEMENTS.map((kind) => {
          const [title = "", text = ""] = texts[kind].split(/: (.*)/s);
          return (
            <div key={kind} className={`relative ${css.acknowledgement}`}>
              <Checkbox label={title} name={kind} />
              <details>
                <summary className="fold center accent" aria-label={copy.readAll(title)}>
                  {copy.read}
                </summary>
                <p>{text}</p>
              </details>
            </div>
          );
        })}
      </fieldset>
      {progress === "idle" && !isTicked && <p className="muted">{copy.required}</p>}
      {progress === "idle" && (
        <Button type="submit" variant="primary" full disabled={!isTicked || !isFilled} label={copy.request} />
      )}
    </form>
  );
}
