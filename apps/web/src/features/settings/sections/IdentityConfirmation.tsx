import type { Settings } from "@lambda/contract/settings";
import { TextField } from "@lambda/ui/text-field";
import { useState } from "react";
import { useCopy } from "../../../format/i18n.ts";
import { settingsCopy } from "../copy.ts";
import { FreshLink } from "./FreshLink.tsx";
import css from "./settings.module.css";

/** What goes with a call that only the account's owner may make; empty where the session itself is proof. */
export interface IdentityProof {
  readonly currentPassword?: string;
}

/** The proof of identity that a form asks for: the current password, or a login link that was opened a moment ago. */
export function useIdentityConfirmation({ fresh }: Settings) {
  const [currentPassword, setCurrentPassword] = useState("");
  return {
    currentPassword,
    setCurrentPassword,
    isGiven: fresh || currentPassword !== "",
    proof: (currentPassword === "" ? {} : { currentPassword }) satisfies IdentityProof,
  };
}

interface IdentityConfirmationProps {
  settings: Settings;
  confirmation: ReturnType<typeof useIdentityConfirmation>;
  /** Why a link is needed where there is no password. */
  needsLink: string;
  name?: string | undefined;
  help?: string | undefined;
  error?: string | undefined;
}

/** Asks for nothing where the session itself is proof. */
export function IdentityConfirmation(props: IdentityConfirmationProps) {
  const { settings, confirmation, needsLink, name, help, error } = props;
  const { account: copy } = useCopy(settingsCopy);
  if (settings.fresh) return null;
  return (
    <>
      {settings.hasPassword && (
        <TextField
          label={copy.current}
          name={name}
          type="password"
          autoComplete="current-password"
          help={help}
          error={error}
          value={confirmation.currentPassword}
          onChange={(event) => confirmation.setCurrentPassword(event.target.value)}
        />
      )}
      <div className={css.stack}>
        {!settings.hasPassword && <p className={css.muted}>{needsLink}</p>}
        <FreshLink email={settings.email} />
      </div>
    </>
  );
}
