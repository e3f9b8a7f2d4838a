import type { Profile } from "@lambda/contract/profiles";
import type { Point } from "@lambda/geo/distance";
import type { Precision } from "@lambda/geo/grid";
import { boundsOfCell, cellAt } from "@lambda/geo/lattice";
import { Button } from "@lambda/ui/button";
import { Segmented } from "@lambda/ui/segmented";
import { useEffect, useMemo, useRef, useState } from "react";
import { pictureUrl } from "../../api/picture-url.ts";
import { LAST_LOCATION } from "../../device/device-keys.ts";
import { readDevice, writeDevice } from "../../device/device-storage.ts";
import { INVITED_AREA, middleOfArea } from "../../device/invited-area.ts";
import { useCopy } from "../../format/i18n.ts";
import { useBrand } from "../../format/site.ts";
import { mapCopy } from "../map/copy.ts";
import { useMapEngine } from "../map/engine/use-map-engine.ts";
import { positionCopy } from "../position/copy.ts";
import { askGps } from "../position/gps.ts";
import type { GpsErrorKind } from "../position/machine-types.ts";
import { precisionCopy } from "../position/precision-copy.ts";
import { send, useReporting } from "../position/reporter.ts";
import { welcomeCopy } from "./copy.ts";
import css from "./welcome.module.css";

const SQUARES = ["street", "district", "city"] as const satisfies readonly Precision[];
type Square = (typeof SQUARES)[number];

/** So near that the chosen square takes about half of a phone's width. */
const ZOOMS: Readonly<Record<Square, number>> = { street: 14, district: 13, city: 10.8 };
const PICTURE_PX = 48;

/**
 * Where others see the member: a marker that a finger moves, in the squares of all precisions. The browser is asked for the position
 * only when the member presses for it, and nothing is reported before the last button.
 */
export function PlaceStep({ profile, onDone }: { profile: Profile; onDone: () => void }) {
  const { place: copy } = useCopy(welcomeCopy);
  const { precision: words } = useCopy(mapCopy);
  const { options } = useCopy(precisionCopy);
  const { errors } = useCopy(positionCopy);
  const { firstCity } = useBrand();
  const [point, setPoint] = useState<Point>(() => {
    const invited = readDevice(INVITED_AREA);
    if (invited) return middleOfArea(invited);
    return readDevice(LAST_LOCATION) ?? { lat: firstCity.lat, lon: firstCity.lon };
  });
  const [square, setSquare] = useState<Square>("street");
  const [following, setFollowing] = useState(false);
  const [asking, setAsking] = useState(false);
  const [refusal, setRefusal] = useState<GpsErrorKind>();
  const drag = (to: Point) => {
    setFollowing(false);
    setPoint(to);
  };
  const ask = async () => {
    setAsking(true);
    setRefusal(undefined);
    try {
      setPoint(await askGps());
      setFollowing(true);
    } catch (kind) {
      setRefusal(kind as GpsErrorKind);
    }
    setAsking(false);
  };
  const show = () => {
    if (following) send({ type: "gps" });
    else {
      send({ type: "walk" });
      send({ type: "drag", point });
    }
    send({ type: "precision", precision: square });
    writeDevice(INVITED_AREA, null);
    onDone();
  };
  return (
    <div className={css.form}>
      <SquaresMap profile={profile} point={point} square={square} onDrag={drag} />
      <Segmented
        label={words.label}
        value={square}
        onChange={setSquare}
        options={SQUARES.map((value) => ({ value, label: options[value].label }))}
      />
      <p className={css.help}>{options[square].help}</p>
      {refusal && (
        <p className={css.error} role="alert">
          {errors[refusal]}. {copy.dragInstead}
        </p>
      )}
      <Button icon="gps" full busy={asking} onClick={() => void ask()}>
        {following ? copy.found : copy.ask}
      </Button>
      <Button variant="primary" full onClick={show}>
        {copy.show}
      </Button>
    </div>
  );
}

interface SquaresMapProps {
  profile: Profile;
  point: Point;
  square: Square;
  onDrag: (point: Point) => void;
}

function SquaresMap({ profile, point, square, onDrag }: SquaresMapProps) {
  const { place: copy } = useCopy(welcomeCopy);
  const { noDrawing, notLoaded, ownWalk } = useCopy(mapCopy);
  const { places } = useReporting();
  const frame = useRef<HTMLDivElement>(null);
  const [start] = useState(() => ({ ...point, zoom: ZOOMS[square], guessed: true }));
  const { engine, failed } = useMapEngine(frame, start, { ...NOTHING_ELSE, onDrag });

  const [picture] = profile.profilePicIds;
  const own = useMemo(
    () => ({
      point,
      draggable: true,
      hidden: false,
      live: false,
      picture: picture === undefined ? undefined : pictureUrl(picture, PICTURE_PX, false),
      initial: profile.profilename.charAt(0).toLocaleUpperCase(),
      label: ownWalk,
    }),
    [point, picture, profile.profilename, ownWalk],
  );
  useEffect(() => engine?.setContent({ members: [], areas: [], own, selected: null, nsfw: false }), [engine, own]);

  useEffect(() => {
    if (!places) return;
    const cells = SQUARES.map((each) => boundsOfCell(places.lattice, cellAt(places.lattice, point, each)));
    const chosen = SQUARES.indexOf(square);
    engine?.setGround({ rings: null, cell: cells[chosen] ?? null, others: cells.filter((_, at) => at !== chosen) });
  }, [engine, places, point, square]);

  useEffect(() => engine?.flyTo(point, ZOOMS[square]), [engine, point, square]);
  return (
    <div className={css.map}>
      <div ref={frame} className={css.canvas} />
      {failed ? (
        <p className={css.mapNote}>{failed === "drawing" ? noDrawing : notLoaded}</p>
      ) : (
        <p className={css.mapNote}>{copy.mapNote}</p>
      )}
    </div>
  );
}

const ignore = () => undefined;
const NOTHING_ELSE = {
  onView: ignore,
  onMember: ignore,
  onCrowd: ignore,
  onPlace: ignore,
  onGround: ignore,
  onOwn: ignore,
};
