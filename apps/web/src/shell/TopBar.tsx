import { NOTIFICATIONS_COUNTED_MAX } from "@lambda/contract/limits";
import { BrandMark } from "@lambda/ui/brand-mark";
import { IconButton } from "@lambda/ui/icon-button";
import { Link } from "@lambda/ui/link";
import { useHeaderError } from "../api/header-error.ts";
import { useBrand } from "../format/site.ts";
import type { AppRoute } from "../routing/routes.ts";
import type { Session } from "../session/session.ts";
import { useShellCopy } from "./copy.ts";
import css from "./top-bar.module.css";

interface TopBarProps {
  title: string;
  session: Session;
  route: AppRoute;
  navigationOpen: boolean;
  navigationId: string;
}

/** Navigation toggle, home link and title. An application-wide error replaces the title. */
export function TopBar({
  title,
  session,
  route: { isStep, isTab, isNamed },
  navigationOpen,
  navigationId,
}: TopBarProps) {
  const brand = useBrand();
  const copy = useShellCopy();
  const error = useHeaderError();
  const Title = isNamed ? "p" : "h1";
  const waiting = session.context?.notifications ?? 0;
  return (
    <header className={`row gap-1 ${css.bar}`}>
      {!isStep && (
        <button
          type="button"
          className={`center flex-none circle film ${css.round} ${css.toggle}`}
          aria-label={navigationOpen ? copy.closeNavigation : copy.openNavigation}
          data-open={navigationOpen || undefined}
          popoverTarget={navigationId}
        >
          <span className={css.lines} aria-hidden="true" />
        </button>
      )}
      <Link href="/" className={`center flex-none circle film ${css.round}`} aria-label={copy.home}>
        <BrandMark path={brand.mark} size={30} />
      </Link>
      <Title
        className={`grow min-0 clip break-anywhere ${css.title}`}
        dir="auto"
        data-error={error ? true : undefined}
        data-tab={isTab}
        aria-live={error ? "assertive" : undefined}
      >
        {error ?? title}
      </Title>
      {isTab && <span className={`muted bold font-display ${css.brand} ${css.name}`}>{brand.name}</span>}
      {session.loggedIn && !isStep ? (
        <IconButton
          icon="bell"
          label={copy.places.notifications}
          href="/notifications"
          badge={waiting}
          badgeMax={NOTIFICATIONS_COUNTED_MAX}
          badgeLabel={copy.waiting(waiting)}
        />
      ) : (
        <span className={`muted bold font-display ${css.brand}`}>{brand.name}</span>
      )}
    </header>
  );
}
