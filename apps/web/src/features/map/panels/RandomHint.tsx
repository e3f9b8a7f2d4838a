import { Button } from "@lambda/ui/button";
import { IconButton } from "@lambda/ui/icon-button";
import { type DeviceKey, useDevice } from "../../../device/device-storage.ts";
import { useCopy } from "../../../format/i18n.ts";
import { useBrand } from "../../../format/site.ts";
import { shownUse } from "../../position/machine.ts";
import { send, useReporting } from "../../position/reporter.ts";
import { mapCopy } from "../copy.ts";
import css from "./random-hint.module.css";

const HINT_CLOSED: DeviceKey<boolean> = {
  name: "map_hint_closed",
  fallback: false,
  accepts: (value): value is boolean => typeof value === "boolean",
};

/** Tells a member who has chosen nothing yet where others see them, and what can be done about it. */
export function RandomHint({ onMode }: { onMode: (use: "override" | "device") => void }) {
  const brand = useBrand();
  const { hint: copy, close } = useCopy(mapCopy);
  const state = useReporting();
  const [closed, setClosed] = useDevice(HINT_CLOSED);
  if (closed || !state.ready || shownUse(state) !== "random") return null;
  return (
    <section className={css.hint}>
      <span className={css.close}>
        <IconButton icon="close" label={close} onClick={() => setClosed(true)} />
      </span>
      <p className={css.title}>{copy.title(brand.firstCity.name)}</p>
      <p>{copy.text}</p>
      <div className={css.actions}>
        <Button
          icon="gps"
          variant="primary"
          onClick={() => {
            onMode("device");
            send({ type: "gps" });
          }}
        >
          {copy.gps}
        </Button>
        <Button
          icon="walk"
          onClick={() => {
            onMode("override");
            send({ type: "walk" });
          }}
        >
          {copy.walk}
        </Button>
      </div>
    </section>
  );
}
