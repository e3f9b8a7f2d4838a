import { Button } from "@lambda/ui/button";
import { Sheet } from "@lambda/ui/sheet";
import type { ReactNode } from "react";
import { useCopy } from "../../../format/i18n.ts";
import { settingsCopy } from "../copy.ts";

interface ConfirmSheetProps {
  open: boolean;
  onClose: () => void;
  title: string;
  action: ReactNode;
  children: ReactNode;
}

/** A confirmation dialog for actions that only the account's owner may take. */
export function ConfirmSheet({ open, onClose, title, action, children }: ConfirmSheetProps) {
  const { close, cancel } = useCopy(settingsCopy);
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={title}
      closeLabel={close}
      footer={
        <div className="row wrap gap-3">
          <Button onClick={onClose}>{cancel}</Button>
          {action}
        </div>
      }
    >
      <div className="stack gap-3">{children}</div>
    </Sheet>
  );
}
