import { ErrorState } from "@lambda/ui/error-state";
import { defineCopyHook } from "../format/i18n.ts";
import { useShellCopy } from "./copy.ts";

const useBrokenCopy = defineCopyHook({
  en: {
    title: "This page crashed",
    text: "It's our fault, not yours. Try again; if it keeps happening, tell us on the support page.",
  },
  es: {
    title: "Esta página se cayó",
    text: "Es culpa nuestra, no tuya. Inténtalo otra vez; si sigue pasando, cuéntanos en la página de ayuda.",
  },
});

export default function BrokenScreen({ onRetry }: { onRetry: () => void }) {
  const { retry } = useShellCopy();
  return <ErrorState {...useBrokenCopy()} retryLabel={retry} onRetry={onRetry} />;
}
