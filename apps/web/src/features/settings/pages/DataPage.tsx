import { Folds } from "@lambda/ui/form-section";
import { DataSection } from "../sections/DataSection.tsx";
import { LocationSection } from "../sections/LocationSection.tsx";
import { VersionSection } from "../sections/VersionSection.tsx";
import type { AccountPageProps } from "./pages.ts";

export default function DataPage({ open }: AccountPageProps) {
  return (
    <Folds open={open}>
      <DataSection />
      <VersionSection />
      <LocationSection />
    </Folds>
  );
}
