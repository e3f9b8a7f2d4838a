import { Button } from "@lambda/ui/button";
import { Folds, FormSection } from "@lambda/ui/form-section";
import { OWN_PLAN } from "../../../device/device-keys.ts";
import { useDeviceValue } from "../../../device/device-storage.ts";
import { DisguiseSection } from "../../lock/settings/DisguiseSection.tsx";
import { LockSection } from "../../lock/settings/LockSection.tsx";
import { usePagesCopy } from "../pages-copy.ts";
import type { AccountPageProps } from "./pages.ts";

export default function PhonePage({ open }: AccountPageProps) {
  return (
    <Folds open={open}>
      <LockSection />
      <DisguiseSection />
      <PlanSection />
    </Folds>
  );
}

/** Account page section: where a plan with a friend is made, and whether one is running. */
function PlanSection() {
  const copy = usePagesCopy();
  const [plan] = useDeviceValue(OWN_PLAN);
  return (
    <div id="plan">
      <FormSection title={copy.plan} text={copy.planText} value={plan ? copy.planRuns : copy.none}>
        <div>
          <Button icon="chat" href="/chat/personal" label={copy.conversations} />
        </div>
      </FormSection>
    </div>
  );
}
