import { CHARACTERISTIC_CATEGORIES } from "@lambda/contract/characteristics";
import { isolate } from "@lambda/contract/isolate";
import { textsAt } from "@lambda/contract/profile-texts";
import type { Profile } from "@lambda/contract/profiles";
import { Button } from "@lambda/ui/button";
import { Checkbox } from "@lambda/ui/checkbox";
import { Folds, FormSection } from "@lambda/ui/form-section";
import { trpc } from "../../../api/trpc.ts";
import { QueryState } from "../../../components/QueryState.tsx";
import { useFailureToast } from "../../../components/use-failure-toast.ts";
import { useTagNames } from "../../../format/tag-names.ts";
import { currentAddress } from "../../../routing/address.ts";
import { PictureEditor } from "../../pictures/editor/PictureEditor.tsx";
import { HealthEditor } from "../health/HealthEditor.tsx";
import { useSaveState } from "../notes/use-note.ts";
import { AboutFields } from "./AboutFields.tsx";
import { useEditCopy } from "./edit-copy.ts";
import css from "./edit-profile.module.css";
import { IntroductionEditor } from "./IntroductionEditor.tsx";
import { SaveStateLabel } from "./SaveStateLabel.tsx";
import { useProfileUpdate } from "./use-autosave.ts";

export default function EditProfileScreen() {
  const copy = useEditCopy();
  const { tagName } = useTagNames();
  // Always refetched, because another tab may have changed the profile.
  const mine = trpc.profiles.mine.useQuery(undefined, { staleTime: 0 });
  const profile = mine.data?.items[0];
  if (!profile) return <QueryState query={mine} failed={copy.failed} shape="profile" label={copy.loading} />;
  return (
    <div className="stack gap-6">
      <div className={`row wrap gap-3 ${css.head}`}>
        <p className={`muted ${css.intro}`}>{copy.intro}</p>
        <Button icon="eye" href={`/profile/${profile.id}`} label={copy.view} />
      </div>
      {/* A reminder to test leads to the health section. */}
      <Folds open={currentAddress().hash.slice(1)}>
        <FormSection
          title={copy.pictures}
          text={copy.picturesText}
          value={copy.pictureCounts(profile.profilePicIds.length, profile.profilePicIdsPrivate.length)}
        >
          <PictureEditor />
          <Button full icon="shield" href="/checked" label={copy.checked} />
        </FormSection>
        <FormSection title={copy.you} value={describe(profile) || copy.nothing}>
          <AboutFields profile={profile} />
        </FormSection>
        <FormSection
          title={copy.characteristics}
          text={copy.characteristicsText}
          value={profile.characteristics.map(tagName).join(", ") || copy.nothing}
        >
          <CharacteristicBoxes chosen={profile.characteristics} />
        </FormSection>
        <IntroductionEditor profile={profile} />
        <HealthEditor />
      </Folds>
    </div>
  );
}

const describe = (profile: Profile) =>
  [isolate(profile.profilename), profile.age, ...textsAt("fact").map((name) => profile[name])]
    .filter(Boolean)
    .join(" · ");

const SCOPED = { scope: { id: "characteristics" } };

/** Checkboxes by category. Each change is saved separately, so that it does not overwrite changes from another tab. */
function CharacteristicBoxes({ chosen }: { chosen: readonly string[] }) {
  const { tagName, categoryName } = useTagNames();
  const utils = trpc.useUtils();
  // The press made last must arrive last.
  const update = useProfileUpdate(SCOPED);
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
        <fieldset key={category} className={`stack ${css.category}`}>
          <legend className="muted">{categoryName(category)}</legend>
          {tags.map((name) => {
            const tag = name.toLowerCase();
            return (
              <Checkbox
                key={tag}
                label={tagName(tag)}
                checked={chosen.includes(tag)}
                onValue={(isChecked) => toggle(tag, isChecked)}
              />
            );
          })}
        </fieldset>
      ))}
      <span className={`radius-round ${css.state}`}>
        <SaveStateLabel state={state} />
      </span>
    </div>
  );
}
