import { Button } from "@lambda/ui/button";
import type { SheetProps } from "@lambda/ui/sheet";
import type { ReactNode } from "react";
import { useWords } from "../format/words.ts";
import { ClosableSheet } from "./ClosableSheet.tsx";

interface ConfirmSheetProps extends Pick<SheetProps, "open" | "onClose" | "title" | "children"> {
  action: ReactNode;
}

/** Asks before an action of the account's owner, or for a name. */
export function ConfirmSheet({ action, children, ...sheet }: ConfirmSheetProps) {
  return (
    <ClosableSheet
      {...sheet}
      footer={
        <div className="row wrap gap-3">
          <Button label={useWords().cancel} onClick={sheet.onClose} />
          {action}
        </div>
      }
    >
      <div className="stack gap-3">{children}</div>
    </ClosableSheet>
  );
}
