import { ErrorState } from "@lambda/ui/error-state";
import { useCopy } from "../format/i18n.ts";
import { shellCopy } from "./copy.ts";

export default function BrokenScreen({ onRetry }: { onRetry: () => void }) {
  const { broken } = useCopy(shellCopy);
  return <ErrorState title={broken.title} text={broken.text} retryLabel={broken.retry} onRetry={onRetry} />;
}
