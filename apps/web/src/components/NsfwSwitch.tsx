import { Switch } from "@lambda/ui/switch";
import { useNsfw } from "../device/nsfw.ts";
import { defineCopyHook } from "../format/i18n.ts";
import { AgeNotice } from "./AgeNotice.tsx";

const useNsfwCopy = defineCopyHook({
  en: { label: "Show NSFW pictures", showing: "Showing NSFW", hiding: "Hiding NSFW", here: "on this device only" },
  es: {
    label: "Mostrar fotos NSFW",
    showing: "Mostrando NSFW",
    hiding: "Ocultando NSFW",
    here: "solo en este dispositivo",
  },
});

export function useNsfwState(): string {
  const copy = useNsfwCopy();
  const [nsfw] = useNsfw();
  return nsfw ? copy.showing : copy.hiding;
}

/** Whether this device shows NSFW pictures; replaced where the member's age must be proved first. */
export function NsfwSwitch() {
  const copy = useNsfwCopy();
  const [nsfw, setNsfw] = useNsfw();
  return (
    <AgeNotice>
      <Switch label={copy.label} help={`${useNsfwState()}, ${copy.here}`} checked={nsfw} onChange={setNsfw} />
    </AgeNotice>
  );
}
