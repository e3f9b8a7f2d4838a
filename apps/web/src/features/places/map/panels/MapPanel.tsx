import { Button } from "@lambda/ui/button";
import type { IconName } from "@lambda/ui/icon";
import { IconButton } from "@lambda/ui/icon-button";
import { type ReactNode, useId } from "react";
import { useOwnTonight } from "../../../../components/Tonight/use-own-tonight.tsx";
import type { GeoSource } from "../../../../device/device-keys.ts";
import { displayedSource } from "../../positions/machine.ts";
import { useReporting } from "../../positions/reporter.ts";
import { useMapCopy } from "../copy.ts";
import css from "./map-panel.module.css";

const MODE_ICONS: Record<GeoSource, IconName> = { random: "dice", override: "walk", device: "gps" };

export interface MapPanelProps {
  /** Without a map there is nothing to drag a marker on or to zoom, and following the GPS remains. */
  isMapDrawn: boolean;
  /** Called after a mode is chosen, so that the map can move to the new position. */
  onModeChange: (use: "override" | "device") => void;
  onPrecisionPress: () => void;
  onZoom: (steps: number) => void;
  search: ReactNode;
  /** Who is on the map. */
  children: ReactNode;
}

/** All of the map's controls that do not stand on it, and the list of who is near: beside the map, or in its sheet. */
export function MapPanel({ isMapDrawn, onModeChange, onPrecisionPress, onZoom, search, children }: MapPanelProps) {
  const copy = useMapCopy();
  const state = useReporting();
  const use = displayedSource(state);
  const tonight = useOwnTonight();
  const helpId = useId();
  return (
    <div className="column">
      <div className={css.search}>{search}</div>
      <section className={`column gap-2 ${css.controls}`} aria-label={copy.ownPlace}>
        <div className="row wrap gap-2">
          {isMapDrawn ? (
            <Button
              icon={MODE_ICONS[use]}
              label={copy.modes[use]}
              aria-describedby={helpId}
              onClick={() => onModeChange(use === "override" ? "device" : "override")}
            />
          ) : (
            <Button
              icon="gps"
              label={copy.modes.device}
              aria-pressed={use === "device"}
              onClick={() => onModeChange("device")}
            />
          )}
          <Button icon="shield" label={copy.privacy} aria-haspopup="dialog" onClick={onPrecisionPress} />
          <Button
            icon="moon"
            label={tonight.label}
            aria-haspopup="dialog"
            aria-pressed={tonight.text !== undefined}
            {...(tonight.text !== undefined && { title: tonight.text, "aria-description": tonight.text })}
            className={css.tonight}
            onClick={tonight.openSheet}
          />
        </div>
        {isMapDrawn && (
          <div className="row gap-3">
            <p id={helpId} className="grow muted">
              {copy.modeHelp[use]}
            </p>
            <div className={`flex flex-none radius-round outlined ${css.zoom}`}>
              <IconButton icon="plus" label={copy.zoomIn} onClick={() => onZoom(1)} />
              <IconButton icon="minus" label={copy.zoomOut} onClick={() => onZoom(-1)} />
            </div>
          </div>
        )}
        {tonight.sheet}
      </section>
      {children}
    </div>
  );
}
