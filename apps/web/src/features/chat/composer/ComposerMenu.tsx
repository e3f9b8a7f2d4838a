import type { MessageDraft } from "@lambda/contract/messages";
import { Menu } from "@lambda/ui/menu";
import { Suspense, useState } from "react";
import { useCopy } from "../../../format/i18n.ts";
import { lazyScreen } from "../../../routing/lazy-screen.ts";
import { chatCopy } from "../copy.ts";
import type { OutgoingVoice } from "../outbox/outbox.ts";
import type { ComposerSheetName } from "./ComposerSheets.tsx";

/** Loaded with the first item that needs a sheet, to keep the chat bundle small. */
const ComposerSheets = lazyScreen(() => import("./ComposerSheets.tsx"));

interface ComposerMenuProps {
  text: string;
  setText: (text: string) => void;
  choosePicture: () => void;
  onAttach: (attachment: MessageDraft["attachment"], voice?: OutgoingVoice) => void;
}

/** The menu of attachments and phrases. Attachments that cannot be taken back ask for confirmation first. */
export function ComposerMenu({ choosePicture, ...rest }: ComposerMenuProps) {
  const { onAttach } = rest;
  const copy = useCopy(chatCopy);
  const [sheet, setSheet] = useState<ComposerSheetName>();
  const [areSheetsLoaded, setSheetsLoaded] = useState(false);
  const openSheet = (name: ComposerSheetName) => {
    setSheet(name);
    setSheetsLoaded(true);
  };
  return (
    <>
      <Menu
        icon="plus"
        label={copy.attach}
        items={[
          { id: "picture", icon: "picture", label: copy.addPicture, onSelect: choosePicture },
          { id: "voice", icon: "broadcast", label: copy.voice, onSelect: () => openSheet("voice") },
          { id: "once", icon: "eye-off", label: copy.sendOnce, onSelect: () => openSheet("once") },
          {
            id: "place",
            icon: "map",
            label: copy.sendPlace,
            onSelect: () => onAttach({ type: "position", exact: false }),
          },
          { id: "exact", icon: "gps", label: copy.sendExact, onSelect: () => openSheet("exact") },
          { id: "album", icon: "unlock", label: copy.sendAlbum, onSelect: () => openSheet("album") },
          { id: "phrases", icon: "chat", label: copy.phrases, onSelect: () => openSheet("phrases") },
        ]}
      />
      {areSheetsLoaded && (
        <Suspense fallback={null}>
          <ComposerSheets {...rest} sheet={sheet} close={() => setSheet(undefined)} />
        </Suspense>
      )}
    </>
  );
}
