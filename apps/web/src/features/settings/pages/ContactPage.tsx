import type { PictureCover } from "@lambda/contract/messages";
import { Folds, FormSection } from "@lambda/ui/form-section";
import { Select } from "@lambda/ui/select";
import { useChatPreferences } from "../../../components/use-chat-preferences.ts";
import { useCopy } from "../../../format/i18n.ts";
import { BlockedSection } from "../sections/BlockedSection.tsx";
import { FirstContactSection } from "../sections/FirstContactSection.tsx";
import { pictureCoverCopy } from "../sections/picture-cover-copy.ts";
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

/** Account page section: whose pictures stay covered until pressed. */
function PictureCoverSection() {
  const copy = useCopy(pictureCoverCopy);
  const { preferences, save } = useChatPreferences();
  return (
    <div id="covers">
      <FormSection title={copy.title} text={copy.text} value={preferences && copy.covers[preferences.coverPictures]}>
        <Select
          label={copy.label}
          disabled={!preferences}
          value={preferences?.coverPictures ?? "unknown"}
          options={Object.entries(copy.covers).map(([value, label]) => ({ value, label }))}
          onChange={(event) => save(() => ({ coverPictures: event.target.value as PictureCover }))}
        />
      </FormSection>
    </div>
  );
}
