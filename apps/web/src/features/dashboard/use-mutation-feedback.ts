import { useToast } from "@lambda/ui/toast";
import { useFailureToast } from "../../components/use-failure-toast.ts";
import { useCopy } from "../../format/i18n.ts";
import { dashboardCopy } from "./copy.ts";

/** Callbacks for a staff mutation: a toast for success or failure, and `refetch` after success. */
export function useMutationFeedback(refetch: () => unknown, doneText?: string) {
  const copy = useCopy(dashboardCopy);
  const toast = useToast();
  const showFailure = useFailureToast();
  return {
    onSuccess: () => {
      toast({ text: doneText ?? copy.done, tone: "success" as const });
      void refetch();
    },
    onError: showFailure,
  };
}
