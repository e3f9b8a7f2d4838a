import { Button } from "@lambda/ui/button";
import { IconButton } from "@lambda/ui/icon-button";
import { useOnline } from "../../../device/use-online.ts";
import { useCopy } from "../../../format/i18n.ts";
import { positionCopy } from "../../position/copy.ts";
import { send, useReporting } from "../../position/reporter.ts";
import { mapCopy } from "../copy.ts";
import type { MapMembers } from "../data/use-map-members.ts";
import css from "./map-messages.module.css";

/** What the map has to say: GPS errors, why nobody is shown, no connection, and where this is. */
export function MapMessages(props: {
  found: MapMembers;
  /** What the ground in the middle is called. */
  place: string | null;
  onWider: () => void;
  onGps: () => void;
}) {
  const { found, place, onWider, onGps } = props;
  const copy = useCopy(mapCopy);
  const position = useCopy(positionCopy);
  const { shownError } = useReporting();
  const online = useOnline();
  const { hiddenBy, loading, failed, unknown, inView, areas } = found;
  const nobody = hiddenBy === null && inView.length === 0 && areas.length === 0;
  return (
    <div className={css.messages}>
      {shownError && (
        <div className={css.alert} role="alert">
          <p>{position.gps(position.errors[shownError])}</p>
          <Button
            variant="quiet"
            onClick={() => {
              onGps();
              send({ type: "gps" });
            }}
          >
            {copy.retry}
          </Button>
          <IconButton icon="close" label={copy.close} onClick={() => send({ type: "errorRead" })} />
        </div>
      )}
      <div className={css.status} role="status">
        {!online ? (
          <p className={css.note}>{unknown ? copy.offlineUnknown : copy.offline}</p>
        ) : failed ? (
          <p className={css.note}>
            {copy.trouble}{" "}
            <button type="button" className={css.act} onClick={found.retry}>
              {copy.retry}
            </button>
          </p>
        ) : null}
        {hiddenBy === "number" && <p className={css.note}>{copy.tooMany}</p>}
        {hiddenBy !== null && <p className={css.note}>{copy.overZoom}</p>}
        {nobody && loading && <p className={css.note}>{copy.looking}</p>}
        {nobody && !loading && !failed && !unknown && (
          <p className={css.note}>
            {copy.empty}{" "}
            <button type="button" className={css.act} onClick={onWider}>
              {copy.wider}
            </button>
          </p>
        )}
      </div>
      {place && <p className={css.place}>{place}</p>}
    </div>
  );
}
