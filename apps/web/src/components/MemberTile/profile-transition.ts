/** The view transition from a list to a profile: shows the list's data at once while its picture expands into the profile's. */
import type { ProfileBrief } from "@lambda/contract/profiles";
import type { MouseEvent } from "react";
import { flushSync } from "react-dom";
import { queryClient } from "../../api/query-client.ts";
import { onClearLocalData } from "../../device/clear-local-data.ts";
import { goTo } from "../../routing/navigation.ts";

/** The view-transition-name of the picture on both screens. */
export const SHARED_PICTURE = "member-picture";
/** How long the old screen stays frozen at most while the profile screen's chunk loads. */
const TRANSITION_WAIT_MAX_MS = 200;

/** The history state of a profile that was opened from a list. It names nobody, because the browser may store it. */
export const FROM_LIST = { fromList: true };

let listed: readonly ProfileBrief[] = [];
onClearLocalData(() => {
  listed = [];
});

/** The list that a profile was last opened from, in its order. In memory only. */
export const listedMembers = () => listed;

interface ListedProfile {
  readonly member: ProfileBrief;
  /** The URL of the picture in the list, shown until the larger one has loaded. */
  readonly preview: string | undefined;
}

/** The key of what a list knew about a profile when it opened it. */
const listedKey = (id: number) => ["listed-profile", id];

export function memberFromList(id: number): ProfileBrief | undefined {
  return (
    queryClient.getQueryData<ListedProfile>(listedKey(id))?.member ?? listed.find(({ profileId }) => profileId === id)
  );
}

export function previewFromList(id: number): string | undefined {
  return queryClient.getQueryData<ListedProfile>(listedKey(id))?.preview;
}

/** Click handler for a link to a profile: opens it with the picture of the surrounding card, row or tile. */
export function openProfileOnClick(
  event: MouseEvent<HTMLElement>,
  member: ProfileBrief,
  list: readonly ProfileBrief[],
): void {
  const { button, ctrlKey, metaKey, shiftKey, altKey, currentTarget } = event;
  if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return;
  event.preventDefault();
  openProfile(member, list, (currentTarget.closest("article") ?? currentTarget).querySelector("[data-picture]"));
}

/**
 * @param list the members among whom the viewer turns from this profile
 * @param picture the element that expands; null if the list showed none
 */
export function openProfile(member: ProfileBrief, list: readonly ProfileBrief[], picture: HTMLElement | null): void {
  listed = list;
  const go = () => goTo(`/profile/${member.profileId}`, { state: FROM_LIST });
  const preview = picture?.querySelector("img")?.currentSrc || undefined;
  queryClient.setQueryData<ListedProfile>(listedKey(member.profileId), { member, preview });
  if (!("startViewTransition" in document)) {
    go();
    return;
  }
  // With reduced motion the screens only cross-fade, because no shared element is named.
  const prefersReducedMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (picture && !prefersReducedMotion) picture.style.viewTransitionName = SHARED_PICTURE;
  const transition = document.startViewTransition(async () => {
    if (picture) picture.style.viewTransitionName = "";
    flushSync(go);
    await waitForPicture();
  });
  // The browser may skip the transition, for example in a hidden tab; the navigation still happens.
  transition.ready.catch(() => undefined);
}

/** Resolves when the profile's picture is rendered, or after a timeout. */
function waitForPicture(): Promise<void> {
  const isRendered = () => document.querySelector(`main [style*="${SHARED_PICTURE}"]`) !== null;
  return new Promise((resolve) => {
    const done = () => {
      observer.disconnect();
      clearTimeout(timer);
      resolve();
    };
    const observer = new MutationObserver(() => isRendered() && done());
    const timer = setTimeout(done, TRANSITION_WAIT_MAX_MS);
    observer.observe(document.body, { childList: true, subtree: true });
    if (isRendered()) done();
  });
}
