import { goTo } from "./navigation.ts";

/** Goes back, or to the tiles if the page was opened by its address. */
export function goBack(): void {
  const { navigation } = window as { navigation?: { canGoBack?: boolean } };
  if (navigation?.canGoBack ?? history.length > 1) history.back();
  else goTo("/search/tile", { replace: true });
}
