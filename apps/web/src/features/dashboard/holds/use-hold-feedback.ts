import { trpc } from "../../../api/trpc.ts";
import { useMutationFeedback } from "../use-mutation-feedback.ts";

export function useHoldFeedback(doneText?: string) {
  const utils = trpc.useUtils();
  return useMutationFeedback(() => utils.admin.holds.invalidate(), doneText);
}
