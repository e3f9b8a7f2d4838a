import { Badge } from "@lambda/ui/badge";
import { classes } from "@lambda/ui/classes";
import { Icon, type IconName } from "@lambda/ui/icon";
import { Link } from "@lambda/ui/link";
import { useCopy } from "../format/i18n.ts";
import type { Session } from "../session/session.ts";
import { shellCopy } from "./copy.ts";
import css from "./places-bar.module.css";

interface Place {
  readonly key: "map" | "tiles" | "chat" | "likes" | "me";
  readonly href: string;
  readonly icon: IconName;
  /** Paths that count as being there. */
  readonly within: string;
}

/** The five places a member goes to all the time: at the thumb on a phone, a rail at the side on a desktop. */
export function PlacesBar({ session, path }: { session: Session; path: string }) {
  const copy = useCopy(shellCopy);
  const places: readonly Place[] = [
    { key: "map", href: "/search/map", icon: "map", within: "/search/map" },
    { key: "tiles", href: "/search/tile", icon: "tiles", within: "/search/tile" },
    { key: "chat", href: "/chat/personal", icon: "chat", within: "/chat/" },
    { key: "likes", href: "/likes/profilelikedyou", icon: "heart", within: "/likes/" },
    { key: "me", href: session.profileId ? `/profile/${session.profileId}` : "/profile", icon: "me", within: "" },
  ];
  const unread = session.context?.unreadMessages ?? 0;
  return (
    <nav className={css.bar} aria-label={copy.main}>
      {places.map(({ key, href, icon, within }) => {
        const here = within === "" ? path === href || path === "/profileEdit" : path.startsWith(within);
        return (
          <Link
            key={key}
            href={href}
            className={classes(css.place, here && css.here)}
            aria-current={here ? "page" : undefined}
          >
            <span className={css.icon}>
              <Icon name={key === "likes" && here ? "heart-filled" : icon} size={26} />
              {key === "chat" && unread > 0 && (
                <span className={css.badge}>
                  <Badge count={unread} label={copy.unread(unread)} />
                </span>
              )}
            </span>
            <span className={css.label}>{copy.places[key]}</span>
          </Link>
        );
      })}
    </nav>
  );
}
