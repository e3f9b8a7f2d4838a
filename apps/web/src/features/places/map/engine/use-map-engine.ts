import { HOUR_MS } from "@lambda/contract/limits";
import { type MapRegion, WORLD_ARCHIVE } from "@lambda/contract/map-archives";
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { repeatWhileVisible } from "../../../../device/repeat-while-visible.ts";
import { CHUNK_WAIT_MS, withDeadline } from "../../../../device/with-deadline.ts";
import { useUnits } from "../../../../format/distance.ts";
import { useLocale } from "../../../../format/i18n.ts";
import { pageBrand } from "../../../../format/site.ts";
import { useTheme } from "../../../../format/theme.ts";
import { useMapCopy } from "../copy.ts";
import type { MapListeners } from "../data/map-types.ts";
import { archiveUrl, fetchRegions, findRegionAt } from "../data/regions.ts";
import type { StillPicture } from "../still-picture.ts";
import { type MapStyleOptions, mapStyle } from "../style/style.ts";
import type { MapStart } from "../use-map-start.ts";
import type { MapEngine } from "./map-engine.ts";

export interface EngineState {
  readonly engine: MapEngine | null;
  /** "drawing": the browser has no WebGL. "loading": the engine could not be loaded and is retried when online. */
  readonly failed: "drawing" | "loading" | null;
  /** The regions with streets; undefined until loaded. */
  readonly regions?: readonly MapRegion[];
}

const NOT_LOADED: EngineState = { engine: null, failed: null };

interface EngineWait {
  /** False while a picture stands for the map. */
  readonly isWanted: boolean;
  readonly still: StillPicture | null;
}

const AT_ONCE: EngineWait = { isWanted: true, still: null };

/** Loads the map engine, and maplibre-gl with it, into an element. */
export function useMapEngine(
  container: RefObject<HTMLElement | null>,
  start: MapStart,
  listeners: MapListeners,
  { isWanted, still }: EngineWait = AT_ONCE,
): EngineState {
  const [state, setState] = useState<EngineState>(NOT_LOADED);
  const [attempt, setAttempt] = useState(0);
  const [locale] = useLocale();
  const [units] = useUnits();
  const { title } = useMapCopy();
  const style = useStyleOptions(state.regions);
  const appliedStyle = useRef("");
  // The map's initial values; later styles are applied to the same map below.
  const latest = useRef({ listeners, start, still, style, title, locale, units });
  latest.current = { ...latest.current, listeners, style, title, locale, units };

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt loads the engine again
  useLayoutEffect(() => {
    const element = container.current;
    if (!element || !isWanted) return;
    let engine: MapEngine | undefined;
    let isCancelled = false;
    let failed: "drawing" | "loading" = "loading";
    const regionsLoading = fetchRegions().catch(() => undefined);
    void readHeaders(latest.current.start, regionsLoading).catch(() => undefined);
    Promise.all([withDeadline(CHUNK_WAIT_MS, () => import("./map-engine.ts")), regionsLoading])
      .then(([{ MapEngine }, regions]) => {
        if (isCancelled) return;
        failed = "drawing";
        const { style, start, still, title, locale, units } = latest.current;
        const options = { ...style, regions: regions ?? [] };
        appliedStyle.current = styleKey(options);
        const { tilesUrl } = style;
        engine = new MapEngine(
          element,
          {
            style: mapStyle(options),
            tilesUrl,
            regions: regions ?? [],
            center: start,
            zoom: start.zoom,
            title,
            locale,
            units,
            still,
          },
          () => latest.current.listeners,
        );
        setState({ engine, failed: null, ...(regions && { regions }) });
      })
      .catch(() => {
        if (!isCancelled) setState({ engine: null, failed });
      });
    return () => {
      isCancelled = true;
      engine?.destroy();
      setState(NOT_LOADED);
    };
  }, [container, attempt, isWanted]);

  const { engine, failed, regions } = state;
  useEffect(() => {
    if (!engine || regions) return;
    return repeatWhileVisible(HOUR_MS, async (signal) => {
      const found = await fetchRegions();
      signal.throwIfAborted();
      engine.setRegions(found);
      setState((known) => ({ ...known, regions: found }));
    });
  }, [engine, regions]);
  useRetryWhenOnline(failed === "loading", () => setAttempt((count) => count + 1));

  useEffect(() => {
    if (!engine || appliedStyle.current === styleKey(style)) return;
    appliedStyle.current = styleKey(style);
    engine.underlay.setStyle(mapStyle(style));
  }, [engine, style]);

  return state;
}

/** Reads the headers of the archives in view while the engine loads, which needs them before any tile. */
async function readHeaders({ lat, lon }: MapStart, regionsLoading: Promise<readonly MapRegion[] | undefined>) {
  const { openArchive } = await withDeadline(CHUNK_WAIT_MS, () => import("./archive.ts"));
  const read = (name: string) => openArchive(archiveUrl(name)).getHeader();
  const region = regionsLoading.then((regions = []) => findRegionAt(regions, lat, lon));
  await Promise.all([read(WORLD_ARCHIVE), region.then((found) => found && read(found.name))]);
}

function useRetryWhenOnline(isWaiting: boolean, retry: () => void): void {
  const latest = useRef(retry);
  latest.current = retry;
  useEffect(() => {
    if (!isWaiting) return;
    const onOnline = () => latest.current();
    addEventListener("online", onOnline);
    return () => removeEventListener("online", onOnline);
  }, [isWaiting]);
}

/** The inputs of the map's style: brand colors, theme, language and tile archives. */
function useStyleOptions(regions: readonly MapRegion[] | undefined): MapStyleOptions {
  const [locale] = useLocale();
  const [choice] = useTheme();
  const theme: "dark" | "light" = choice === "system" ? pageTheme() : choice;
  return useMemo(
    () => ({ palette: pageBrand()[theme], theme, locale, tilesUrl: archiveUrl(WORLD_ARCHIVE), regions: regions ?? [] }),
    [theme, locale, regions],
  );
}

function styleKey({ theme, locale, regions }: Omit<MapStyleOptions, "palette" | "tilesUrl">): string {
  return [theme, locale, ...regions.map(({ name, tsInstalled }) => `${name} ${tsInstalled}`)].join();
}

const pageTheme = (): "dark" | "light" => (document.documentElement.dataset.theme === "light" ? "light" : "dark");
