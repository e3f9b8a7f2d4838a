import { Button } from "@lambda/ui/button";
import { IconButton } from "@lambda/ui/icon-button";
import { canDrag } from "../../positions/machine.ts";
import { dispatchReporting, useReporting } from "../../positions/reporter.ts";
import { useMapCopy } from "../copy.ts";
import type { KnownPlace } from "../search/place-matches.ts";
import css from "./panels.module.css";

/** Moves the own marker to the place that was searched for, where it could be dragged only across many maps. */
export function PutMeThere({ place, onDone }: { place: KnownPlace | null; onDone: () => void }) {
  const copy = useMapCopy();
  const isDraggable = canDrag(useReporting());
  if (!place || !isDraggable) return null;
  const putMe = () => {
    const { lat, lon } = place;
    dispatchReporting({ type: "drag", point: { lat, lon } });
    onDone();
  };
  return (
    <div className={`row raised radius-round outlined ${css.there}`}>
      <Button variant="quiet" icon="walk" label={copy.putHere(place.name)} onClick={putMe} />
      <IconButton icon="close" label={copy.close} onClick={onDone} />
    </div>
  );
}
