import type { Locale } from "@lambda/contract/accounts";
import type { IconName } from "@lambda/ui/icon";
import { mayOpen, type Viewer } from "../routing/match-route.ts";
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

/** What this viewer may see, in the table's order; the entries of a group stand together where its first one is. */
export function navigationFor(viewer: Viewer, locale: Locale): (NavigationEntry | NavigationMenu)[] {
  const items: (NavigationEntry | (NavigationMenu & { entries: NavigationEntry[] }))[] = [];
  for (const { path, title, access, navigation } of ROUTES) {
    if (!navigation || !mayOpen(access, viewer) || !mayOpen(navigation.shownTo ?? "open", viewer)) continue;
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
