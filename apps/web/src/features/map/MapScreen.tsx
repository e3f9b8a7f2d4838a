import { MAP_FLY_ZOOM, MAP_INITIAL_ZOOM, MAP_VIEW_SAVE_MS } from "@lambda/contract/limits";
import type { PositionAggregate } from "@lambda/contract/positions";
import { classes } from "@lambda/ui/classes";
import { IconButton } from "@lambda/ui/icon-button";
import { Sheet } from "@lambda/ui/sheet";
import { Skeleton } from "@lambda/ui/skeleton";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import wait from "../../components/unsettled.module.css";
import { MAP_VIEW_STATE } from "../../device/device-keys.ts";
import { writeDevice } from "../../device/device-storage.ts";
import { useNsfw } from "../../device/nsfw.ts";
import { hasSession } from "../../device/session-cookie.ts";
import { useCopy } from "../../format/i18n.ts";
import { useSession } from "../../session/session.ts";
import { ownPoint } from "../position/machine.ts";
import { send, useReporting } from "../position/reporter.ts";
import { mapCopy } from "./copy.ts";
import type { MapView } from "./data/map-types.ts";
import { useMapMembers } from "./data/use-map-members.ts";
import { useMapEngine } from "./engine/use-map-engine.ts";
import { useOwnMarker } from "./engine/use-own-marker.ts";
import css from "./map-screen.module.css";
import { MapList } from "./panels/MapList.tsx";
import { MapMessages } from "./panels/MapMessages.tsx";
import { MemberCard } from "./panels/MemberCard.tsx";
import { PrecisionSheet } from "./panels/PrecisionSheet.tsx";
import { RandomHint } from "./panels/RandomHint.tsx";
import { Toolbar } from "./panels/Toolbar.tsx";
import { firstView, type MapStart, useMapTarget } from "./use-map-start.ts";
import { useWide } from "./use-wide.ts";

/** What the panes cover of the map's window, in pixels. */
const CARD_WIDE_PX = 388;
const CARD_PHONE_PX = 290;

/** The Gaydar Map (SPEC section 2, Map). */
export default function MapScreen() {
  const copy = useCopy(mapCopy);
  const reporting = useReporting();
  const own = ownPoint(reporting);
  const target = useMapTarget();
  const { profileId } = useSession();
  const wide = useWide();
  const [nsfw] = useNsfw();
  const [start] = useState(() => firstView(own));
  const [view, setView] = useState<MapView>(() => around(start));
  const [selected, setSelected] = useState<number | null>(null);
  const [crowd, setCrowd] = useState<readonly number[] | null>(null);
  const [place, setPlace] = useState<string | null>(null);
  const [sheet, setSheet] = useState<"list" | "precision" | null>(null);
  const found = useMapMembers(view);
  const ownMarker = useOwnMarker();
  const frame = useRef<HTMLDivElement>(null);
  const guessed = useRef(start.guessed && !target?.point);
  const goesToFix = useRef(false);
  const saving = useRef<number | undefined>(undefined);
  // A logout within the pause must not find the view written back behind it.
  useEffect(() => () => window.clearTimeout(saving.current), []);

  const { engine, failed } = useMapEngine(frame, start, {
    onView: (next, byMember) => {
      if (byMember) guessed.current = false;
      setView(next);
      window.clearTimeout(saving.current);
      if (guessed.current) return;
      const { lat, lng, zoom } = next;
      saving.current = window.setTimeout(() => {
        // Another tab may have logged him out.
        if (hasSession()) writeDevice(MAP_VIEW_STATE, { lat, lng, zoom });
      }, MAP_VIEW_SAVE_MS);
    },
    onMember: (id) => choose(id),
    onCrowd: setCrowd,
    onPlace: setPlace,
    onGround: () => setSelected(null),
    onDrag: (point) => send({ type: "drag", point }),
    onOwn: () => setSheet("precision"),
  });

  const { members, inView, areas } = found;
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

  // The address names a place: fly there. Otherwise a first visit begins around his own marker.
  useEffect(() => {
    if (!engine || !target) return;
    // His own point is a place to see, not a man to like or write to.
    if (target.profileId !== null && target.profileId !== profileId) setSelected(target.profileId);
    if (target.point) engine.flyTo(target.point, MAP_FLY_ZOOM);
  }, [engine, target, profileId]);
  const here = ownMarker?.point;
  const { fix } = reporting;
  const { zoom } = view;
  useEffect(() => {
    if (!engine || !here || !guessed.current) return;
    guessed.current = false;
    engine.flyTo(here, MAP_INITIAL_ZOOM);
  }, [engine, here]);
  useEffect(() => {
    if (!engine || !fix || !goesToFix.current) return;
    goesToFix.current = false;
    engine.flyTo(fix, Math.max(zoom, MAP_INITIAL_ZOOM));
  }, [engine, fix, zoom]);

  const chosen = members.find(({ profileId }) => profileId === selected);
  const choose = useCallback(
    (id: number) => {
      setSheet(null);
      setCrowd(null);
      setSelected(id);
      const man = members.find(({ profileId }) => profileId === id);
      const covered = wide ? { left: 0, right: CARD_WIDE_PX, bottom: 0 } : { left: 0, right: 0, bottom: CARD_PHONE_PX };
      if (man) engine?.reveal({ lat: man.lat, lng: man.lon }, covered);
    },
    [engine, members, wide],
  );
  const openArea = useCallback(
    (area: PositionAggregate) => {
      setSheet(null);
      engine?.openArea(area);
    },
    [engine],
  );

  const goToMe = () => {
    if (own) engine?.flyTo(own, Math.max(zoom, MAP_INITIAL_ZOOM));
  };
  const followMode = (use: "override" | "device") => {
    goesToFix.current = use === "device";
    if (use === "override") goToMe();
  };

  const listed = found.hiddenBy ? copy.areas(areas.length) : found.unknown ? copy.title : copy.list(inView.length);
  const list = (
    <MapList
      members={crowd ? members.filter(({ profileId }) => crowd.includes(profileId)) : inView}
      areas={crowd ? [] : areas}
      own={own}
      selected={selected}
      nsfw={nsfw}
      onMember={choose}
      onArea={openArea}
    />
  );
  return (
    <div className={css.screen}>
      {wide && (
        <aside className={css.pane} aria-label={copy.listHelp}>
          <h2 className={css.count}>{listed}</h2>
          {found.loading && inView.length === 0 ? <Skeleton shape="rows" count={6} label={copy.looking} /> : list}
        </aside>
      )}
      <div className={css.stage} data-card={selected !== null || undefined}>
        <div ref={frame} className={css.map} />
        {!engine && !failed && <div className={css.waiting} role="status" aria-label={copy.loading} />}
        {failed && <p className={css.failed}>{failed === "drawing" ? copy.noDrawing : copy.notLoaded}</p>}
        <MapMessages
          found={found}
          place={place}
          onWider={() => engine?.zoomBy(-2)}
          onGps={() => followMode("device")}
        />
        <div className={classes(css.corner, !reporting.ready && wait.unsettled)}>
          <RandomHint onMode={followMode} />
          <div className={css.zoom}>
            <IconButton icon="plus" label={copy.zoomIn} onClick={() => engine?.zoomBy(1)} />
            <IconButton icon="minus" label={copy.zoomOut} onClick={() => engine?.zoomBy(-1)} />
          </div>
          {!wide && (
            <button type="button" className={css.pill} onClick={() => setSheet("list")}>
              {found.hiddenBy ? copy.areas(areas.length) : copy.listShort(inView.length)}
            </button>
          )}
        </div>
        <div className={css.tools}>
          <Toolbar onMe={goToMe} onMode={followMode} onPrecision={() => setSheet("precision")} />
        </div>
        {selected !== null && (
          <div className={css.card}>
            <MemberCard id={selected} member={chosen} onClose={() => setSelected(null)} />
          </div>
        )}
      </div>
      <Sheet
        open={(!wide && sheet === "list") || crowd !== null}
        onClose={() => {
          setSheet(null);
          setCrowd(null);
        }}
        title={crowd ? copy.crowd : listed}
        closeLabel={copy.close}
      >
        <div className={css.sheet}>{list}</div>
      </Sheet>
      <PrecisionSheet open={sheet === "precision"} onClose={() => setSheet(null)} />
    </div>
  );
}

/** A view before the map has measured itself, so that the men around are asked for while it loads. */
function around({ lat, lng, zoom }: MapStart): MapView {
  const half = 180 / 2 ** zoom;
  return {
    ...{ lat, lng, zoom },
    bounds: { west: lng - half, east: lng + half, south: lat - half, north: lat + half },
  };
}
