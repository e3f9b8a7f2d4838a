import { MAP_INITIAL_ZOOM } from "@lambda/contract/limits";
import type { PositionAggregate } from "@lambda/contract/positions";
import type { Point } from "@lambda/geo/distance";
import { classes } from "@lambda/ui/classes";
import { Icon } from "@lambda/ui/icon";
import { Skeleton } from "@lambda/ui/skeleton";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { ClosableSheet } from "../../../components/ClosableSheet.tsx";
import loading from "../../../components/loading-delay.module.css";
import { useTonight } from "../../../components/Tonight/use-tonight.ts";
import { useWideScreen } from "../../../components/use-wide-screen.ts";
import { useNsfw } from "../../../device/nsfw.ts";
import { useSession } from "../../../session/session.ts";
import { ownPoint } from "../positions/machine.ts";
import { dispatchReporting, useReporting } from "../positions/reporter.ts";
import { useMapCopy } from "./copy.ts";
import { type Camera, createListCamera, estimateView } from "./data/list-camera.ts";
import type { MapListeners, MapView } from "./data/map-types.ts";
import { NOWHERE } from "./data/place-name.ts";
import { lacksStreets } from "./data/regions.ts";
import { type MapMembers, useMapMembers } from "./data/use-map-members.ts";
import type { Insets } from "./engine/map-camera.ts";
import { type EngineState, useMapEngine } from "./engine/use-map-engine.ts";
import { useOwnMarker } from "./engine/use-own-marker.ts";
import css from "./map-screen.module.css";
import { MapList } from "./panels/MapList.tsx";
import { MapMessages } from "./panels/MapMessages.tsx";
import { MapPanel } from "./panels/MapPanel.tsx";
import { MemberCard } from "./panels/MemberCard.tsx";
import { PrecisionSheet } from "./panels/PrecisionSheet.tsx";
import { PutMeThere } from "./panels/PutMeThere.tsx";
import { RandomHint } from "./panels/RandomHint.tsx";
import { StillMap } from "./panels/StillMap.tsx";
import { Toolbar } from "./panels/Toolbar.tsx";
import { PlaceSearch } from "./search/PlaceSearch.tsx";
import type { KnownPlace } from "./search/place-matches.ts";
import { useMapNavigation } from "./use-map-navigation.ts";
import { firstView, type MapStart, useMapTarget } from "./use-map-start.ts";
import { useNoStreets } from "./use-no-streets.ts";
import { useSavedView } from "./use-saved-view.ts";
import { keepStillPicture, useStillPicture } from "./use-still-picture.ts";

/** The parts of the map that the member's card covers, in pixels. */
const DESKTOP_CARD_INSETS = { left: 0, right: 388, bottom: 0 };
const PHONE_CARD_INSETS = { left: 0, right: 0, bottom: 290 };

/** Shows a whole town, or a whole quarter. */
const PLACE_ZOOM = { city: 12, quarter: 14.5 } as const;

/** The Gaydar Map with its member list, controls and the card of the selected member. */
export default function MapScreen() {
  const wide = useWideScreen();
  const frame = useRef<HTMLDivElement>(null);
  const map = useMap(frame, wide);
  const { engine, failed, mapMembers, selected, sheet, crowd, listTitle } = map;
  const closeList = () => {
    map.setSheet(null);
    map.setCrowd(null);
  };
  const copy = useMapCopy();
  const list = <Members map={map} />;
  const panel = (
    <MapPanel
      isMapDrawn={failed === null}
      onModeChange={(use) => {
        map.setSheet(null);
        map.chooseMode(use);
      }}
      onPrecisionPress={() => map.setSheet("precision")}
      onZoom={(steps) => map.camera?.zoomBy(steps)}
      search={<PlaceSearch near={map.view} from={map.own} onPlace={map.goToPlace} />}
    >
      {wide || failed ? <h2 className={`type-lead ${css.count}`}>{listTitle}</h2> : null}
      {mapMembers.loading && mapMembers.inView.length === 0 ? (
        <Skeleton shape="rows" count={6} label={copy.looking} />
      ) : (
        list
      )}
    </MapPanel>
  );
  const messages = (
    <MapMessages
      mapMembers={mapMembers}
      placeText={map.placeText}
      onZoomOut={() => map.camera?.zoomBy(-2)}
      onGps={() => map.chooseMode("device")}
    />
  );
  const toolbar = <Toolbar isMapDrawn={failed === null} onGoToMe={map.goToMe} />;
  return (
    <div className={`flex grow relative ${css.screen}`}>
      {wide && (
        <aside className={`column relative ${css.pane}`} aria-label={copy.listHelp}>
          <div className={`cover ${css.scroll}`}>{panel}</div>
        </aside>
      )}
      <div className={`grow relative clip ${css.stage}`} data-card={selected !== null || undefined}>
        <div ref={frame} className={css.map} />
        {failed ? (
          <div className={`column gap-3 ${css.undrawn}`}>
            {messages}
            <p className="muted">{failed === "drawing" ? copy.noDrawing : copy.notLoaded}</p>
            <RandomHint canWalk={false} onModeChange={map.chooseMode} />
            {toolbar}
            {!wide && <section aria-label={listTitle}>{panel}</section>}
          </div>
        ) : (
          <>
            {!engine &&
              (map.still ? (
                <StillMap still={map.still} content={map.content} onMemberPress={map.selectMember} />
              ) : (
                <div className={`cover ${css.waiting}`} role="status" aria-label={copy.loading} />
              ))}
            {messages}
            <Corner map={map}>{!wide && <PanelButton map={map} />}</Corner>
            <div className={css.tools}>{toolbar}</div>
          </>
        )}
        {selected !== null && (
          <div className={css.card}>
            <MemberCard id={selected} member={map.selectedMember} onClose={() => map.select(null)} />
          </div>
        )}
      </div>
      <ClosableSheet
        open={(!wide && !failed && sheet === "panel") || crowd !== null}
        onClose={closeList}
        title={crowd ? copy.crowd : listTitle}
      >
        <div className={css.sheet}>{crowd ? list : panel}</div>
      </ClosableSheet>
      <PrecisionSheet open={sheet === "precision"} onClose={() => map.setSheet(null)} />
    </div>
  );
}

type MapState = ReturnType<typeof useMap>;

/** The view, the members in it and the selection, kept in sync with the engine. */
function useMap(frame: React.RefObject<HTMLDivElement | null>, wide: boolean) {
  const copy = useMapCopy();
  const own = ownPoint(useReporting());
  const target = useMapTarget();
  const [start] = useState(() => firstView(own));
  const isStartGuessed = useRef(start.isGuess && !target?.point);
  const { view, onViewChange, listCamera } = useView(start, isStartGuessed);
  const [place, setPlace] = useState(NOWHERE);
  const panels = usePanels();
  const { selected, select, setCrowd, setSheet } = panels;
  const mapMembers = useMapMembers(view);
  const { members, inView, areas, hiddenReason, unknown } = mapMembers;

  const { still, isMapWanted } = useStillPicture(start, Boolean(target));
  const listeners: MapListeners = {
    onViewChange,
    onMemberPress: (id) => selectMember(id),
    onCrowdPress: setCrowd,
    onPlaceChange: setPlace,
    onBackgroundPress: () => select(null),
    onOwnMarkerDrag: (point) => dispatchReporting({ type: "drag", point }),
    onOwnMarkerPress: () => setSheet("precision"),
    onPicture: keepStillPicture,
  };
  const { engine, failed, regions } = useMapEngine(frame, start, listeners, { isWanted: isMapWanted, still });
  const camera = failed ? listCamera : engine?.camera;
  const noStreets = useNoStreets(place, lacksStreets(regions, view));
  const { ownMarker, content } = useEngineContent(engine, mapMembers, selected);
  const targetId = useTargetSelection(camera, target, select);
  const insets = wide ? DESKTOP_CARD_INSETS : PHONE_CARD_INSETS;
  useListAroundMe(failed && !target?.point ? listCamera : undefined, own);
  const navigation = useMapNavigation({
    camera,
    target,
    isStartGuessed,
    ownMarker: ownMarker?.point,
    zoom: view.zoom,
    cardInsets: targetId === null ? undefined : insets,
  });

  const { selectMember, openArea } = usePressHandlers(camera, members, insets, panels);
  const goToPlace = (place: KnownPlace) => {
    isStartGuessed.current = false;
    setSheet(null);
    select(null);
    panels.setFound(place);
    camera?.flyTo(place, PLACE_ZOOM[place.kind]);
  };
  return {
    engine,
    failed,
    still,
    content,
    camera,
    view,
    mapMembers,
    own,
    placeText: [place.name, noStreets].filter(Boolean).join(" · "),
    selectedMember: members.find(({ profileId }) => profileId === selected),
    selectMember,
    openArea,
    goToPlace,
    listTitle: hiddenReason
      ? copy.areas(areas.length)
      : unknown
        ? copy.title
        : failed
          ? copy.listShort(inView.length)
          : copy.list(inView.length),
    ...panels,
    ...navigation,
  };
}

function usePressHandlers(
  camera: Camera | undefined,
  members: MapMembers["members"],
  insets: Insets,
  { select, setCrowd, setSheet }: Pick<ReturnType<typeof usePanels>, "select" | "setCrowd" | "setSheet">,
) {
  const selectMember = useCallback(
    (id: number) => {
      setSheet(null);
      setCrowd(null);
      select(id);
      const member = members.find(({ profileId }) => profileId === id);
      if (member) camera?.reveal({ lat: member.lat, lon: member.lon }, insets);
    },
    [camera, members, insets, select, setCrowd, setSheet],
  );
  const openArea = useCallback(
    (area: PositionAggregate) => {
      setSheet(null);
      camera?.openArea(area);
    },
    [camera, setSheet],
  );
  return { selectMember, openArea };
}

/** The current view, saved on this device unless it is still the guess that the map started with. */
function useView(start: MapStart, isStartGuessed: React.RefObject<boolean>) {
  const [view, setView] = useState<MapView>(() => estimateView(start));
  const saveView = useSavedView();
  const onViewChange = (next: MapView, byMember: boolean) => {
    if (byMember) isStartGuessed.current = false;
    setView(next);
    if (!isStartGuessed.current) saveView(next);
  };
  const listCamera = useMemo(() => createListCamera(setView), []);
  return { view, onViewChange, listCamera };
}

/** Where no map is drawn, the list begins around the member, wherever the map was left. */
function useListAroundMe(listCamera: Camera | undefined, own: Point | null): void {
  const isDone = useRef(false);
  useEffect(() => {
    if (!listCamera || !own || isDone.current) return;
    isDone.current = true;
    listCamera.jumpTo(own, MAP_INITIAL_ZOOM);
  }, [listCamera, own]);
}

function usePanels() {
  const [selected, select] = useState<number | null>(null);
  const [crowd, setCrowd] = useState<readonly number[] | null>(null);
  const [sheet, setSheet] = useState<"panel" | "precision" | null>(null);
  /** What was searched for last. */
  const [found, setFound] = useState<KnownPlace | null>(null);
  return { selected, select, crowd, setCrowd, sheet, setSheet, found, setFound };
}

/** Passes the engine what to draw. Returns it, and the own marker. */
function useEngineContent(
  engine: EngineState["engine"],
  { members, inView, areas }: MapMembers,
  selected: number | null,
) {
  const [nsfw] = useNsfw();
  const nights = useTonight(useMemo(() => inView.map(({ profileId }) => profileId).sort((a, b) => a - b), [inView]));
  const tonight = useMemo(() => new Set(nights.keys()), [nights]);
  const ownMarker = useOwnMarker();
  const content = useMemo(
    () => ({ members, areas, tonight, own: ownMarker, selected, nsfw }),
    [members, areas, tonight, ownMarker, selected, nsfw],
  );
  useEffect(() => engine?.setContent(content), [engine, content]);

  const ownArea = useMemo(
    () => ({ ringCenter: ownMarker?.point ?? null, cell: ownMarker?.cell ?? null }),
    [ownMarker?.point, ownMarker?.cell],
  );
  useEffect(() => engine?.underlay.setOwnArea(ownArea), [engine, ownArea]);
  return { ownMarker, content };
}

/** Opens the card of the member in the URL and returns their id. The viewer's own id only shows a place, not a card. */
function useTargetSelection(
  camera: Camera | undefined,
  target: ReturnType<typeof useMapTarget>,
  select: (id: number) => void,
): number | null {
  const { profileId } = useSession();
  const targetId = target && target.profileId !== profileId ? target.profileId : null;
  useEffect(() => {
    if (camera && target && targetId !== null) select(targetId);
  }, [camera, target, targetId, select]);
  return targetId;
}

function Members({ map }: { map: MapState }) {
  const { mapMembers, crowd } = map;
  return (
    <MapList
      members={crowd ? mapMembers.members.filter(({ profileId }) => crowd.includes(profileId)) : mapMembers.inView}
      areas={crowd ? [] : mapMembers.areas}
      own={map.own}
      selected={map.selected}
      onMemberPress={map.selectMember}
      onAreaPress={map.openArea}
    />
  );
}

/** Opens the sheet with all that does not stand on the map. */
function PanelButton({ map: { mapMembers, setSheet } }: { map: MapState }) {
  const copy = useMapCopy();
  const { hiddenReason, areas, inView } = mapMembers;
  return (
    <button
      type="button"
      className={`row gap-2 raised radius-round bold outlined ${css.pill}`}
      aria-haspopup="dialog"
      onClick={() => setSheet("panel")}
    >
      <Icon name="search" size={20} />
      {hiddenReason ? copy.areas(areas.length) : copy.listShort(inView.length)}
    </button>
  );
}

function Corner({ map, children }: { map: MapState; children: ReactNode }) {
  const { isReady } = useReporting();
  return (
    <div className={classes("column gap-3 no-pointer", css.corner, !isReady && loading.delayed)}>
      <RandomHint canWalk onModeChange={map.chooseMode} />
      <PutMeThere place={map.found} onDone={() => map.setFound(null)} />
      {children}
    </div>
  );
}
