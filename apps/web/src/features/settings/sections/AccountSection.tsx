import { EMAIL_MAX_CHARS, REAL_NAME_MAX_CHARS, SETTINGS_SAVED_SHOWN_MS } from "@lambda/contract/limits";
import type { Settings } from "@lambda/contract/settings";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { FormSection } from "@lambda/ui/form-section";
import { TextField } from "@lambda/ui/text-field";
import { useToast } from "@lambda/ui/toast";
import { type FormEvent, useState } from "react";
import { trpc } from "../../../api/trpc.ts";
import { useCopy } from "../../../format/i18n.ts";
import { settingsCopy } from "../copy.ts";
import { useEmailConfirmation } from "../use-email-confirmation.ts";
import { useSaveProblem } from "../use-save-problem.ts";
import { FreshLink } from "./FreshLink.tsx";
import css from "./settings.module.css";

/** Name, address and password in one form, as they are saved together. */
export function AccountSection({ settings }: { settings: Settings }) {
  const { account: copy, save: saveLabel, saved, saveFailed } = useCopy(settingsCopy);
  const toast = useToast();
  const utils = trpc.useUtils();
  const [name, setName] = useState(settings.name);
  const [email, setEmail] = useState(settings.emailPending ?? settings.email);
  const [password, setPassword] = useState("");
  const [repeat, setRepeat] = useState("");
  const [currentPassword, setCurrentPassword] = useState("");
  const [tried, setTried] = useState(false);
  const confirmation = useEmailConfirmation();

  const save = trpc.settings.update.useMutation({
    onSuccess: (next) => {
      utils.settings.get.setData(undefined, next);
      void utils.sessions.list.invalidate();
      setPassword("");
      setRepeat("");
      setCurrentPassword("");
      setTried(false);
      toast({ text: saved, tone: "info", ms: SETTINGS_SAVED_SHOWN_MS });
    },
  });

  const problem = useSaveProblem(save.error, save.variables);
  // An address that waits for its mail is not sent again: that would ask for a proof, and send another mail.
  const address = email.trim().toLowerCase();
  const changesEmail = address !== (settings.emailPending ?? settings.email);
  const changesKey = password !== "" || (changesEmail && address !== settings.email);
  const needsProof = changesKey && !settings.freshLink;
  const mismatch = password !== repeat;
  const nameMissing = name.trim() === "";
  const emailMissing = !email.includes("@");

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (nameMissing || emailMissing || mismatch) return;
    save.mutate({
      name,
      ...(changesEmail && { email }),
      ...(password !== "" && { password }),
      ...(currentPassword !== "" && { currentPassword }),
    });
  };

  return (
    <FormSection title={copy.title} text={copy.text}>
      <form className={css.stack} onSubmit={submit} noValidate>
        {confirmation === "done" && (
          <Banner tone="success" role="status">
            {copy.emailConfirmed}
          </Banner>
        )}
        {(confirmation === "failed" || confirmation === "taken") && (
          <Banner tone="danger" role="alert">
            {confirmation === "taken" ? saveFailed : copy.emailConfirmFailed}
          </Banner>
        )}
        <TextField
          label={copy.name}
          name="name"
          autoComplete="name"
          maxLength={REAL_NAME_MAX_CHARS}
          value={name}
          error={tried && nameMissing ? copy.nameRequired : undefined}
          onChange={(event) => setName(event.target.value)}
        />
        <TextField
          label={copy.email}
          name="email"
          type="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={EMAIL_MAX_CHARS}
          value={email}
          help={settings.emailPending ? copy.emailPending(settings.emailPending) : undefined}
          error={(tried && emailMissing) || problem.email ? copy.emailRequired : undefined}
          onChange={(event) => setEmail(event.target.value)}
        />
        <TextField
          label={settings.hasPassword ? copy.password : copy.passwordFirst}
          name="new-password"
          type="password"
          autoComplete="new-password"
          reveal={{ show: copy.show, hide: copy.hide }}
          help={settings.hasPassword ? copy.passwordHelp : copy.passwordFirstHelp}
          error={problem.password}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <TextField
          label={copy.repeat}
          name="repeat-password"
          type="password"
          autoComplete="new-password"
          value={repeat}
          error={mismatch && (tried || repeat !== "") ? copy.mismatch : undefined}
          onChange={(event) => setRepeat(event.target.value)}
        />
        {needsProof && settings.hasPassword && (
          <TextField
            label={copy.current}
            name="current-password"
            type="password"
            autoComplete="current-password"
            help={copy.currentHelp}
            error={problem.current}
            value={currentPassword}
            onChange={(event) => setCurrentPassword(event.target.value)}
          />
        )}
        {needsProof && <FreshLink email={settings.email} hasPassword={settings.hasPassword} />}
        <dl className={css.facts}>
          <dt>{copy.roles}</dt>
          <dd>{settings.roles.join(", ")}</dd>
        </dl>
        {problem.whole && (
          <Banner tone="danger" role="alert">
            {problem.whole}
          </Banner>
        )}
        <div>
          <Button type="submit" variant="primary" busy={save.isPending}>
            {saveLabel}
          </Button>
        </div>
      </form>
    </FormSection>
  );
}
