import { Button } from "@lambda/ui/button";
import { FormSection } from "@lambda/ui/form-section";
import { useCopy } from "../../../format/i18n.ts";
import { travelSectionCopy } from "./travel-section-copy.ts";

export function TravelSection() {
  const copy = useCopy(travelSectionCopy);
  return (
    <div id="travel">
      <FormSection title={copy.title} text={copy.text}>
        <div className="row wrap gap-3">
          <Button href="/travel">{copy.trips}</Button>
          <Button href="/travel/here">{copy.here}</Button>
        </div>
      </FormSection>
    </div>
  );
}
