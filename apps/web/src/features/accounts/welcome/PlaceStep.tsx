import type { Profile } from "@lambda/contract/profiles";
import type { Point } from "@lambda/geo/distance";
import type { Precision } from "@lambda/geo/grid";
import { cellAt, cellBounds } from "@lambda/geo/lattice";
import { Button } from "@lambda/ui/button";
import { Fault } from "@lambda/ui/fault";
import { initialOf } from "@lambda/ui/initial";
import { Segmented } from "@lambda/ui/segmented";
import { useEffect, useMemo, useRef, useState } from "react";
import { pictureUrl } from "../../../api/picture-url.ts";
import { useAbortSignal } from "../../../components/use-abort-signal.ts";
import { LAST_LOCATION } from "../../../device/device-keys.ts";
import { readDeviceValue, writeDeviceValue } from "../../../device/device-storage.ts";
import { areaCenter, INVITED_AREA } from "../../../device/invited-area.ts";
import { useBrand } from "../../../format/site.ts";
import { useMapCopy } from "../../places/map/copy.ts";
import { NOWHERE } from "../../places/map/data/place-name.ts";
import { lacksStreets } from "../../places/map/data/regions.ts";
import { useMapEngine } from "../../places/map/engine/use-map-engine.ts";
import { useNoStreets } from "../../places/map/use-no-streets.ts";
import { usePositionCopy } from "../../places/positions/copy.ts";
import { type GpsFix, requestGpsFix } from "../../places/positions/gps.ts";
import type { GpsErrorKind } from "../../places/positions/machine-types.ts";
import { usePrecisionCopy } from "../../places/positions/precision-copy.ts";
import { dispatchReporting, useReporting } from "../../places/positions/reporter.ts";
import { useWelcomeCopy } from "./copy.ts";
import css from "./welcome.module.css";

const CHOICES = ["street", "district", "city"] as const satisfies readonly Precision[];
type Choice = (typeof CHOICES)[number];

/** The zooms at which a cell takes about half of a phone's width. */
const ZOOMS: Readonly<Record<Choice, number>> = { street: 14, district: 13, city: 10.8 };
const PICTURE_PX = 48;

/**
 * Lets the member choose where others see them: a draggable marker with the cells of all precisions. The position is
 * requested from the browser only on a press, and nothing is reported before the last button.
 */
export function PlaceStep({ profile, onDone }: { profile: Profile; onDone: () => void }) {
  const { place: copy } = useWelcomeCopy();
  const { precision: precisionText } = useMapCopy();
  const { options } = usePrecisionCopy();
  const { errors } = usePositionCopy();
  const { point, fix, isLocating, gpsError, drag, locate } = usePoint();
  const finish = useAfterPlaceStored(onDone);
  const [precision, setPrecision] = useState<Choice>("street");
  const [isDrawable, setDrawable] = useState(true);
  const { firstCity } = useBrand();
  const canPlace = isDrawable || fix !== undefined;
  const reportRandom = () => {
    dispatchReporting({ type: "random" });
    onDone();
  };
  const report = () => {
    if (fix) dispatchReporting({ type: "device" });
    else {
      dispatchReporting({ type: "override" });
      dispatchReporting({ type: "drag", point });
    }
    dispatchReporting({ type: "precision", precision });
    // The watch's first fix may be seconds away, and the first grid should be that of this place.
    if (fix) dispatchReporting({ type: "fix", ...fix });
    writeDeviceValue(INVITED_AREA, null);
    finish.begin();
  };
  return (
    <div className={`column gap-4 grow mt-2 ${css.form}`}>
      {isDrawable ? (
        <CellsMap
          profile={profile}
          point={point}
          precision={precision}
          onDrag={drag}
          onUndrawable={() => setDrawable(false)}
        />
      ) : (
        <p>{copy.undrawable(firstCity.name)}</p>
      )}
      {canPlace && (
        <>
          <Segmented
            label={precisionText.label}
            value={precision}
            onChange={setPrecision}
            options={CHOICES.map((value) => ({ value, label: options[value].label }))}
          />
          <p className="muted">{options[precision].help}</p>
        </>
      )}
      <Fault text={gpsError && (isDrawable ? `${errors[gpsError]}. ${copy.dragInstead}` : `${errors[gpsError]}.`)} />
      <Button icon="gps" full busy={isLocating} label={fix ? copy.found : copy.ask} onClick={() => void locate()} />
      <div className={css.primary}>
        {canPlace ? (
          <Button variant="primary" full busy={finish.waiting} label={copy.show} onClick={report} />
        ) : (
          <Button variant="primary" full label={copy.showNear(firstCity.name)} onClick={reportRandom} />
        )}
      </div>
    </div>
  );
}

/** The point on the map, from the invitation, this device, a drag or the GPS. */
function usePoint() {
  const { firstCity } = useBrand();
  const [point, setPoint] = useState<Point>(() => {
    const invited = readDeviceValue(INVITED_AREA);
    if (invited) return areaCenter(invited);
    return readDeviceValue(LAST_LOCATION) ?? { lat: firstCity.lat, lon: firstCity.lon };
  });
  const [fix, setFix] = useState<GpsFix>();
  const [isLocating, setLocating] = useState(false);
  const [gpsError, setGpsError] = useState<GpsErrorKind>();
  const locating = useAbortSignal();
  const drag = (to: Point) => {
    // A fix that comes later must not undo the drag.
    locating.abort();
    setFix(undefined);
    setPoint(to);
  };
  const locate = async () => {
    const signal = locating.begin();
    setLocating(true);
    setGpsError(undefined);
    try {
      const found = await requestGpsFix(signal);
      setPoint(found.point);
      setFix(found);
    } catch (kind) {
      if (!signal.aborted) setGpsError(kind as GpsErrorKind);
    }
    setLocating(false);
  };
  return { point, fix, isLocating, gpsError, drag, locate };
}

interface CellsMapProps {
  profile: Profile;
  point: Point;
  precision: Choice;
  onDrag: (point: Point) => void;
  /** The browser has no WebGL, so no marker can be dragged. */
  onUndrawable: () => void;
}

function CellsMap({ profile, point, precision, onDrag, onUndrawable }: CellsMapProps) {
  const { place: copy } = useWelcomeCopy();
  const { notLoaded, ownWalk } = useMapCopy();
  const { places } = useReporting();
  const frame = useRef<HTMLDivElement>(null);
  const [start] = useState(() => ({ ...point, zoom: ZOOMS[precision], isGuess: true }));
  const [place, setPlace] = useState(NOWHERE);
  const listeners = { onOwnMarkerDrag: onDrag, onPlaceChange: setPlace };
  const { engine, failed, regions } = useMapEngine(frame, start, listeners);
  useEffect(() => {
    if (failed === "drawing") onUndrawable();
  });
  const noStreets = useNoStreets(place, lacksStreets(regions, { ...point, zoom: ZOOMS[precision] }));

  const [picture] = profile.profilePicIds;
  const own = useMemo(
    () => ({
      point,
      draggable: true,
      hidden: false,
      live: false,
      tonight: false,
      picture: picture === undefined ? undefined : pictureUrl(picture, PICTURE_PX, false),
      initial: initialOf(profile.profilename),
      label: ownWalk,
    }),
    [point, picture, profile.profilename, ownWalk],
  );
  useEffect(() => engine?.setContent({ members: [], areas: [], own, selected: null, nsfw: false }), [engine, own]);

  useEffect(() => {
    if (!places) return;
    const cells = CHOICES.map((choice) => cellBounds(places.lattice, cellAt(places.lattice, point, choice)));
    const chosen = CHOICES.indexOf(precision);
    engine?.underlay.setOwnArea({
      ringCenter: null,
      cell: cells[chosen] ?? null,
      otherCells: cells.filter((_, index) => index !== chosen),
    });
  }, [engine, places, point, precision]);

  useEffect(() => engine?.camera.flyTo(point, ZOOMS[precision]), [engine, point, precision]);
  return (
    <div className={`radius-3 relative clip ${css.map}`}>
      <div ref={frame} className={css.frame} />
      <p className={`raised radius-round no-pointer ${css.mapNote}`}>
        {failed ? notLoaded : noStreets || copy.mapNote}
      </p>
    </div>
  );
}

/** How long the step waits for the position to be stored, which the next screen needs to find who is near. */
const PLACE_WAIT_MS = 3000;

/** After `begin`, calls `onDone` when the chosen place is stored, or after a timeout. */
function useAfterPlaceStored(onDone: () => void) {
  const { isSaving, saveDueAt, use, fix, shownError } = useReporting();
  const [waiting, setWaiting] = useState(false);
  const waitsForGps = use === "device" && fix === null && shownError === null;
  const isStored = !isSaving && saveDueAt === null && !waitsForGps;
  useEffect(() => {
    if (!waiting) return;
    if (isStored) return onDone();
    const timer = setTimeout(onDone, PLACE_WAIT_MS);
    return () => clearTimeout(timer);
  }, [waiting, isStored, onDone]);
  return { waiting, begin: () => setWaiting(true) };
}
