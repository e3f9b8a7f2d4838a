import { useToast } from "@lambda/ui/toast";
import { errorText } from "../api/error-text.ts";
import { trpc } from "../api/trpc.ts";

/** The member's saved phrases and rules for first messages, and the mutation that saves changes. */
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
