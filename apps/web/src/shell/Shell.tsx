import { NAVIGATION_CLOSE_MS } from "@lambda/contract/limits";
import { classes } from "@lambda/ui/classes";
import { SkipLink } from "@lambda/ui/skip-link";
import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { useLocale } from "../format/i18n.ts";
import { useBrand } from "../format/site.ts";
import { isAddressHidden } from "../routing/address.ts";
import { lazyPart } from "../routing/lazy-part.tsx";
import { useTitleOverride } from "../routing/page-title.ts";
import type { AppRoute } from "../routing/routes.ts";
import { useSession } from "../session/session.ts";
import { useShellCopy } from "./copy.ts";
import { DevelopmentBanner, Notices } from "./Notices.tsx";
import { ScreenBoundary } from "./ScreenBoundary.tsx";
import { SideNavigation } from "./SideNavigation.tsx";
import { restoreScroll } from "./scroll-memory.ts";
import css from "./shell.module.css";
import { TabBar } from "./TabBar.tsx";
import { TopBar } from "./TopBar.tsx";

const MemberServices = lazyPart(() => import("./MemberServices.tsx"));

const MAIN = "main";
const NAVIGATION = "navigation";

/** The layout around every screen: top bar, navigation, notices and background services. */
export function Shell({ route, path, children }: { route: AppRoute; path: string; children: ReactNode }) {
  const brand = useBrand();
  const copy = useShellCopy();
  const [locale] = useLocale();
  const session = useSession();
  const title = useTitleOverride() ?? route.title[locale];
  const main = useRef<HTMLElement>(null);
  const drawer = useRef<HTMLDivElement>(null);
  const navigation = useNavigationDrawer(drawer);
  const { close } = navigation;

  useEffect(() => {
    // The browser keeps a title with each address.
    document.title = path === "/" || isAddressHidden() ? brand.name : `${title} · ${brand.name}`;
  }, [title, path, brand]);

  // Moves the focus to the content after a navigation, but not on the first page.
  const lastPath = useRef(path);
  useEffect(() => {
    if (lastPath.current === path) return;
    lastPath.current = path;
    close();
    main.current?.focus({ preventScroll: true });
    return restoreScroll();
  }, [path, close]);

  return (
    <div className={classes(css.shell, route.isStep ? css.step : session.loggedIn && css.member)}>
      <SkipLink target={MAIN}>{copy.skip}</SkipLink>
      <TopBar
        title={title}
        session={session}
        route={route}
        navigationOpen={navigation.open}
        navigationId={NAVIGATION}
      />
      {/* A popover opens even before the script has loaded. */}
      <div
        ref={drawer}
        id={NAVIGATION}
        popover="auto"
        className={css.drawer}
        onBeforeToggle={(event) => navigation.setOpen(event.newState === "open")}
      >
        {(navigation.open || !session.loggedIn) && (
          <SideNavigation session={session} path={path} onNavigate={navigation.close} />
        )}
      </div>
      {session.loggedIn && (
        <>
          {!route.isStep && <TabBar session={session} path={path} />}
          <ScreenBoundary path={path}>
            <MemberServices session={session} path={path} />
          </ScreenBoundary>
        </>
      )}
      <Notices session={session} />
      <main ref={main} id={MAIN} tabIndex={-1} className={classes(css.main, route.fullWidth && css.fullWidth)}>
        {children}
      </main>
      {!route.isStep && !route.fillsWindow && <DevelopmentBanner />}
    </div>
  );
}

/** State of the side navigation. As a popover it closes on Esc and on outside clicks; it also closes after 8 s without interaction. */
function useNavigationDrawer(drawer: RefObject<HTMLElement | null>) {
  const [open, setOpen] = useState(false);
  const close = useCallback(() => drawer.current?.hidePopover(), [drawer]);

  useEffect(() => {
    // It may have been opened before the script loaded.
    if (drawer.current?.matches(":is(:popover-open)")) setOpen(true);
  }, [drawer]);

  useEffect(() => {
    const element = drawer.current;
    if (!open || !element) return;
    let timer = setTimeout(close, NAVIGATION_CLOSE_MS);
    const restart = () => {
      clearTimeout(timer);
      timer = setTimeout(close, NAVIGATION_CLOSE_MS);
    };
    const events = ["keydown", "pointerdown", "pointermove"] as const;
    for (const event of events) element.addEventListener(event, restart);
    return () => {
      clearTimeout(timer);
      for (const event of events) element.removeEventListener(event, restart);
    };
  }, [open, close, drawer]);

  return { open, setOpen, close };
}
