import { CHARACTERISTIC_CATEGORIES } from "@lambda/contract/characteristics";
import { Checkbox } from "@lambda/ui/checkbox";
import { trpc } from "../../../api/trpc.ts";
import { useFailureToast } from "../../../components/use-failure-toast.ts";
import { useTagNames } from "../../../format/tag-names.ts";
import { useSaveState } from "../notes/use-note.ts";
import css from "./edit-profile.module.css";
import { SaveStateLabel } from "./SaveStateLabel.tsx";
import { useProfileUpdate } from "./use-autosave.ts";

/** Checkboxes by category. Each change is saved separately, so that it does not overwrite changes from another tab. */
export function CharacteristicBoxes({ chosen }: { chosen: readonly string[] }) {
  const { tagName, categoryName } = useTagNames();
  const utils = trpc.useUtils();
  const update = useProfileUpdate();
  const showFailure = useFailureToast();
  const [state, setState] = useSaveState();

  const toggle = async (tag: string, on: boolean) => {
    const updateCache = (isChosen: boolean) =>
      utils.profiles.mine.setData(undefined, (data) => {
        const profile = data?.items[0];
        if (!profile) return data;
        const others = profile.characteristics.filter((other) => other !== tag);
        return { items: [{ ...profile, characteristics: isChosen ? [...others, tag] : others }] };
      });
    updateCache(on);
    setState("saving");
    try {
      await update(on ? { characteristicsAdd: [tag] } : { characteristicsRemove: [tag] });
      setState("saved");
    } catch (error) {
      updateCache(!on);
      setState("failed");
      showFailure(error);
    }
  };

  return (
    <div className="stack gap-5">
      {Object.entries(CHARACTERISTIC_CATEGORIES).map(([category, tags]) => (
        <fieldset key={category} className={css.category}>
          <legend className="muted">{categoryName(category)}</legend>
          {tags.map((name) => {
            const tag = name.toLowerCase();
            return (
              <Checkbox
                key={tag}
                label={tagName(tag)}
                checked={chosen.includes(tag)}
                onChange={(event) => toggle(tag, event.target.checked)}
              />
            );
          })}
        </fieldset>
      ))}
      <span className={css.state}>
        <SaveStateLabel state={state} />
      </span>
    </div>
  );
}
