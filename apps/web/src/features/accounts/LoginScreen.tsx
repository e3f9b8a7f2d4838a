import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { Checkbox } from "@lambda/ui/checkbox";
import { Link } from "@lambda/ui/link";
import { type FormEvent, type RefObject, Suspense, useEffect, useRef, useState } from "react";
import { EmailField } from "../../components/EmailField.tsx";
import { PasswordField } from "../../components/PasswordField.tsx";
import { useCopy } from "../../format/i18n.ts";
import { lazyScreen } from "../../routing/lazy-screen.ts";
import css from "./accounts.module.css";
import { accountsCopy } from "./copy.ts";
import { EntryPage } from "./EntryPage.tsx";
import { PendingLoginMail } from "./PendingLoginMail.tsx";
import { useLogin } from "./use-login.ts";

const ConfirmLinkPage = lazyScreen(() => import("./ConfirmLinkPage.tsx"));

/** Logs in by password or passkey, or automatically if the URL contains the token of a login link. */
export default function LoginScreen() {
  const copy = useCopy(accountsCopy);
  const login = useLogin();
  const { state, error, byLink } = login;
  if (login.confirmation) {
    return (
      <Suspense>
        <ConfirmLinkPage confirmation={login.confirmation} onConfirm={login.confirm} />
      </Suspense>
    );
  }
  return (
    <EntryPage title={copy.loginTitle} text={copy.loginText}>
      {byLink && state === "busy" && <Banner role="status">{copy.byLink}</Banner>}
      {state === "done" && (
        <Banner tone="success" role="status">
          {copy.welcome}
        </Banner>
      )}
      {error !== null && (
        <Banner tone="danger" role="alert" action={byLink && <Link href="/register">{copy.linkFailed}</Link>}>
          {error}
        </Banner>
      )}
      {!byLink && <PendingLoginMail />}
      <LoginForm busy={state !== "idle"} onSubmit={login.logIn} onPasskey={login.passkeys} />
      <p className={css.links}>
        <Link href="/register">{copy.needToRegister}</Link>
        <Link href="/register">{copy.forgotPassword}</Link>
      </p>
    </EntryPage>
  );
}

interface Credentials {
  username: string;
  password: string;
  remember: boolean;
}

interface LoginFormProps {
  busy: boolean;
  onSubmit: (credentials: Credentials) => void;
  onPasskey: (() => void) | null;
}

/** The fields of a form, which starts with what was typed before hydration: that exists only in the DOM. */
function useCredentials(form: RefObject<HTMLFormElement | null>) {
  const [credentials, setCredentials] = useState<Credentials>({ username: "", password: "", remember: false });
  useEffect(() => {
    if (!form.current) return;
    const typed = new FormData(form.current);
    setCredentials({
      username: String(typed.get("username") ?? ""),
      password: String(typed.get("password") ?? ""),
      remember: typed.has("remember"),
    });
  }, [form]);
  const change = (changes: Partial<Credentials>) => setCredentials((current) => ({ ...current, ...changes }));
  return [credentials, change] as const;
}

function LoginForm({ busy, onSubmit, onPasskey }: LoginFormProps) {
  const copy = useCopy(accountsCopy);
  const form = useRef<HTMLFormElement>(null);
  const [{ username, password, remember }, change] = useCredentials(form);
  const [tried, setTried] = useState(false);
  const emailInvalid = !/[@＠]/.test(username);
  const passwordInvalid = password === "";

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (emailInvalid || passwordInvalid) return;
    onSubmit({ username: username.trim().toLowerCase(), password, remember });
  };
  return (
    // method="dialog" submits nothing without the script, so that the password never ends up in the URL.
    <form ref={form} className={css.form} method="dialog" onSubmit={submit} noValidate>
      <EmailField
        label={copy.email}
        name="username"
        autoComplete="username webauthn"
        inputMode="email"
        value={username}
        error={tried && emailInvalid ? copy.emailInvalid : undefined}
        onChange={(event) => change({ username: event.target.value })}
      />
      <PasswordField
        label={copy.password}
        name="password"
        autoComplete="current-password"
        value={password}
        error={tried && passwordInvalid ? copy.passwordInvalid : undefined}
        onChange={(event) => change({ password: event.target.value })}
      />
      <Checkbox
        label={copy.remember}
        help={copy.rememberHelp}
        name="remember"
        checked={remember}
        onChange={(event) => change({ remember: event.target.checked })}
      />
      <Button type="submit" variant="primary" full busy={busy}>
        {copy.login}
      </Button>
      {onPasskey && (
        <Button full busy={busy} onClick={onPasskey}>
          {copy.byPasskey}
        </Button>
      )}
    </form>
  );
}
