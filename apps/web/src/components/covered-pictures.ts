import type { PictureCover } from "@lambda/contract/messages";
import { useState } from "react";
import { trpc } from "../api/trpc.ts";

/** Messages and albums whose pictures were uncovered or declined since the page was loaded: kept in memory alone. */
const uncovered = new Set<string>();
const declined = new Set<string>();

/** Whether pictures of somebody stay covered until they are pressed. Before the preference has come, nothing of a stranger is shown. */
function isCovered(cover: PictureCover | undefined, isKnown: boolean): boolean {
  if (cover === "never") return false;
  return cover === "always" || !isKnown;
}

export interface CoveredPictures {
  readonly covered: boolean;
  readonly declined: boolean;
  readonly uncover: () => void;
  readonly decline: () => void;
}

/** The cover over what one key names, e.g. "message 5". Own pictures and those of no message have none: pass `isKnown` as undefined. */
export function useCoveredPictures(key: string, isKnown: boolean | undefined): CoveredPictures {
  const { data } = trpc.messages.preferences.useQuery(undefined, { enabled: isKnown !== undefined });
  const [, setChanges] = useState(0);
  const change = (set: Set<string>) => () => {
    set.add(key);
    setChanges((count) => count + 1);
  };
  return {
    covered: isKnown !== undefined && !uncovered.has(key) && isCovered(data?.coverPictures, isKnown),
    declined: declined.has(key),
    uncover: change(uncovered),
    decline: change(declined),
  };
}
