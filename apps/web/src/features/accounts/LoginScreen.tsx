import { Banner, Problem } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { Checkbox } from "@lambda/ui/checkbox";
import { Link } from "@lambda/ui/link";
import { type FormEvent, type RefObject, useEffect, useRef, useState } from "react";
import { EmailField } from "../../components/EmailField.tsx";
import { PasswordField } from "../../components/PasswordField.tsx";
import { lazyPart } from "../../routing/lazy-part.tsx";
import { RETURN_PATH_KEY } from "../../routing/navigation.ts";
import css from "./accounts.module.css";
import { useAccountsCopy } from "./copy.ts";
import { EntryPage } from "./EntryPage.tsx";
import { PendingLoginMail } from "./PendingLoginMail.tsx";
import { useLogin } from "./use-login.ts";

const ConfirmLinkPage = lazyPart(() => import("./ConfirmLinkPage.tsx"));

/** Logs in by password or passkey, or automatically if the URL contains the token of a login link. */
export default function LoginScreen() {
  const copy = useAccountsCopy();
  const form = useRef<HTMLFormElement>(null);
  const login = useLogin(() => form.current !== null && new FormData(form.current).has("remember"));
  const { state, error, byLink } = login;
  // After hydration, because the prerendered page cannot know.
  const [isReturning, setReturning] = useState(false);
  useEffect(() => setReturning(hasReturnPath()), []);
  if (login.confirmation) {
    return <ConfirmLinkPage confirmation={login.confirmation} onConfirm={login.confirm} />;
  }
  return (
    <EntryPage title={copy.loginTitle} text={copy.loginText}>
      {isReturning && !byLink && error === null && state === "idle" && <Banner role="status">{copy.returning}</Banner>}
      {byLink && state === "busy" && <Banner role="status">{copy.byLink}</Banner>}
      {state === "done" && (
        <Banner tone="success" role="status">
          {copy.welcome}
        </Banner>
      )}
      <Problem action={byLink && <Link href="/register">{copy.linkFailed}</Link>} text={error} />
      {!byLink && <PendingLoginMail />}
      <LoginForm form={form} busy={state !== "idle"} onSubmit={login.logIn} onPasskey={login.passkeys} />
      <p className={`wrap tap-links ${css.links}`}>
        <Link href="/register">{copy.needToRegister}</Link>
        <Link href="/register">{copy.forgotPassword}</Link>
      </p>
    </EntryPage>
  );
}

/** Whether a page waits behind the login: a session ended on it, or a visitor opened its address. */
function hasReturnPath(): boolean {
  try {
    return sessionStorage.getItem(RETURN_PATH_KEY) !== null;
  } catch {
    return false;
  }
}

interface LoginFormProps {
  form: RefObject<HTMLFormElement | null>;
  busy: boolean;
  onSubmit: (credentials: { username: string; password: string; remember: boolean }) => void;
  onPasskey: (() => void) | null;
}

function LoginForm({ form, busy, onSubmit, onPasskey }: LoginFormProps) {
  const copy = useAccountsCopy();
  const [wrong, setWrong] = useState({ username: false, password: false });

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // A password manager fills the fields without an event, and what was typed before hydration exists only in the document too.
    const typed = new FormData(event.currentTarget);
    const [username, password] = [String(typed.get("username")), String(typed.get("password"))];
    const found = { username: !/[@＠]/.test(username), password: password === "" };
    setWrong(found);
    if (found.username || found.password) return;
    onSubmit({ username, password, remember: typed.has("remember") });
  };
  return (
    // method="dialog" submits nothing without the script, so that the password never ends up in the URL.
    <form ref={form} className="stack gap-4" method="dialog" onSubmit={submit} noValidate>
      <EmailField
        label={copy.email}
        name="username"
        autoComplete="username webauthn"
        inputMode="email"
        error={wrong.username ? copy.emailInvalid : undefined}
        onChange={() => setWrong({ ...wrong, username: false })}
      />
      <PasswordField
        label={copy.password}
        name="password"
        autoComplete="current-password"
        error={wrong.password ? copy.passwordInvalid : undefined}
        onChange={() => setWrong({ ...wrong, password: false })}
      />
      <Checkbox label={copy.remember} help={copy.rememberHelp} name="remember" />
      <Button type="submit" variant="primary" full busy={busy} label={copy.login} />
      {onPasskey && <Button full busy={busy} label={copy.byPasskey} onClick={onPasskey} />}
    </form>
  );
}
