import type { Settings } from "@lambda/contract/settings";
import { useReporting } from "../../places/positions/reporter.ts";
import { usePagesCopy } from "./pages-copy.ts";

export function useVisibilityValue(settings: Settings): string {
  const copy = usePagesCopy();
  const { hidden, pendingHide } = useReporting();
  if (pendingHide ?? hidden) return copy.nobody;
  return settings.discreet ? copy.chosen : copy.everybody;
}
