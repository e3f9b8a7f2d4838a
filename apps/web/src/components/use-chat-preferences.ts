import type { ChatPreferences } from "@lambda/contract/messages";
import { getQueryKey } from "@trpc/react-query";
import { trpc } from "../api/trpc.ts";
import { useFailureToast } from "./use-failure-toast.ts";
import { useSavedWhole } from "./use-saved-whole.ts";

/** The member's saved phrases and rules for first messages, shown as they will be once all changes are saved. */
export function useChatPreferences() {
  const showFailure = useFailureToast();
  const query = trpc.messages.preferences.useQuery();
  const { mutateAsync } = trpc.messages.updatePreferences.useMutation();
  const key = getQueryKey(trpc.messages.preferences, undefined, "query");
  const [preferences, saveWhole, isSaving] = useSavedWhole<ChatPreferences>(key, query.data);
  /** Saves what `change` makes of the preferences. */
  const save = (change: (known: ChatPreferences) => Partial<ChatPreferences>, onSaved?: () => void) =>
    void saveWhole(
      (known) => ({ ...known, ...change(known) }),
      (known) => mutateAsync(change(known)),
    ).then(onSaved, showFailure);
  return { query, preferences, save, isSaving };
}
