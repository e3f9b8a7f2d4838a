import { STAR_TAG } from "@lambda/contract/notes";
import type { MenuItem } from "@lambda/ui/menu";
import { useToast } from "@lambda/ui/toast";
import { useProfileCopy } from "../copy.ts";
import { useNote } from "./use-note.ts";

/** The menu's entry by which the viewer stars a member or takes the star back; it needs the note, which may still be loading. */
export function useStar(aboutProfileId: number): MenuItem {
  const copy = useProfileCopy();
  const { note, save } = useNote(aboutProfileId);
  const toast = useToast();
  const tags = note?.privateTags ?? [];
  const isStarred = tags.includes(STAR_TAG);
  return {
    icon: "star",
    label: isStarred ? copy.unstar : copy.star,
    disabled: note === undefined,
    onSelect: () => {
      const privateTags = isStarred ? tags.filter((tag) => tag !== STAR_TAG) : [STAR_TAG, ...tags];
      void save({ privateTags }).then(
        (isSaved) => isSaved && toast({ text: isStarred ? copy.unstarred : copy.starred }),
      );
    },
  };
}
