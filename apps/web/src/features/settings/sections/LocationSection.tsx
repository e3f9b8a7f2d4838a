import { FormSection } from "@lambda/ui/form-section";
import { Link } from "@lambda/ui/link";
import { useCopy } from "../../../format/i18n.ts";
import { mapPath } from "../../../routing/paths.ts";
import { useSession } from "../../../session/session.ts";
import { useReporting } from "../../position/reporter.ts";
import { settingsCopy } from "../copy.ts";

const SHOWN_DIGITS = 4;

/** The device's location and the position others see. The link opens our own map, so no third party learns the position. */
export function LocationSection() {
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
  const where = shown ? copy.reported(shown.lat.toFixed(SHOWN_DIGITS), shown.lon.toFixed(SHOWN_DIGITS)) : copy.nothing;
  const point = (use === "device" && fix) || shown;
  return (
    <div id="location">
      <FormSection title={copy.device} value={where}>
        <p className="muted">{device}</p>
        <p className="muted">{where}</p>
        {point && (
          <p>
            <Link href={mapPath(profileId, point)}>{copy.openMap}</Link>
          </p>
        )}
      </FormSection>
    </div>
  );
}
