import type { ChatPreferences } from "@lambda/contract/messages";
import { useQueryClient } from "@tanstack/react-query";
import { trpc } from "../api/trpc.ts";
import { useFailureToast } from "./use-failure-toast.ts";

const SCOPE = { id: "chat-preferences" };

/** The member's saved phrases and rules for first messages, shown as they will be once all changes are saved. */
export function useChatPreferences() {
  const showFailure = useFailureToast();
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  const { preferences: cache } = utils.messages;
  const query = trpc.messages.preferences.useQuery();
  const update = trpc.messages.updatePreferences.useMutation({
    // Each change contains a whole list, so the one made last must arrive last.
    scope: SCOPE,
    onMutate: (change) => cache.setData(undefined, (known) => known && ({ ...known, ...change } as ChatPreferences)),
    onSuccess: (saved) => {
      const isLast = queryClient.isMutating({ predicate: ({ options }) => options.scope === SCOPE }) === 1;
      if (isLast) cache.setData(undefined, saved);
    },
    onError: (error) => {
      showFailure(error);
      void cache.invalidate();
    },
  });
  /** Saves what `change` makes of the preferences, which include changes that are still being saved. */
  const save = (change: (known: ChatPreferences) => Partial<ChatPreferences>, onSaved?: () => void) => {
    const known = cache.getData();
    if (known) update.mutate(change(known), { onSuccess: () => onSaved?.() });
  };
  return { query, preferences: query.data, save, isSaving: update.isPending };
}
