import type { PositionAggregate } from "@lambda/contract/positions";
import { classes } from "@lambda/ui/classes";
import { IconButton } from "@lambda/ui/icon-button";
import { Sheet } from "@lambda/ui/sheet";
import { Skeleton } from "@lambda/ui/skeleton";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import loading from "../../components/loading-delay.module.css";
import { useNsfw } from "../../device/nsfw.ts";
import { useCopy } from "../../format/i18n.ts";
import { useSession } from "../../session/session.ts";
import { ownPoint } from "../position/machine.ts";
import { send, useReporting } from "../position/reporter.ts";
import { mapCopy } from "./copy.ts";
import type { MapView } from "./data/map-types.ts";
import { type MapMembers, useMapMembers } from "./data/use-map-members.ts";
import { type EngineState, useMapEngine } from "./engine/use-map-engine.ts";
import { useOwnMarker } from "./engine/use-own-marker.ts";
import css from "./map-screen.module.css";
import { MapList } from "./panels/MapList.tsx";
import { MapMessages } from "./panels/MapMessages.tsx";
import { MemberCard } from "./panels/MemberCard.tsx";
import { PrecisionSheet } from "./panels/PrecisionSheet.tsx";
import { RandomHint } from "./panels/RandomHint.tsx";
import { Toolbar } from "./panels/Toolbar.tsx";
import { useMapFlights } from "./use-map-flights.ts";
import { firstView, type MapStart, useMapTarget } from "./use-map-start.ts";
import { useSavedView } from "./use-saved-view.ts";
import { useWide } from "./use-wide.ts";

/** What the panes cover of the map's window, in pixels. */
const CARD_WIDE = { left: 0, right: 388, bottom: 0 };
const CARD_PHONE = { left: 0, right: 0, bottom: 290 };

/** The Gaydar Map: the engine's window, and around it the list, the tools and the chosen member. */
export default function MapScreen() {
  const wide = useWide();
  const frame = useRef<HTMLDivElement>(null);
  const map = useMap(frame, wide);
  const { engine, failed, found, selected, sheet, crowd, listed } = map;
  const closeList = () => {
    map.setSheet(null);
    map.setCrowd(null);
  };
  const copy = useCopy(mapCopy);
  const list = <Members map={map} />;
  return (
    <div className={css.screen}>
      {wide && (
        <aside className={css.pane} aria-label={copy.listHelp}>
          <h2 className={css.count}>{listed}</h2>
          {found.loading && found.inView.length === 0 ? <Skeleton shape="rows" count={6} label={copy.looking} /> : list}
        </aside>
      )}
      <div className={css.stage} data-card={selected !== null || undefined}>
        <div ref={frame} className={css.map} />
        <EngineNote engine={engine} failed={failed} />
        <MapMessages
          found={found}
          place={map.place}
          onWider={() => engine?.zoomBy(-2)}
          onGps={() => map.followMode("device")}
        />
        <Corner map={map}>
          {!wide && (
            <button type="button" className={css.pill} onClick={() => map.setSheet("list")}>
              {found.hiddenBy ? copy.areas(found.areas.length) : copy.listShort(found.inView.length)}
            </button>
          )}
        </Corner>
        <div className={css.tools}>
          <Toolbar onMe={map.goToMe} onMode={map.followMode} onPrecision={() => map.setSheet("precision")} />
        </div>
        {selected !== null && (
          <div className={css.card}>
            <MemberCard id={selected} member={map.chosen} onClose={() => map.select(null)} />
          </div>
        )}
      </div>
      <Sheet
        open={(!wide && sheet === "list") || crowd !== null}
        onClose={closeList}
        title={crowd ? copy.crowd : listed}
        closeLabel={copy.close}
      >
        <div className={css.sheet}>{list}</div>
      </Sheet>
      <PrecisionSheet open={sheet === "precision"} onClose={() => map.setSheet(null)} />
    </div>
  );
}

type MapState = ReturnType<typeof useMap>;

/** The view, who is in it and who is chosen, kept in step with the engine. */
function useMap(frame: React.RefObject<HTMLDivElement | null>, wide: boolean) {
  const copy = useCopy(mapCopy);
  const reporting = useReporting();
  const own = ownPoint(reporting);
  const target = useMapTarget();
  const [start] = useState(() => firstView(own));
  const [view, setView] = useState<MapView>(() => around(start));
  const [selected, select] = useState<number | null>(null);
  const [crowd, setCrowd] = useState<readonly number[] | null>(null);
  const [place, setPlace] = useState<string | null>(null);
  const [sheet, setSheet] = useState<"list" | "precision" | null>(null);
  const guessed = useRef(start.guessed && !target?.point);
  const saveView = useSavedView();
  const found = useMapMembers(view);

  const { engine, failed } = useMapEngine(frame, start, {
    onView: (next, byMember) => {
      if (byMember) guessed.current = false;
      setView(next);
      if (!guessed.current) saveView(next);
    },
    onMember: (id) => choose(id),
    onCrowd: setCrowd,
    onPlace: setPlace,
    onGround: () => select(null),
    onDrag: (point) => send({ type: "drag", point }),
    onOwn: () => setSheet("precision"),
  });
  const ownMarker = useEngineContent(engine, found, selected);
  const named = useSelectedByAddress(engine, target, select);
  const card = wide ? CARD_WIDE : CARD_PHONE;
  const covered = named === null ? undefined : card;
  const flights = useMapFlights({ engine, target, guessed, ownMarker: ownMarker?.point, zoom: view.zoom, covered });

  const { members, inView, areas } = found;
  const choose = useCallback(
    (id: number) => {
      setSheet(null);
      setCrowd(null);
      select(id);
      const member = members.find(({ profileId }) => profileId === id);
      if (member) engine?.reveal({ lat: member.lat, lon: member.lon }, card);
    },
    [engine, members, card],
  );
  const openArea = useCallback(
    (area: PositionAggregate) => {
      setSheet(null);
      engine?.openArea(area);
    },
    [engine],
  );
  return {
    engine,
    failed,
    found,
    own,
    place,
    selected,
    select,
    chosen: members.find(({ profileId }) => profileId === selected),
    choose,
    openArea,
    crowd,
    setCrowd,
    sheet,
    setSheet,
    listed: found.hiddenBy ? copy.areas(areas.length) : found.unknown ? copy.title : copy.list(inView.length),
    ...flights,
  };
}

/** Gives the engine what it draws; answers the own marker. */
function useEngineContent(engine: EngineState["engine"], { members, areas }: MapMembers, selected: number | null) {
  const [nsfw] = useNsfw();
  const ownMarker = useOwnMarker();
  const content = useMemo(
    () => ({ members, areas, own: ownMarker, selected, nsfw }),
    [members, areas, ownMarker, selected, nsfw],
  );
  useEffect(() => engine?.setContent(content), [engine, content]);

  const ground = useMemo(
    () => ({ rings: ownMarker?.point ?? null, cell: ownMarker?.cell ?? null }),
    [ownMarker?.point, ownMarker?.cell],
  );
  useEffect(() => engine?.setGround(ground), [engine, ground]);
  return ownMarker;
}

/** Opens the card of the member whom the address names, and answers who that is. The own point is a place to see, not somebody to like. */
function useSelectedByAddress(
  engine: EngineState["engine"],
  target: ReturnType<typeof useMapTarget>,
  select: (id: number) => void,
): number | null {
  const { profileId } = useSession();
  const named = target && target.profileId !== profileId ? target.profileId : null;
  useEffect(() => {
    if (engine && target && named !== null) select(named);
  }, [engine, target, named, select]);
  return named;
}

function Members({ map }: { map: MapState }) {
  const [nsfw] = useNsfw();
  const { found, crowd } = map;
  return (
    <MapList
      members={crowd ? found.members.filter(({ profileId }) => crowd.includes(profileId)) : found.inView}
      areas={crowd ? [] : found.areas}
      own={map.own}
      selected={map.selected}
      nsfw={nsfw}
      onMember={map.choose}
      onArea={map.openArea}
    />
  );
}

function EngineNote({ engine, failed }: EngineState) {
  const copy = useCopy(mapCopy);
  if (failed) return <p className={css.failed}>{failed === "drawing" ? copy.noDrawing : copy.notLoaded}</p>;
  return engine ? null : <div className={css.waiting} role="status" aria-label={copy.loading} />;
}

function Corner({ map, children }: { map: MapState; children: ReactNode }) {
  const copy = useCopy(mapCopy);
  const { ready } = useReporting();
  return (
    <div className={classes(css.corner, !ready && loading.delayed)}>
      <RandomHint onMode={map.followMode} />
      <div className={css.zoom}>
        <IconButton icon="plus" label={copy.zoomIn} onClick={() => map.engine?.zoomBy(1)} />
        <IconButton icon="minus" label={copy.zoomOut} onClick={() => map.engine?.zoomBy(-1)} />
      </div>
      {children}
    </div>
  );
}

/** A view before the map has measured itself, so that the members around are asked for while it loads. */
function around({ lat, lon, zoom }: MapStart): MapView {
  const half = 180 / 2 ** zoom;
  return { lat, lon, zoom, bounds: { west: lon - half, east: lon + half, south: lat - half, north: lat + half } };
}
