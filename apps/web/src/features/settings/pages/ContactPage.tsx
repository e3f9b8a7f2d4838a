import { Folds } from "@lambda/ui/form-section";
import { BlockedSection } from "../sections/BlockedSection.tsx";
import { FirstContactSection } from "../sections/FirstContactSection.tsx";
import { PictureCoverSection } from "../sections/PictureCoverSection.tsx";
import { UnwantedWordsSection } from "../sections/UnwantedWordsSection.tsx";
import type { AccountPageProps } from "./pages.ts";

export default function ContactPage({ open }: AccountPageProps) {
  return (
    <Folds open={open}>
      <FirstContactSection />
      <PictureCoverSection />
      <UnwantedWordsSection />
      <BlockedSection />
    </Folds>
  );
}
