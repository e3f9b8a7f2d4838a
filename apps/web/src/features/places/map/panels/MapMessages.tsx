import { Button } from "@lambda/ui/button";
import { IconButton } from "@lambda/ui/icon-button";
import { useOnline } from "../../../../device/online.ts";
import { usePositionCopy } from "../../positions/copy.ts";
import { dispatchReporting, useReporting } from "../../positions/reporter.ts";
import { useMapCopy } from "../copy.ts";
import type { MapMembers } from "../data/use-map-members.ts";
import css from "./map-messages.module.css";

/** Messages over the map: GPS errors, why nobody is shown, no connection, and the name of the place. */
export function MapMessages(props: {
  mapMembers: MapMembers;
  /** The place in the middle of the map, and whether its streets are missing. */
  placeText: string;
  onZoomOut: () => void;
  onGps: () => void;
}) {
  const { mapMembers, placeText, onZoomOut, onGps } = props;
  const copy = useMapCopy();
  const position = usePositionCopy();
  const { shownError } = useReporting();
  const online = useOnline();
  const { hiddenReason, loading, failed, unknown, inView, areas } = mapMembers;
  const isEmpty = hiddenReason === null && inView.length === 0 && areas.length === 0;
  return (
    <div className={`row column gap-2 no-pointer ${css.messages}`}>
      {shownError && (
        <div className={`row gap-2 raised radius-2 danger bold outlined ${css.alert}`} role="alert">
          <p className="grow">{position.gps(position.errors[shownError])}</p>
          <Button variant="quiet" label={copy.retry} onClick={onGps} />
          <IconButton icon="close" label={copy.close} onClick={() => dispatchReporting({ type: "errorDismissed" })} />
        </div>
      )}
      <div className="row column gap-1 no-pointer" role="status">
        {!online ? (
          <p className={css.note}>{unknown ? copy.offlineUnknown : copy.offline}</p>
        ) : failed ? (
          <p className={css.note}>
            {copy.trouble}{" "}
            <button type="button" className={`accent bold ${css.act}`} onClick={mapMembers.retry}>
              {copy.retry}
            </button>
          </p>
        ) : null}
        {hiddenReason === "number" && <p className={css.note}>{copy.tooMany}</p>}
        {hiddenReason !== null && <p className={css.note}>{copy.overZoom}</p>}
        {isEmpty && loading && online && <p className={css.note}>{copy.looking}</p>}
        {isEmpty && !loading && !failed && !unknown && (
          <p className={css.note}>
            {copy.empty}{" "}
            <button type="button" className={`accent bold ${css.act}`} onClick={onZoomOut}>
              {copy.wider}
            </button>
          </p>
        )}
      </div>
      {placeText && <p className={`radius-round ${css.place}`}>{placeText}</p>}
    </div>
  );
}
