import type { Locale } from "@lambda/contract/accounts";
import type { NavigationGroup } from "@lambda/contract/pages";
import { Badge } from "@lambda/ui/badge";
import { classes } from "@lambda/ui/classes";
import { Icon, type IconName } from "@lambda/ui/icon";
import { Link } from "@lambda/ui/link";
import { useState } from "react";
import { useLocale } from "../format/i18n.ts";
import { canOpen, type Viewer } from "../routing/match-route.ts";
import { ROUTES } from "../routing/routes.ts";
import type { Session } from "../session/session.ts";
import { useShellCopy } from "./copy.ts";
import css from "./side-navigation.module.css";

interface SideNavigationProps {
  session: Session;
  path: string;
  onNavigate: () => void;
}

/** All pages that the viewer may open; chat, likes and notifications are submenus. */
export function SideNavigation({ session, path, onNavigate }: SideNavigationProps) {
  const copy = useShellCopy();
  const [locale] = useLocale();
  const unread: Partial<Record<NavigationGroup, [number, string]>> = {
    chat: [session.context?.unreadMessages ?? 0, copy.unread(session.context?.unreadMessages ?? 0)],
    notifications: [session.context?.notifications ?? 0, copy.waiting(session.context?.notifications ?? 0)],
  };
  return (
    <nav className={css.navigation} aria-label={copy.navigation}>
      <ul className="plain-list">
        {navigationFor(session, locale).map((item) =>
          "group" in item ? (
            <Group key={item.group} menu={item} path={path} unread={unread[item.group]} onNavigate={onNavigate} />
          ) : (
            <Entry key={item.href} entry={item} path={path} onNavigate={onNavigate} />
          ),
        )}
      </ul>
    </nav>
  );
}

const ENTRY = `undecorated film ${css.entry}`;

interface GroupProps {
  menu: NavigationMenu;
  path: string;
  unread: [number, string] | undefined;
  onNavigate: () => void;
}

function Group({ menu, path, unread, onNavigate }: GroupProps) {
  const { places } = useShellCopy();
  const [open, setOpen] = useState(menu.entries.some((entry) => entry.href === path));
  const id = `navigation-${menu.group}`;
  return (
    <li>
      <button type="button" className={ENTRY} aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        <Icon name={menu.icon} />
        <span className="grow min-0">{places[menu.group]}</span>
        {!!unread?.[0] && <Badge count={unread[0]} label={unread[1]} />}
        <Icon name={open ? "chevron-up" : "chevron-down"} size={20} className="muted" />
      </button>
      <ul id={id} className={`plain-list ${css.sub}`} hidden={!open}>
        {menu.entries.map((entry) => (
          <Entry key={entry.href} entry={entry} path={path} onNavigate={onNavigate} />
        ))}
      </ul>
    </li>
  );
}

function Entry({ entry, path, onNavigate }: { entry: NavigationEntry; path: string; onNavigate: () => void }) {
  const current = entry.href === path;
  return (
    <li>
      <Link
        href={entry.href}
        className={classes(ENTRY, current && "tint accent")}
        aria-current={current ? "page" : undefined}
        onClick={onNavigate}
      >
        <Icon name={entry.icon} />
        <span className="grow min-0">{entry.label}</span>
      </Link>
    </li>
  );
}

interface NavigationEntry {
  readonly href: string;
  readonly icon: IconName;
  readonly label: string;
}

interface NavigationMenu {
  readonly group: NavigationGroup;
  readonly icon: IconName;
  readonly entries: readonly NavigationEntry[];
}

/** The navigation entries for this viewer, in the order of the routes. The entries of a group are merged at the first one's position. */
function navigationFor(viewer: Viewer, locale: Locale): (NavigationEntry | NavigationMenu)[] {
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
