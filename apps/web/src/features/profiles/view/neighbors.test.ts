import type { ProfileBrief } from "@lambda/contract/profiles";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openProfile } from "../../../components/MemberTile/profile-transition.ts";
import { clearMemberData } from "../../../device/clear-local-data.ts";
import { goTo } from "../../../routing/navigation.ts";
import { findNeighbors } from "./neighbors.ts";

const list = [1, 2, 3].map((profileId) => ({ profileId }) as ProfileBrief);
const open = (members: readonly ProfileBrief[]) => openProfile({ profileId: 2 } as ProfileBrief, members, null);

beforeEach(() => {
  const history = {
    state: null,
    pushState(state: null) {
      this.state = state;
    },
  };
  vi.stubGlobal("history", history);
  vi.stubGlobal("document", { cookie: "" });
  vi.stubGlobal("location", { protocol: "https:" });
  vi.stubGlobal("localStorage", {});
  vi.stubGlobal("sessionStorage", {});
  vi.stubGlobal("navigator", {});
  vi.stubGlobal("indexedDB", { open: () => ({}) });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it("the neighbors are those of the list that the profile was opened from last", () => {
  open(list);
  expect(findNeighbors(2)).toEqual({ previous: 1, next: 3 });
  open(list.toReversed());
  expect(findNeighbors(2)).toEqual({ previous: 3, next: 1 });
  expect(findNeighbors(9)).toEqual({ previous: undefined, next: undefined });
});

it("a profile that was opened from a conversation has none, and nobody has one after the session", () => {
  open(list);
  goTo("/profile/2");
  expect(findNeighbors(2)).toEqual({ previous: undefined, next: undefined });
  open(list);
  void clearMemberData();
  expect(findNeighbors(2)).toEqual({ previous: undefined, next: undefined });
});
