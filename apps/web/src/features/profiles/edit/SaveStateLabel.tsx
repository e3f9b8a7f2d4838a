import { SaveState, type SaveStateProps } from "@lambda/ui/save-state";
import { defineCopyHook } from "../../../format/i18n.ts";

const useSaveStateCopy = defineCopyHook({
  en: { saving: "Saving", saved: "Saved", failed: "Not saved" },
  es: { saving: "Guardando", saved: "Guardado", failed: "No guardado" },
});

/** Says whether the last change of a part of the profile or of a note was saved. */
export function SaveStateLabel({ state }: Pick<SaveStateProps, "state">) {
  const texts = useSaveStateCopy();
  return <SaveState state={state}>{state !== "idle" && texts[state]}</SaveState>;
}
