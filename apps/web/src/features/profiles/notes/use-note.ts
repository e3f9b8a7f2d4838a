import { NOTE_CACHE_MS, PROFILE_SAVED_SHOWN_MS } from "@lambda/contract/limits";
import { getQueryKey } from "@trpc/react-query";
import { useEffect, useState } from "react";
import { trpc } from "../../../api/trpc.ts";
import { useFailureToast } from "../../../components/use-failure-toast.ts";
import { useSavedWhole } from "../../../components/use-saved-whole.ts";

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

/** The viewer's note about a member, cached for an hour. `save` shows a change at once, and resolves to whether it was saved. */
export function useNote(aboutProfileId: number) {
  const utils = trpc.useUtils();
  const showFailure = useFailureToast();
  const [state, setState] = useSaveState();
  const key = { aboutProfileId };
  const query = trpc.notes.get.useQuery(key, { staleTime: NOTE_CACHE_MS });
  const { mutateAsync } = trpc.notes.put.useMutation();
  const [note, saveWhole] = useSavedWhole(getQueryKey(trpc.notes.get, key, "query"), query.data);
  const save = async (change: { bodyText?: string; privateTags?: string[] }): Promise<boolean> => {
    setState("saving");
    try {
      const isLast = await saveWhole(
        (known) => ({ ...known, ...change }),
        () => mutateAsync({ aboutProfileId, ...change }),
      );
      if (isLast) setState("saved");
      void utils.notes.list.invalidate();
      void utils.notes.tags.invalidate();
      // A search of the starred is read anew on return, and stays as it is while it is on screen.
      if (change.privateTags) void utils.positions.nearest.invalidate({ starred: true }, { refetchType: "none" });
      return true;
    } catch (error) {
      setState("failed");
      showFailure(error);
      return false;
    }
  };
  return { note, query, state, save };
}
