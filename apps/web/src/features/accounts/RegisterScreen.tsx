import { LOGIN_CODE_TTL_MS } from "@lambda/contract/limits";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { Checkbox } from "@lambda/ui/checkbox";
import { Link } from "@lambda/ui/link";
import { type FormEvent, useCallback, useEffect, useRef, useState } from "react";
import { errorBodyOf, errorCodeOf } from "../../api/error-body.ts";
import type { Proof } from "../../api/proof-of-work/solve-in-worker.ts";
import { trpc } from "../../api/trpc.ts";
import { EmailField } from "../../components/EmailField.tsx";
import { writeDeviceValue } from "../../device/device-storage.ts";
import { LOGIN_TICKET } from "../../device/login-ticket.ts";
import { serverNow } from "../../device/server-clock.ts";
import { useCopy, useLocale } from "../../format/i18n.ts";
import { createChunkLoader } from "../../routing/load-chunk.ts";
import { goTo } from "../../routing/navigation.ts";
import css from "./accounts.module.css";
import { acknowledgementsCopy } from "./acknowledgements.ts";
import { EntryPage } from "./EntryPage.tsx";
import { PendingLoginMail, preloadDigitsStep } from "./PendingLoginMail.tsx";
import { registerCopy } from "./register-copy.ts";

const ACKNOWLEDGEMENTS = ["cookies", "adult", "geolocation"] as const;

// Loaded on demand, because most registrations do not need it.
const codeText = createChunkLoader(() => import("../../api/code-text.ts"));
const solver = createChunkLoader(() => import("../../api/proof-of-work/solve-in-worker.ts"));

/** The server asks for harder work at most so often. */
const WORK_TRIES_MAX = 3;

type Progress = "idle" | "requesting" | "working" | "sent" | "unanswered";

/** Allows one request per page load, so the progress outlives this component. */
let progressOfPage: Progress = "idle";

export default function RegisterScreen() {
  const copy = useCopy(registerCopy);
  const registration = useRegistration();
  return (
    <EntryPage title={copy.registerTitle} text={copy.registerText}>
      <PendingLoginMail />
      {registration.progress !== "sent" && <RegisterForm registration={registration} />}
      <RegistrationResult progress={registration.progress} />
      <p className={css.links}>
        <Link href="/login">{copy.haveAccount}</Link>
        <Link href="/tos">{copy.terms}</Link>
        <Link href="/tos#pp">{copy.privacy}</Link>
      </p>
    </EntryPage>
  );
}

function useRegistration() {
  const texts = useCopy(acknowledgementsCopy);
  const [locale] = useLocale();
  const [progress, setProgress] = useState(progressOfPage);
  const { emailInvalid, notOpen } = useCopy(registerCopy);
  const [emailError, setEmailError] = useState<string>();
  const { mutate } = trpc.accounts.register.useMutation();
  const { mutateAsync: requestChallenge } = trpc.notices.challenge.useMutation();

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
    send(email);
  };
  const work = async (email: string, harder: number, tries: number) => {
    advance("working");
    try {
      const [task, loaded] = await Promise.all([requestChallenge({ harder }), solver.preload()]);
      if (!loaded) throw new Error("the solver did not load");
      send(email, await loaded.solveInWorker(task), tries + 1);
    } catch {
      advance("unanswered");
    }
  };
  const send = (email: string, proof?: Proof, tries = 0) => {
    const acknowledgements = ACKNOWLEDGEMENTS.map((kind) => `${kind}: ${texts[kind]}`).join("\n\n");
    mutate(
      { email, acknowledgements, locale, ...(proof && { proof }) },
      {
        onSuccess: ({ ticket }) => {
          writeDeviceValue(LOGIN_TICKET, { ticket, until: serverNow() + LOGIN_CODE_TTL_MS, tries: 0 });
          advance("sent");
        },
        // Shows only an invalid address as an error, because other errors would reveal whether an account exists.
        onError: async (error) => {
          const code = errorCodeOf(error);
          // These two depend only on the country, so they reveal nothing. After a reload the document explains the closure.
          if (code === "AGE_PROOF_NEEDED") {
            advance("idle");
            return goTo("/age");
          }
          if (code === "CLOSED_HERE") return location.reload();
          if (code === "WORK_NEEDED" && tries < WORK_TRIES_MAX)
            return work(email, errorBodyOf(error)?.limit ?? 0, tries);
          if (code === "NOT_OPEN") {
            advance("idle");
            return setEmailError(notOpen);
          }
          if (code !== "BAD_INPUT") return advance("unanswered");
          setEmailError((await codeText.preload())?.wrongInputText(error) ?? emailInvalid);
          advance("idle");
        },
      },
    );
  };
  return { progress, emailError, request, clearError: () => setEmailError(undefined) };
}

function RegisterForm({ registration }: { registration: ReturnType<typeof useRegistration> }) {
  const copy = useCopy(registerCopy);
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
      <Acknowledgements />
      {progress === "idle" && !isTicked && <p className="muted">{copy.required}</p>}
      {progress === "idle" && (
        <Button type="submit" variant="primary" full disabled={!isTicked || !isFilled}>
          {copy.request}
        </Button>
      )}
    </form>
  );
}

function Acknowledgements() {
  const copy = useCopy(registerCopy);
  const texts = useCopy(acknowledgementsCopy);
  return (
    <fieldset className="stack">
      <legend className="type-lead font-display">{copy.acknowledgements}</legend>
      {ACKNOWLEDGEMENTS.map((kind) => {
        const [title = "", text = ""] = texts[kind].split(/: (.*)/s);
        return (
          <div key={kind} className={css.acknowledgement}>
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
  );
}

function RegistrationResult({ progress }: { progress: Progress }) {
  const copy = useCopy(registerCopy);
  return (
    <div role="status">
      {progress === "requesting" && <Banner tone="warn">{copy.requesting}</Banner>}
      {progress === "working" && <Banner tone="warn">{copy.working}</Banner>}
      {progress === "unanswered" && <Banner>{copy.nothingCame}</Banner>}
    </div>
  );
}
