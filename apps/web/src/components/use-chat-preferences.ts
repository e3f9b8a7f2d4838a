import { useToast } from "@lambda/ui/toast";
import { errorText } from "../api/error-text.ts";
import { trpc } from "../api/trpc.ts";

/** Saved phrases and the wishes for a first contact, with the call that saves a change of them at once. */
export function useChatPreferences() {
  const toast = useToast();
  const utils = trpc.useUtils();
  const { data } = trpc.messages.preferences.useQuery();
  const save = trpc.messages.updatePreferences.useMutation({
    onSuccess: (preferences) => utils.messages.preferences.setData(undefined, preferences),
    onError: (error) => toast({ text: errorText(error), tone: "danger" }),
  });
  return { preferences: data, save };
}
