import { Problem } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import type { IconName } from "@lambda/ui/icon";
import { type ReactNode, useState } from "react";
import { ConfirmSheet } from "../../../../components/ConfirmSheet.tsx";
import { isDeclined, useOwnerProof } from "../../proof/use-owner-proof.tsx";

interface ConfirmedActionProps {
  /** Icon and label of the button that opens the sheet. */
  icon: IconName;
  label: string;
  title: string;
  confirm: { readonly label: string; readonly variant: "primary" | "danger"; readonly icon?: IconName };
  busyLabel?: string;
  /** Rejects if the action failed. */
  onConfirm: () => Promise<unknown>;
  /** The message for a failed action. */
  failureText: (error: unknown) => string;
  children: ReactNode;
}

/** An action that only the account's owner may take: confirmed in a sheet and authorized by a proof of identity. */
export function ConfirmedAction(props: ConfirmedActionProps) {
  const { icon, label, title, confirm, busyLabel, onConfirm, failureText, children } = props;
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const proof = useOwnerProof();
  const act = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await proof.run(onConfirm);
      setOpen(false);
    } catch (error) {
      if (!isDeclined(error)) setFailure(failureText(error));
    }
    setBusy(false);
  };
  return (
    <>
      <div>
        <Button icon={icon} aria-haspopup="dialog" label={label} onClick={() => setOpen(true)} />
      </div>
      <ConfirmSheet
        open={open}
        onClose={() => setOpen(false)}
        title={title}
        action={
          <Button
            variant={confirm.variant}
            {...(confirm.icon && { icon: confirm.icon })}
            busy={busy}
            label={busy && busyLabel ? busyLabel : confirm.label}
            onClick={() => void act()}
          />
        }
      >
        {children}
        <Problem text={failure} />
      </ConfirmSheet>
      {proof.dialog}
    </>
  );
}
