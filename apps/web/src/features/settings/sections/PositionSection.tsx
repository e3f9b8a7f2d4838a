import { PRECISIONS, type Precision } from "@lambda/geo/grid";
import { Button } from "@lambda/ui/button";
import { FormSection } from "@lambda/ui/form-section";
import { Link } from "@lambda/ui/link";
import { RadioGroup } from "@lambda/ui/radio-group";
import { Sheet } from "@lambda/ui/sheet";
import { useToast } from "@lambda/ui/toast";
import { useState } from "react";
import { errorText } from "../../../api/error-text.ts";
import { useCopy } from "../../../format/i18n.ts";
import { mapPath } from "../../../routing/paths.ts";
import { useSession } from "../../../session/session.ts";
import { canDrag } from "../../position/machine.ts";
import { precisionCopy } from "../../position/precision-copy.ts";
import { dispatchReporting, forgetRememberedPlaces, useReporting } from "../../position/reporter.ts";
import { settingsCopy } from "../copy.ts";
import css from "./settings.module.css";

/** Lists "exact" last, because it is the exception. */
const PRECISION_ORDER: readonly Precision[] = [...PRECISIONS.filter((precision) => precision !== "exact"), "exact"];
const SHOWN_DIGITS = 4;

export function PositionSection() {
  const { position: copy, close, cancel } = useCopy(settingsCopy);
  const { options } = useCopy(precisionCopy);
  const [isConfirming, setConfirming] = useState(false);
  const state = useReporting();
  const walking = canDrag(state);
  const choose = (precision: Precision) => {
    if (precision === "exact") setConfirming(true);
    else dispatchReporting({ type: "precision", precision });
  };
  return (
    <FormSection title={copy.title} text={copy.text}>
      <RadioGroup
        label={copy.label}
        options={PRECISION_ORDER.map((value) => {
          const { label, help } = options[value];
          const disabled = value === "exact" && !walking;
          return { value, label, help: disabled ? copy.exactWalk : help, disabled };
        })}
        value={state.precision}
        onChange={choose}
      />
      <DeviceLocation />
      <RememberedPlaces />
      <Sheet
        open={isConfirming}
        onClose={() => setConfirming(false)}
        title={copy.confirmTitle}
        closeLabel={close}
        footer={
          <div className={css.actions}>
            <Button variant="primary" onClick={() => setConfirming(false)}>
              {cancel}
            </Button>
            <Button
              variant="danger"
              onClick={() => {
                dispatchReporting({ type: "precision", precision: "exact" });
                setConfirming(false);
              }}
            >
              {copy.confirmYes}
            </Button>
          </div>
        }
      >
        <p>{copy.confirmText}</p>
      </Sheet>
    </FormSection>
  );
}

/** The device's location and the position others see. The link opens our own map, so no third party learns the position. */
function DeviceLocation() {
  const { position: copy } = useCopy(settingsCopy);
  const { profileId } = useSession();
  const { use, fix, serverPosition } = useReporting();
  const device =
    use !== "device"
      ? copy.deviceOff
      : fix
        ? copy.deviceAt(fix.lat.toFixed(SHOWN_DIGITS), fix.lon.toFixed(SHOWN_DIGITS))
        : copy.deviceWaiting;
  const shown = serverPosition?.published;
  const point = (use === "device" && fix) || shown;
  return (
    <div className={css.stack}>
      <h3>{copy.device}</h3>
      <p className={css.muted}>{device}</p>
      <p className={css.muted}>
        {shown ? copy.reported(shown.lat.toFixed(SHOWN_DIGITS), shown.lon.toFixed(SHOWN_DIGITS)) : copy.nothing}
      </p>
      {point && (
        <p>
          <Link href={mapPath(profileId, point)}>{copy.openMap}</Link>
        </p>
      )}
    </div>
  );
}

/** The number of the member's remembered places, and the button to forget them. */
function RememberedPlaces() {
  const { position: copy } = useCopy(settingsCopy);
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const { places, anchors } = useReporting();
  if (!places) return null;
  const forget = async () => {
    setBusy(true);
    try {
      await forgetRememberedPlaces();
      toast({ text: copy.forgotten, tone: "info" });
    } catch (error) {
      toast({ text: errorText(error), tone: "danger" });
    }
    setBusy(false);
  };
  return (
    <div className={css.stack}>
      <h3>{copy.places}</h3>
      <p className={css.muted}>{copy.placesText(places.remembered.length)}</p>
      <div>
        <Button busy={busy} disabled={places.remembered.length + anchors.length === 0} onClick={() => void forget()}>
          {copy.forgetPlaces}
        </Button>
      </div>
    </div>
  );
}
