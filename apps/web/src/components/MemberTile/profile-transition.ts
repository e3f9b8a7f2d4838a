/** The transition from a list to a profile: what the list knows is shown at once, and the picture grows into its place. */
import type { Profile, ProfileBrief } from "@lambda/contract/profiles";
import type { MouseEvent } from "react";
import { flushSync } from "react-dom";
import { queryClient } from "../../api/query-client.ts";
import { goTo } from "../../routing/navigation.ts";

/** Name of the picture on both pages while it grows. */
export const SHARED_PICTURE = "member-picture";
/** The page is held this long at most for the profile's screen, whose chunk may still be on its way. */
const HELD_MS = 200;

interface ListedProfile {
  readonly member: ProfileBrief;
  /** Address of the picture as the list drew it: it stands in until the larger one is there. */
  readonly preview: string | undefined;
}

const keyOf = (id: number) => ["listed-profile", id];

/** A profile as far as the list that led to it knew it; its text and its private album are missing. */
export function profileFromList(id: number): Profile | undefined {
  const member = queryClient.getQueryData<ListedProfile>(keyOf(id))?.member;
  return (
    member && {
      id,
      profilename: member.profileName,
      birthdate: null,
      age: member.profileAge,
      height: member.profileHeight,
      weight: member.profileWeight,
      description: "",
      characteristics: member.profileChars,
      profilePicIds: member.profilePicIds,
      profilePicIdsPrivate: [],
      voice: null,
      roles: [],
      tsUpdated: member.tsUpdated,
    }
  );
}

export function previewFromList(id: number): string | undefined {
  return queryClient.getQueryData<ListedProfile>(keyOf(id))?.preview;
}

/** For a link to a profile: a press opens it with the picture of the card, the row or the tile that holds the link. */
export function openProfileOnClick(event: MouseEvent<HTMLElement>, member: ProfileBrief): void {
  const { button, ctrlKey, metaKey, shiftKey, altKey, currentTarget } = event;
  if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return;
  event.preventDefault();
  openProfile(member, (currentTarget.closest("article") ?? currentTarget).querySelector("[data-picture]"));
}

/** @param picture what grows; null where the list showed none */
export function openProfile(member: ProfileBrief, picture: HTMLElement | null): void {
  const go = () => goTo(`/profile/${member.profileId}`);
  const preview = picture?.querySelector("img")?.currentSrc || undefined;
  queryClient.setQueryData<ListedProfile>(keyOf(member.profileId), { member, preview });
  if (!("startViewTransition" in document)) {
    go();
    return;
  }
  // A member who wants less motion gets a fade: no element of both pages is named.
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (picture && !still) picture.style.viewTransitionName = SHARED_PICTURE;
  const transition = document.startViewTransition(async () => {
    if (picture) picture.style.viewTransitionName = "";
    flushSync(go);
    await arrival();
  });
  // The browser may skip it, as in a tab that nobody looks at; the page changes all the same.
  transition.ready.catch(() => undefined);
}

/** Resolves when the profile's picture stands in the page, or when it takes too long. */
function arrival(): Promise<void> {
  const here = () => document.querySelector(`main [style*="${SHARED_PICTURE}"]`) !== null;
  return new Promise((resolve) => {
    const done = () => {
      observer.disconnect();
      clearTimeout(timer);
      resolve();
    };
    const observer = new MutationObserver(() => here() && done());
    const timer = setTimeout(done, HELD_MS);
    observer.observe(document.body, { childList: true, subtree: true });
    if (here()) done();
  });
}
