import { TRIP_NAME_MAX_CHARS } from "@lambda/contract/limits";
import type { Point } from "@lambda/geo/distance";
import { Button } from "@lambda/ui/button";
import { TextField } from "@lambda/ui/text-field";
import { useMemo, useRef, useState } from "react";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { Form } from "../../../components/Form.tsx";
import { LAST_LOCATION } from "../../../device/device-keys.ts";
import { readDeviceValue } from "../../../device/device-storage.ts";
import { localToday } from "../../../format/local-today.ts";
import { useBrand } from "../../../format/site.ts";
import { useMapCopy } from "../map/copy.ts";
import type { MapListeners } from "../map/data/map-types.ts";
import { useMapEngine } from "../map/engine/use-map-engine.ts";
import { PlaceSearch } from "../map/search/PlaceSearch.tsx";
import type { KnownPlace } from "../map/search/place-matches.ts";
import css from "./travel.module.css";
import { useTripCopy } from "./trip-copy.ts";

/** Zoomed out far enough to reach another continent with one drag. */
const START_ZOOM = 3;

/** Shows a town whose name the trip then takes. */
const FOUND_ZOOM = 10;

/** Adds a trip to the place in the middle of the map, which also suggests the trip's name. */
export function TripForm({ onDone }: { onDone: () => void }) {
  const copy = useTripCopy();
  const { firstCity } = useBrand();
  const start = useMemo(
    () => readDeviceValue(LAST_LOCATION) ?? { lat: firstCity.lat, lon: firstCity.lon },
    [firstCity.lat, firstCity.lon],
  );
  const [point, setPoint] = useState<Point>(start);
  const [place, setPlace] = useState<string | null>(null);
  const [name, setName] = useState<string | null>(null);
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const utils = trpc.useUtils();
  const add = trpc.travel.addTrip.useMutation({
    onSuccess: async () => {
      await utils.travel.trips.invalidate();
      onDone();
    },
  });
  const submit = () => {
    add.mutate({ name: name ?? place ?? "", lat: point.lat, lon: point.lon, from, to: to < from ? from : to });
  };
  return (
    <Form className="stack gap-4" onSubmit={submit}>
      <PlaceMap start={start} onPoint={setPoint} onPlaceChange={setPlace} />
      <TextField
        autoComplete="off"
        label={copy.name}
        help={copy.nameHelp}
        value={name ?? place ?? ""}
        maxLength={TRIP_NAME_MAX_CHARS}
        onValue={setName}
      />
      <div className={`stack gap-3 ${css.days}`}>
        <TextField
          autoComplete="off"
          label={copy.from}
          type="date"
          required
          min={localToday()}
          value={from}
          onValue={setFrom}
        />
        <TextField
          autoComplete="off"
          label={copy.to}
          type="date"
          required
          min={from || localToday()}
          value={to}
          onValue={setTo}
        />
      </div>
      {add.error && <p role="alert">{errorText(add.error)}</p>}
      <div className="row wrap gap-3">
        <Button variant="primary" type="submit" busy={add.isPending} label={copy.save} />
      </div>
    </Form>
  );
}

interface PlaceMapProps {
  start: Point;
  onPoint: (point: Point) => void;
  onPlaceChange: (name: string | null) => void;
}

function PlaceMap({ start, onPoint, onPlaceChange }: PlaceMapProps) {
  const copy = useTripCopy();
  const { noDrawing, notLoaded } = useMapCopy();
  const frame = useRef<HTMLDivElement>(null);
  const [initialView] = useState(() => ({ ...start, zoom: START_ZOOM, isGuess: true }));
  const listeners: MapListeners = {
    onViewChange: ({ lat, lon }) => onPoint({ lat, lon }),
    onPlaceChange: ({ name }) => onPlaceChange(name),
  };
  const { engine, failed } = useMapEngine(frame, initialView, listeners);
  const goToPlace = ({ lat, lon, name }: KnownPlace) => {
    if (engine) return engine.camera.flyTo({ lat, lon }, FOUND_ZOOM);
    onPoint({ lat, lon });
    onPlaceChange(name);
  };
  return (
    <div className="stack gap-3">
      <PlaceSearch near={start} onPlace={goToPlace} />
      <p>{failed ? (failed === "drawing" ? noDrawing : notLoaded) : copy.place}</p>
      <div className={`tint relative clip radius-2 ${css.map}`}>
        <div ref={frame} className="cover" />
        <div className={`center cover accent no-pointer ${css.middle}`} aria-hidden="true" />
      </div>
    </div>
  );
}
