import { Button } from "@lambda/ui/button";
import { FormSection } from "@lambda/ui/form-section";
import { OWN_PLAN } from "../../../device/device-keys.ts";
import { useDeviceValue } from "../../../device/device-storage.ts";
import { useCopy } from "../../../format/i18n.ts";
import { pagesCopy } from "../pages-copy.ts";

/** Account page section: where a plan with a friend is made, and whether one is running. */
export function PlanSection() {
  const copy = useCopy(pagesCopy);
  const [plan] = useDeviceValue(OWN_PLAN);
  return (
    <div id="plan">
      <FormSection title={copy.plan} text={copy.planText} value={plan ? copy.planRuns : copy.none}>
        <div>
          <Button icon="chat" href="/chat/personal">
            {copy.conversations}
          </Button>
        </div>
      </FormSection>
    </div>
  );
}
