import type { Locale } from "@lambda/contract/accounts";
import type { IconName } from "@lambda/ui/icon";
import { canOpen, type Viewer } from "../routing/match-route.ts";
import { type NavigationGroup, ROUTES } from "../routing/routes.ts";

export interface NavigationEntry {
  readonly href: string;
  readonly icon: IconName;
  readonly label: string;
}

export interface NavigationMenu {
  readonly group: NavigationGroup;
  readonly icon: IconName;
  readonly entries: readonly NavigationEntry[];
}

/** The navigation entries for this viewer, in the order of the routes. The entries of a group are merged at the first one's position. */
export function navigationFor(viewer: Viewer, locale: Locale): (NavigationEntry | NavigationMenu)[] {
  const items: (NavigationEntry | (NavigationMenu & { entries: NavigationEntry[] }))[] = [];
  for (const { path, title, access, navigation } of ROUTES) {
    if (!navigation || !canOpen(access, viewer) || !canOpen(navigation.shownTo ?? "open", viewer)) continue;
    const entry = { href: path, icon: navigation.icon, label: (navigation.label ?? title)[locale] };
    const { group } = navigation;
    if (!group) {
      items.push(entry);
      continue;
    }
    const menu = items.find((item) => "group" in item && item.group === group);
    if (menu && "entries" in menu) menu.entries.push(entry);
    else items.push({ group, icon: navigation.icon, entries: [entry] });
  }
  return items;
}
