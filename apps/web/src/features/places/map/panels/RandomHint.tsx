import { Button } from "@lambda/ui/button";
import { IconButton } from "@lambda/ui/icon-button";
import { deviceKey, useDeviceValue } from "../../../../device/device-storage.ts";
import { useBrand } from "../../../../format/site.ts";
import { displayedSource } from "../../positions/machine.ts";
import { useReporting } from "../../positions/reporter.ts";
import { useMapCopy } from "../copy.ts";
import css from "./panels.module.css";

const HINT_CLOSED = deviceKey("map_hint_closed", false, (value) => typeof value === "boolean");

/** Tells a member who has not chosen a mode yet where others see them, and how to change it. */
export function RandomHint(props: { canWalk: boolean; onModeChange: (use: "override" | "device") => void }) {
  const { canWalk, onModeChange } = props;
  const brand = useBrand();
  const { hint: copy, close } = useMapCopy();
  const state = useReporting();
  const [closed, setClosed] = useDeviceValue(HINT_CLOSED);
  if (closed || !state.isReady || displayedSource(state) !== "random") return null;
  return (
    <section className={`pad-4 raised radius-3 relative outlined ${css.hint}`}>
      <span className={css.close}>
        <IconButton icon="close" label={close} onClick={() => setClosed(true)} />
      </span>
      <p className={`bold ${css.title}`}>{copy.title(brand.firstCity.name)}</p>
      {canWalk && <p>{copy.text}</p>}
      <div className={`flex gap-2 mt-3 ${css.actions}`}>
        <Button icon="gps" variant="primary" label={copy.gps} onClick={() => onModeChange("device")} />
        {canWalk && <Button icon="walk" label={copy.walk} onClick={() => onModeChange("override")} />}
      </div>
    </section>
  );
}
