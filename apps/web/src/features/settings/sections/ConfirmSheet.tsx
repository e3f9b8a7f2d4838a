import { Button } from "@lambda/ui/button";
import type { ReactNode } from "react";
import { ClosableSheet } from "../../../components/ClosableSheet.tsx";
import { useSettingsCopy } from "../copy.ts";

interface ConfirmSheetProps {
  open: boolean;
  onClose: () => void;
  title: string;
  action: ReactNode;
  children: ReactNode;
}

/** A confirmation dialog for actions that only the account's owner may take. */
export function ConfirmSheet({ open, onClose, title, action, children }: ConfirmSheetProps) {
  const { cancel } = useSettingsCopy();
  return (
    <ClosableSheet
      open={open}
      onClose={onClose}
      title={title}
      footer={
        <div className="row wrap gap-3">
          <Button label={cancel} onClick={onClose} />
          {action}
        </div>
      }
    >
      <div className="stack gap-3">{children}</div>
    </ClosableSheet>
  );
}
