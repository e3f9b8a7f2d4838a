import { defineCopy } from "@lambda/contract/copy";
import { SaveState, type SaveStateProps } from "@lambda/ui/save-state";
import { useCopy } from "../../../format/i18n.ts";

const copy = defineCopy({
  en: { saving: "Saving", saved: "Saved", failed: "Not saved" },
  es: { saving: "Guardando", saved: "Guardado", failed: "No guardado" },
});

/** Says whether the last change of a part of the profile or of a note was saved. */
export function SaveStateLabel({ state }: Pick<SaveStateProps, "state">) {
  const texts = useCopy(copy);
  return <SaveState state={state}>{state !== "idle" && texts[state]}</SaveState>;
}
