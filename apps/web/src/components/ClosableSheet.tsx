import { Sheet, type SheetProps } from "@lambda/ui/sheet";
import { useWords } from "../format/words.ts";

/** A sheet whose cross says "Close". */
export function ClosableSheet(props: Omit<SheetProps, "closeLabel">) {
  return <Sheet {...props} closeLabel={useWords().close} />;
}
