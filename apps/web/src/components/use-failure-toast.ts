import { useToast } from "@lambda/ui/toast";
import { useCallback } from "react";
import { errorText } from "../api/error-text.ts";

/** Says why an action failed, the same way on every screen. For `onError` and for a caught error. */
export function useFailureToast(): (error: unknown) => void {
  const toast = useToast();
  return useCallback((error) => toast({ text: errorText(error), tone: "danger" }), [toast]);
}
