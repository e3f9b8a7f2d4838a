import { PROFILE_CACHE_MS } from "@lambda/contract/limits";
import type { MouseEvent } from "react";
import { useCallback } from "react";
import { flushSync } from "react-dom";
import { goTo } from "../../lib/navigation.ts";
import { trpc } from "../../lib/trpc.ts";

/** Name that the picture has on both pages while it grows. */
export const GROWING_PICTURE = "member-picture";
/** The page is held this long at most for the profile to arrive; later it opens without the picture's growing. */
const HELD_MS = 150;

/** For a link around a picture: a press lets the picture grow into its place in the profile, where the browser can. */
export function useGrowInto(): (event: MouseEvent<HTMLAnchorElement>, profileId: number) => void {
  const utils = trpc.useUtils();
  return useCallback(
    (event, profileId) => {
      const { button, ctrlKey, metaKey, shiftKey, altKey, currentTarget } = event;
      const picture = currentTarget.firstElementChild;
      const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
      const elsewhere = button !== 0 || ctrlKey || metaKey || shiftKey || altKey;
      if (!("startViewTransition" in document) || still || elsewhere || !(picture instanceof HTMLElement)) return;
      event.preventDefault();
      const href = currentTarget.pathname + currentTarget.search + currentTarget.hash;
      const known = utils.profiles.get.prefetch({ id: profileId }, { staleTime: PROFILE_CACHE_MS });
      picture.style.viewTransitionName = GROWING_PICTURE;
      document.startViewTransition(async () => {
        await Promise.race([known, new Promise((resolve) => setTimeout(resolve, HELD_MS))]);
        picture.style.viewTransitionName = "";
        flushSync(() => goTo(href));
      });
    },
    [utils],
  );
}
