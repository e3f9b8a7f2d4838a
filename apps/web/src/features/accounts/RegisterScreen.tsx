import { LOGIN_CODE_TTL_MS } from "@lambda/contract/limits";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { Checkbox } from "@lambda/ui/checkbox";
import { Link } from "@lambda/ui/link";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { errorCodeOf } from "../../api/error-body.ts";
import { trpc } from "../../api/trpc.ts";
import { EmailField } from "../../components/EmailField.tsx";
import { writeDevice } from "../../device/device-storage.ts";
import { LOGIN_TICKET } from "../../device/login-ticket.ts";
import { hasSession } from "../../device/session-cookie.ts";
import { useCopy, useLocale } from "../../format/i18n.ts";
import { goTo } from "../../routing/navigation.ts";
import { pauseReporting, resumeReporting } from "../../session/reporting.ts";
import css from "./accounts.module.css";
import { acknowledgementsCopy } from "./acknowledgements.ts";
import { EntryPage } from "./EntryPage.tsx";
import { MailWait, preloadDigitsStep } from "./MailWait.tsx";
import { registerCopy } from "./register-copy.ts";

const KINDS = ["cookies", "adult", "geolocation"] as const;

type Progress = "idle" | "requesting" | "sent" | "unanswered";

/** One request a page load: what became of it outlives leaving and coming back to this screen. */
let progressOfPage: Progress = "idle";

export default function RegisterScreen() {
  const copy = useCopy(registerCopy);
  const [locale] = useLocale();
  const registration = useRegistration();
  useEffect(() => {
    pauseReporting();
    return () => {
      if (hasSession()) resumeReporting();
    };
  }, []);
  return (
    <EntryPage title={copy.registerTitle} text={copy.registerText}>
      <MailWait />
      {registration.progress !== "sent" && <RegisterForm registration={registration} />}
      <RegistrationResult progress={registration.progress} />
      <p className={css.links}>
        <Link href="/login">{copy.haveAccount}</Link>
        <Link href="/tos">{locale === "es" ? "Condiciones" : "Terms"}</Link>
        <Link href="/tos#pp">{locale === "es" ? "Privacidad" : "Privacy"}</Link>
      </p>
    </EntryPage>
  );
}

function useRegistration() {
  const texts = useCopy(acknowledgementsCopy);
  const [locale] = useLocale();
  const [progress, setProgress] = useState(progressOfPage);
  const [refused, setRefused] = useState(false);
  const { mutate } = trpc.accounts.register.useMutation();

  const advance = (next: Progress) => {
    progressOfPage = next;
    setProgress(next);
  };
  const request = (email: string) => {
    if (progress !== "idle") return;
    if (!/^\S+@\S+\.\S+$/.test(email.trim())) return setRefused(true);
    advance("requesting");
    void preloadDigitsStep();
    const acknowledgements = KINDS.map((kind) => `${kind}: ${texts[kind]}`).join("\n\n");
    mutate(
      { email, acknowledgements, locale },
      {
        onSuccess: ({ ticket }) => {
          writeDevice(LOGIN_TICKET, { ticket, until: Date.now() + LOGIN_CODE_TTL_MS, tries: 0 });
          advance("sent");
        },
        // A mistyped address is the only failure shown: any other would say something about who is known.
        onError: (error) => {
          const code = errorCodeOf(error);
          // The place decides these two, whoever asks; where it is closed, the document itself says so.
          if (code === "AGE_PROOF_NEEDED") {
            advance("idle");
            return goTo("/age");
          }
          if (code === "CLOSED_HERE") return location.reload();
          const mistyped = code === "BAD_INPUT";
          setRefused(mistyped);
          advance(mistyped ? "idle" : "unanswered");
        },
      },
    );
  };
  return { progress, refused, request, forgetRefusal: () => setRefused(false) };
}

function RegisterForm({ registration }: { registration: ReturnType<typeof useRegistration> }) {
  const copy = useCopy(registerCopy);
  const [email, setEmail] = useState("");
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const complete = KINDS.every((kind) => ticked.includes(kind));
  const { progress, refused, request, forgetRefusal } = registration;

  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // What was typed and ticked before the script came stands in the fields alone.
    if (!form.current) return;
    const typed = new FormData(form.current);
    setEmail(String(typed.get("email") ?? ""));
    setTicked(KINDS.filter((kind) => typed.has(kind)));
  }, []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (complete && email.trim() !== "") request(email);
  };
  return (
    <form ref={form} className={css.form} method="dialog" onSubmit={submit} noValidate>
      <EmailField
        label={copy.email}
        help={copy.emailHelp}
        name="email"
        autoComplete="email"
        inputMode="email"
        value={email}
        error={refused ? copy.emailInvalid : undefined}
        onChange={(event) => {
          setEmail(event.target.value);
          forgetRefusal();
        }}
      />
      <Acknowledgements ticked={ticked} onChange={setTicked} />
      {progress === "idle" && !complete && <p className={css.required}>{copy.required}</p>}
      {progress === "idle" && (
        <Button type="submit" variant="primary" full disabled={!complete || email.trim() === ""}>
          {copy.request}
        </Button>
      )}
    </form>
  );
}

interface AcknowledgementsProps {
  ticked: readonly string[];
  onChange: (ticked: readonly string[]) => void;
}

function Acknowledgements({ ticked, onChange }: AcknowledgementsProps) {
  const copy = useCopy(registerCopy);
  const texts = useCopy(acknowledgementsCopy);
  return (
    <fieldset className={css.acknowledgements}>
      <legend>{copy.acknowledgements}</legend>
      {KINDS.map((kind) => {
        const [title = "", text = ""] = texts[kind].split(/: (.*)/s);
        return (
          <div key={kind} className={css.acknowledgement}>
            <Checkbox
              label={title}
              name={kind}
              checked={ticked.includes(kind)}
              onChange={(event) =>
                onChange(event.target.checked ? [...ticked, kind] : ticked.filter((other) => other !== kind))
              }
            />
            <details>
              <summary aria-label={copy.readAll(title)}>{copy.read}</summary>
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
      {progress === "unanswered" && <Banner>{copy.nothingCame}</Banner>}
    </div>
  );
}
