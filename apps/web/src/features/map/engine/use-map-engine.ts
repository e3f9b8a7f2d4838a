import { WORLD_ARCHIVE } from "@lambda/contract/map-archives";
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { useTheme } from "../../../device/theme.ts";
import { useUnits } from "../../../format/distance.ts";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { pageBrand } from "../../../format/site.ts";
import { mapCopy } from "../copy.ts";
import type { MapListeners } from "../data/map-types.ts";
import { archiveUrl, fetchRegions, streetsMaxZoom as maxZoomOf } from "../data/regions.ts";
import { type MapStyleOptions, mapStyle } from "../style/style.ts";
import type { MapStart } from "../use-map-start.ts";
import type { MapEngine } from "./map-engine.ts";

export interface EngineState {
  readonly engine: MapEngine | null;
  /** The browser cannot draw maps, or the engine did not come and is waited for. */
  readonly failed: "drawing" | "loading" | null;
}

const NOTHING: EngineState = { engine: null, failed: null };

/** Loads the map's engine into an element. maplibre-gl comes with it, and nowhere else. */
export function useMapEngine(
  container: RefObject<HTMLElement | null>,
  start: MapStart,
  listeners: MapListeners,
): EngineState {
  const [state, setState] = useState<EngineState>(NOTHING);
  const [attempt, setAttempt] = useState(0);
  const [locale] = useLocale();
  const [units] = useUnits();
  const { title } = useCopy(mapCopy);
  const [streetsZoom, setStreetsZoom] = useState<number | undefined>();
  const style = useStyleOptions(streetsZoom);
  const drawn = useRef("");
  // What the map begins with; later styles are given to the same map below.
  const latest = useRef({ listeners, start, style, title, locale, units });
  latest.current = { ...latest.current, listeners, style, title, locale, units };

  // biome-ignore lint/correctness/useExhaustiveDependencies: a further attempt loads anew
  useEffect(() => {
    const element = container.current;
    if (!element) return;
    let engine: MapEngine | undefined;
    let over = false;
    let failed: "drawing" | "loading" = "loading";
    Promise.all([import("./map-engine.ts"), fetchRegions()])
      .then(([module, regions]) => {
        if (over) return;
        failed = "drawing";
        const now = latest.current;
        const streetsMaxZoom = regions.length > 0 ? maxZoomOf(regions) : undefined;
        const options = { ...now.style, streetsMaxZoom };
        drawn.current = nameOf(options);
        setStreetsZoom(streetsMaxZoom);
        const { title, locale, units, start } = now;
        const { tilesUrl } = options;
        engine = new module.MapEngine(
          element,
          { style: mapStyle(options), tilesUrl, regions, center: start, zoom: start.zoom, title, locale, units },
          forwardTo(() => latest.current.listeners),
        );
        setState({ engine, failed: null });
      })
      .catch(() => {
        if (!over) setState({ engine: null, failed });
      });
    return () => {
      over = true;
      engine?.destroy();
      setState(NOTHING);
    };
  }, [container, attempt]);

  const { engine, failed } = state;
  useWhenOnline(failed === "loading", () => setAttempt((count) => count + 1));

  useEffect(() => {
    if (!engine || drawn.current === nameOf(style)) return;
    drawn.current = nameOf(style);
    engine.setStyle(mapStyle(style));
  }, [engine, style]);

  return state;
}

/** Tries again whenever the connection comes back. */
function useWhenOnline(waiting: boolean, again: () => void): void {
  const latest = useRef(again);
  latest.current = again;
  useEffect(() => {
    if (!waiting) return;
    const retry = () => latest.current();
    addEventListener("online", retry);
    return () => removeEventListener("online", retry);
  }, [waiting]);
}

/** What the map's style is made of: colors of the brand, language, and the archives of tiles. */
function useStyleOptions(streetsMaxZoom: number | undefined): MapStyleOptions {
  const [locale] = useLocale();
  const [choice] = useTheme();
  const theme: "dark" | "light" = choice === "system" ? pageTheme() : choice;
  return useMemo(
    () => ({ palette: pageBrand()[theme], theme, locale, tilesUrl: archiveUrl(WORLD_ARCHIVE), streetsMaxZoom }),
    [theme, locale, streetsMaxZoom],
  );
}

/** The engine lives longer than the functions of one drawing. */
function forwardTo(listeners: () => MapListeners): MapListeners {
  return {
    onView: (view, byMember) => listeners().onView(view, byMember),
    onMember: (id) => listeners().onMember(id),
    onCrowd: (ids) => listeners().onCrowd(ids),
    onPlace: (name) => listeners().onPlace(name),
    onGround: () => listeners().onGround(),
    onDrag: (point) => listeners().onDrag(point),
    onOwn: () => listeners().onOwn(),
  };
}

function nameOf({ theme, locale, streetsMaxZoom }: Omit<MapStyleOptions, "palette" | "tilesUrl">): string {
  return [theme, locale, streetsMaxZoom].join();
}

function pageTheme(): "dark" | "light" {
  return document.documentElement.dataset.theme === "light" ? "light" : "dark";
}
