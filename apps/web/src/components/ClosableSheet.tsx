import { Sheet, type SheetProps } from "@lambda/ui/sheet";
import { useWords } from "../format/words.ts";

interface ClosableSheetProps extends Omit<SheetProps, "closeLabel"> {
  /** The cross says "Cancel", since it drops what was begun. */
  cancels?: boolean;
}

export function ClosableSheet({ cancels, ...props }: ClosableSheetProps) {
  const { close, cancel } = useWords();
  return <Sheet {...props} closeLabel={cancels ? cancel : close} />;
}
