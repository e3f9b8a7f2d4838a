import { Button } from "@lambda/ui/button";
import { FormSection } from "@lambda/ui/form-section";
import { useToast } from "@lambda/ui/toast";
import { useState } from "react";
import { useFailureToast } from "../../../components/use-failure-toast.ts";
import { useCopy } from "../../../format/i18n.ts";
import { forgetRememberedPlaces, useReporting } from "../../position/reporter.ts";
import { settingsCopy } from "../copy.ts";

/** The number of the member's remembered places, and the button to forget them. */
export function PlacesSection() {
  const { position: copy } = useCopy(settingsCopy);
  const toast = useToast();
  const showFailure = useFailureToast();
  const [busy, setBusy] = useState(false);
  const { places, anchors } = useReporting();
  if (!places) return null;
  const forget = async () => {
    setBusy(true);
    try {
      await forgetRememberedPlaces();
      toast({ text: copy.forgotten, tone: "info" });
    } catch (error) {
      showFailure(error);
    }
    setBusy(false);
  };
  return (
    <div id="places">
      <FormSection
        title={copy.places}
        text={copy.placesText(places.remembered.length)}
        value={places.remembered.length}
      >
        <div>
          <Button busy={busy} disabled={places.remembered.length + anchors.length === 0} onClick={() => void forget()}>
            {copy.forgetPlaces}
          </Button>
        </div>
      </FormSection>
    </div>
  );
}
