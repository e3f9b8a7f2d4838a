import type { Settings } from "@lambda/contract/settings";
import { useCopy } from "../../format/i18n.ts";
import { useReporting } from "../position/reporter.ts";
import { pagesCopy } from "./pages-copy.ts";

export function useVisibilityValue(settings: Settings): string {
  const copy = useCopy(pagesCopy);
  const { hidden, pendingHide } = useReporting();
  if (pendingHide ?? hidden) return copy.nobody;
  return settings.discreet ? copy.chosen : copy.everybody;
}
