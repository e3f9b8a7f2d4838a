import { Badge } from "@lambda/ui/badge";
import { classes } from "@lambda/ui/classes";
import { Icon, type IconName } from "@lambda/ui/icon";
import { Link } from "@lambda/ui/link";
import type { Session } from "../session/session.ts";
import { useShellCopy } from "./copy.ts";
import css from "./tab-bar.module.css";

interface Tab {
  readonly key: "map" | "tiles" | "chat" | "likes" | "me";
  readonly href: string;
  readonly icon: IconName;
  /** Where the tab is current, by default on its own path. One that ends in a slash stands for all paths below. */
  readonly places?: readonly string[];
}

/** The member's five main destinations: a bar at the bottom on a phone, a rail at the side on a desktop. */
export function TabBar({ session, path }: { session: Session; path: string }) {
  const copy = useShellCopy();
  const own = session.profileId ? `/profile/${session.profileId}` : "/profile";
  const tabs: readonly Tab[] = [
    { key: "map", href: "/search/map", icon: "map" },
    {
      key: "tiles",
      href: "/search/tile",
      icon: "tiles",
      places: ["/search/tile", "/search/swype", "/search/profile"],
    },
    { key: "chat", href: "/chat/personal", icon: "chat", places: ["/chat/"] },
    { key: "likes", href: "/likes/profilelikedyou", icon: "heart", places: ["/likes/"] },
    { key: "me", href: own, icon: "me", places: [own, "/profileEdit"] },
  ];
  const unread = session.context?.unreadMessages ?? 0;
  return (
    <nav className={`flex ruled ${css.bar}`} aria-label={copy.main}>
      {tabs.map(({ key, href, icon, places = [href] }) => {
        const isCurrent = places.some((place) => path === place || (place.endsWith("/") && path.startsWith(place)));
        return (
          <Link
            key={key}
            href={href}
            className={classes("column", css.tab, isCurrent && css.current)}
            aria-current={isCurrent ? "page" : undefined}
          >
            <span className="relative">
              <Icon name={key === "likes" && isCurrent ? "heart-filled" : icon} size={26} />
              {key === "chat" && unread > 0 && (
                <span className={css.badge}>
                  <Badge count={unread} label={copy.unread(unread)} />
                </span>
              )}
            </span>
            <span>{copy.places[key]}</span>
          </Link>
        );
      })}
    </nav>
  );
}
