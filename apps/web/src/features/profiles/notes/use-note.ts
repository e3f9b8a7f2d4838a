import { NOTE_CACHE_MS, PROFILE_SAVED_SHOWN_MS } from "@lambda/contract/limits";
import { useCallback, useEffect, useState } from "react";
import { trpc } from "../../../api/trpc.ts";
import { useFailureToast } from "../../../components/use-failure-toast.ts";

export type SaveState = "idle" | "saving" | "saved" | "failed";

/** A save state that returns from "saved" to "idle" after a second. */
export function useSaveState(): readonly [SaveState, (state: SaveState) => void] {
  const [state, setState] = useState<SaveState>("idle");
  useEffect(() => {
    if (state !== "saved") return;
    const timer = setTimeout(() => setState("idle"), PROFILE_SAVED_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  return [state, setState];
}

/**
 * The viewer's note about a member, cached for an hour. `save` updates it optimistically, rolls back on failure, and resolves to whether
 * it was saved.
 */
export function useNote(aboutProfileId: number) {
  const utils = trpc.useUtils();
  const showFailure = useFailureToast();
  const [state, setState] = useSaveState();
  const note = trpc.notes.get.useQuery({ aboutProfileId }, { staleTime: NOTE_CACHE_MS });
  // Each change of tags contains all of them, so the one made last must arrive last.
  const { mutateAsync } = trpc.notes.put.useMutation({ scope: { id: `note ${aboutProfileId}` } });
  const save = useCallback(
    async (change: { bodyText?: string; privateTags?: string[] }): Promise<boolean> => {
      const key = { aboutProfileId };
      const previous = utils.notes.get.getData(key);
      if (previous) utils.notes.get.setData(key, { ...previous, ...change });
      setState("saving");
      try {
        utils.notes.get.setData(key, await mutateAsync({ aboutProfileId, ...change }));
        setState("saved");
        void utils.notes.list.invalidate();
        void utils.notes.tags.invalidate();
        return true;
      } catch (error) {
        if (previous) utils.notes.get.setData(key, previous);
        setState("failed");
        showFailure(error);
        return false;
      }
    },
    [aboutProfileId, utils, mutateAsync, setState, showFailure],
  );
  return { note: note.data, query: note, state, save };
}
