import { Folds } from "@lambda/ui/form-section";
import { PlacesSection } from "../sections/PlacesSection.tsx";
import { PositionSection } from "../sections/PositionSection.tsx";
import { SharingSection } from "../sections/SharingSection.tsx";
import { TravelSection } from "../sections/TravelSection.tsx";
import { VisibilitySection } from "../sections/VisibilitySection.tsx";
import type { AccountPageProps } from "./pages.ts";

export default function VisibilityPage({ settings, open }: AccountPageProps) {
  return (
    <Folds open={open}>
      <VisibilitySection settings={settings} />
      <PositionSection />
      <PlacesSection />
      <SharingSection settings={settings} />
      <TravelSection />
    </Folds>
  );
}
