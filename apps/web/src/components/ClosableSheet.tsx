import { Sheet, type SheetProps } from "@lambda/ui/sheet";
import { useCopy } from "../format/i18n.ts";
import { words } from "../format/words.ts";

/** A sheet whose cross says "Close". */
export function ClosableSheet(props: Omit<SheetProps, "closeLabel">) {
  return <Sheet {...props} closeLabel={useCopy(words).close} />;
}
