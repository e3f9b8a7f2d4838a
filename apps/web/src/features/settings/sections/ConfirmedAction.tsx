import type { Settings } from "@lambda/contract/settings";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import type { IconName } from "@lambda/ui/icon";
import { type ReactNode, useState } from "react";
import { ConfirmSheet } from "./ConfirmSheet.tsx";
import { IdentityConfirmation, type IdentityProof, useIdentityConfirmation } from "./IdentityConfirmation.tsx";

interface ConfirmedActionProps {
  settings: Settings;
  /** The button that opens the sheet. */
  icon: IconName;
  label: string;
  title: string;
  confirm: { readonly label: string; readonly variant: "primary" | "danger"; readonly icon?: IconName };
  busy: boolean;
  /** Answers whether it is done, so that the sheet can close. */
  onConfirm: (proof: IdentityProof) => Promise<boolean>;
  /** Why a link is needed where there is no password. */
  needsLink: string;
  /** What is wrong with the password. */
  error?: string | undefined;
  /** Why nothing was done. */
  failure?: string | undefined;
  children: ReactNode;
}

/** Something that only the account's owner may do: asked for in a sheet, and done with a proof of identity. */
export function ConfirmedAction(props: ConfirmedActionProps) {
  const { settings, icon, label, title, confirm, busy, onConfirm, needsLink, error, failure, children } = props;
  const [open, setOpen] = useState(false);
  const confirmation = useIdentityConfirmation(settings);
  const act = async () => {
    if (!(await onConfirm(confirmation.proof))) return;
    confirmation.setCurrentPassword("");
    setOpen(false);
  };
  return (
    <>
      <div>
        <Button icon={icon} onClick={() => setOpen(true)}>
          {label}
        </Button>
      </div>
      <ConfirmSheet
        open={open}
        onClose={() => setOpen(false)}
        title={title}
        action={
          <Button
            variant={confirm.variant}
            {...(confirm.icon && { icon: confirm.icon })}
            disabled={!confirmation.isGiven}
            busy={busy}
            onClick={() => void act()}
          >
            {confirm.label}
          </Button>
        }
      >
        {children}
        <IdentityConfirmation settings={settings} confirmation={confirmation} needsLink={needsLink} error={error} />
        {failure && (
          <Banner tone="danger" role="alert">
            {failure}
          </Banner>
        )}
      </ConfirmSheet>
    </>
  );
}
