import { useToast } from "@lambda/ui/toast";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { useCopy } from "../../../format/i18n.ts";
import { dashboardCopy } from "../copy.ts";

/** What every act on a hold does when it is answered: says so, and reads the desk again. */
export function useHoldAnswers(done?: string) {
  const copy = useCopy(dashboardCopy);
  const toast = useToast();
  const utils = trpc.useUtils();
  return {
    onSuccess: () => {
      toast({ text: done ?? copy.done, tone: "success" as const });
      void utils.admin.holds.invalidate();
    },
    onError: (error: unknown) => toast({ text: errorText(error), tone: "danger" as const }),
  };
}
