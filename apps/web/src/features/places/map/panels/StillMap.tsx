import { toMercator } from "@lambda/geo/mercator";
import { useEffect, useRef, useState } from "react";
import { markerSize } from "../data/clusters.ts";
import type { MapContent } from "../data/map-types.ts";
import { MarkerLayer } from "../engine/marker-layer.ts";
import { createStillImage } from "../engine/still-image.ts";
import type { StillPicture } from "../still-picture.ts";
import css from "./still-map.module.css";

interface StillMapProps {
  still: StillPicture;
  content: MapContent;
  onMemberPress: (id: number) => void;
}

/** The map as it was left, with the members who are there now, until it can be drawn. */
export function StillMap({ still, content, onMemberPress }: StillMapProps) {
  const frame = useRef<HTMLDivElement>(null);
  const press = useRef(onMemberPress);
  press.current = onMemberPress;
  const [markers] = useState(() => {
    const nothing = () => undefined;
    return new MarkerLayer({
      onMemberPress: (id) => press.current(id),
      onClusterPress: nothing,
      onAreaPress: nothing,
      onLayout: nothing,
    });
  });
  useEffect(() => {
    const { url, width, height } = still;
    frame.current?.replaceChildren(createStillImage(url, width, height), markers.element);
    frame.current?.style.setProperty("--marker", `${markerSize(still.zoom)}px`);
  }, [still, markers]);
  useEffect(() => {
    if (!frame.current) return;
    const { clientWidth: width, clientHeight: height } = frame.current;
    markers.setContent(content, { zoom: still.zoom, center: toMercator(still.lat, still.lon), width, height });
  }, [still, markers, content]);
  return (
    <>
      <div ref={frame} className={`cover clip no-pointer ${css.still}`} />
      <p className={css.credits}>{still.credits}</p>
    </>
  );
}
