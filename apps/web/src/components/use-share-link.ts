import { useToast } from "@lambda/ui/toast";
import { PROMPT_WAIT_MS, withDeadline } from "../device/with-deadline.ts";

/**
 * Opens the system's share sheet for a link, or copies the link, and says in a toast how it went.
 *
 * @param copied shown after copying
 * @param byHand shown if the browser refuses, for the member to copy the link by hand
 */
export function useShareLink({ copied, byHand }: { copied: string; byHand: string }) {
  const toast = useToast();
  const onError = (error: unknown) => {
    // Closing the system's share sheet is not an error.
    if ((error as Error).name !== "AbortError") toast({ text: byHand, tone: "info" });
  };
  return {
    canShare: "share" in navigator,
    share: async (data: ShareData) => navigator.share(data).catch(onError),
    copy: async (url: string) => {
      try {
        await withDeadline(PROMPT_WAIT_MS, () => navigator.clipboard.writeText(url));
        toast({ text: copied, tone: "success" });
      } catch (error) {
        onError(error);
      }
    },
  };
}
