import { REAL_NAME_MAX_CHARS } from "@lambda/contract/limits";
import type { Settings } from "@lambda/contract/settings";
import { Banner, Problem } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { FormSection } from "@lambda/ui/form-section";
import { TextField } from "@lambda/ui/text-field";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { trpcClient } from "../../../../api/client.ts";
import { errorCodeOf } from "../../../../api/error-body.ts";
import { errorText } from "../../../../api/error-text.ts";
import { trpc } from "../../../../api/trpc.ts";
import { ConfirmSheet } from "../../../../components/ConfirmSheet.tsx";
import { EmailField } from "../../../../components/EmailField.tsx";
import { Form } from "../../../../components/Form.tsx";
import { PasswordField } from "../../../../components/PasswordField.tsx";
import { QueryState } from "../../../../components/QueryState.tsx";
import { useFailureToast } from "../../../../components/use-failure-toast.ts";
import { currentLocale } from "../../../../format/i18n.ts";
import { currentAddress } from "../../../../routing/address.ts";
import { useAgeCopy } from "../../age/copy.ts";
import { isDeclined, useOwnerProof } from "../../proof/use-owner-proof.tsx";
import { accountPath } from "../account-pages.ts";
import { useSettingsCopy } from "../copy.ts";
import { useAccountForm } from "../use-account-form.ts";
import { useTakeBack } from "./use-take-back.tsx";

/** Name, email address and password in one form, because they are saved together. */
export function AccountSection({ settings }: { settings: Settings }) {
  const { account: copy, save } = useSettingsCopy();
  const form = useAccountForm(settings);
  return (
    <FormSection id="account" title={copy.title} text={copy.text} value={settings.email}>
      <EmailConfirmation settings={settings} />
      <Form className="stack gap-3 letter" onSubmit={form.submit} noValidate>
        <TextField
          label={copy.name}
          name="name"
          autoComplete="name"
          maxLength={REAL_NAME_MAX_CHARS}
          value={form.fields.name}
          error={form.invalid.name ? copy.nameRequired : undefined}
          onValue={(name) => form.set({ name })}
        />
        <EmailField
          label={copy.email}
          name="email"
          autoComplete="email"
          value={form.fields.email}
          help={settings.emailPending ? copy.emailPending(settings.emailPending) : undefined}
          error={form.invalid.email ? copy.emailRequired : form.problem.email}
          onValue={(email) => form.set({ email })}
        />
        <PasswordField
          label={settings.hasPassword ? copy.password : copy.passwordFirst}
          name="new-password"
          autoComplete="new-password"
          help={settings.hasPassword ? copy.passwordHelp : copy.passwordFirstHelp}
          error={form.problem.password}
          value={form.fields.password}
          onValue={(password) => form.set({ password })}
        />
        <TextField
          label={copy.repeat}
          name="repeat-password"
          type="password"
          autoComplete="new-password"
          value={form.fields.repeat}
          error={form.invalid.repeat ? copy.mismatch : undefined}
          onValue={(repeat) => form.set({ repeat })}
        />
        <dl className={"stack facts"}>
          <dt className="bold">{copy.roles}</dt>
          <dd>{settings.roles.join(", ")}</dd>
        </dl>
        <Problem text={form.problem.general} />
        <Button type="submit" variant="primary" busy={form.saving} label={save} />
      </Form>
      {form.takeBack}
      {form.dialog}
      <AgeProof />
    </FormSection>
  );
}

/** Asks whether to use a new address, and shows the result. Outside of the account's form, because the proof is a form too. */
function EmailConfirmation({ settings }: { settings: Settings }) {
  const { account: copy, saveFailed } = useSettingsCopy();
  const { state, address, problem, busy, accept, stop, close, dialogs } = useEmailConfirmation(settings);
  if (state === "none") return null;
  if (state === "done") {
    return (
      <Banner tone="success" role="status">
        {copy.emailConfirmed}
      </Banner>
    );
  }
  if (state !== "asks") {
    return <Problem text={state === "taken" ? saveFailed : copy.emailConfirmFailed} />;
  }
  return (
    <>
      <ConfirmSheet
        open
        onClose={close}
        title={copy.emailUse(address)}
        action={<Button variant="primary" busy={busy} label={copy.emailUseYes} onClick={accept} />}
      >
        <p>{copy.emailUseText}</p>
        <Problem text={problem} />
        <div>
          <Button variant="quiet" label={copy.emailUseStop} onClick={stop} />
        </div>
      </ConfirmSheet>
      {dialogs}
    </>
  );
}

/** Shows when and how the member proved their age and lets them remove the proof; links to the proof of age if one is required. */
function AgeProof() {
  const copy = useAgeCopy();
  const query = trpc.age.status.useQuery();
  const { data } = query;
  // Reloads, because this page may have cached pictures that must now be pixelated.
  const remove = trpc.age.remove.useMutation({ onSuccess: () => location.reload(), onError: useFailureToast() });
  if (query.isLoadingError) return <QueryState compact query={query} />;
  if (!data || (!data.proof && data.seeExplicit !== "proof")) return null;
  if (!data.proof) {
    return <Button icon="lock" href="/age" label={copy.prove} />;
  }
  const day = new Date(`${data.proof.day}T12:00:00`).toLocaleDateString(currentLocale(), { dateStyle: "long" });
  return (
    <div className="stack gap-3 letter">
      <p>{copy.provedOn(day, copy.provedBy[data.proof.method])}</p>
      <Button busy={remove.isPending} label={copy.remove} onClick={() => remove.mutate()} />
    </div>
  );
}

/** Codes are removed from the address at once, and a screen may mount twice. */
let openedCode: string | null = null;

/**
 * Asks about the new address if the page was opened by the link in its mail. Sends nothing before the member agrees:
 * the link may come from somebody else.
 */
function useEmailConfirmation({ email, emailPending }: Settings) {
  const [code, setCode] = useState(() => new URLSearchParams(currentAddress().search).get("confirm") ?? openedCode);
  useEffect(() => {
    openedCode = code;
    if (currentAddress().search.includes("confirm=")) history.replaceState(history.state, "", accountPath("login"));
  }, [code]);

  const utils = trpc.useUtils();
  const proof = useOwnerProof({ keepsEmailChange: true });
  const accept = useMutation({
    mutationFn: (agreed: { token: string; email: string; keep: number[] }) =>
      proof.run(() => trpcClient.settings.confirmEmail.mutate(agreed)),
    onSuccess: () => {
      openedCode = null;
      return utils.settings.get.invalidate();
    },
  });
  const stop = trpc.settings.update.useMutation({
    onSuccess: (next) => {
      utils.settings.get.setData(undefined, next);
      setCode(null);
    },
    onError: useFailureToast(),
  });
  const { account: copy } = useSettingsCopy();
  const takeBack = useTakeBack(copy.emailUseYes, (keep) =>
    accept.mutate({ token: code ?? "", email: emailPending ?? "", keep }),
  );
  const state = stateOf(code !== null, emailPending !== null, accept);
  return {
    state,
    address: emailPending ?? "",
    /** Why the last try failed, if another one may succeed. */
    problem: state === "asks" && accept.error && !isDeclined(accept.error) ? errorText(accept.error) : null,
    busy: accept.isPending,
    accept: takeBack.start,
    stop: () => stop.mutate({ email }),
    close: () => setCode(null),
    dialogs: (
      <>
        {takeBack.sheet}
        {proof.dialog}
      </>
    ),
  };
}

function stateOf(hasCode: boolean, isPending: boolean, { isSuccess, error }: { isSuccess: boolean; error: unknown }) {
  if (isSuccess) return "done";
  if (!hasCode) return "none";
  const errorCode = errorCodeOf(error);
  if (errorCode === "CONFLICT") return "taken";
  return errorCode === "LINK_EXPIRED" || !isPending ? "failed" : "asks";
}
