import type { PictureCover } from "@lambda/contract/messages";
import { useState } from "react";
import { trpc } from "../api/trpc.ts";

/** Messages and albums whose pictures were uncovered or declined since the page was loaded. Never stored. */
const uncovered = new Set<string>();
const declined = new Set<string>();

/** Whether a member's pictures stay covered until pressed. Covers strangers' pictures while the preference is loading, and all if that failed. */
function isCovered(cover: PictureCover | undefined, isKnown: boolean): boolean {
  if (cover === "never") return false;
  return cover === "always" || !isKnown;
}

/**
 * The cover over the pictures of one message or album, by a key such as "message 5".
 *
 * @param isKnown whether the viewer has written to the sender; undefined if the pictures are never covered, as the viewer's own
 */
export function useCoveredPictures(key: string, isKnown: boolean | undefined) {
  const { data, isLoadingError } = trpc.messages.preferences.useQuery(undefined, { enabled: isKnown !== undefined });
  const [, setChanges] = useState(0);
  const change = (set: Set<string>) => () => {
    set.add(key);
    setChanges((count) => count + 1);
  };
  return {
    covered: isKnown !== undefined && !uncovered.has(key) && isCovered(data?.coverPictures, isKnown && !isLoadingError),
    declined: declined.has(key),
    uncover: change(uncovered),
    decline: change(declined),
  };
}
