import type { MessageDraft } from "@lambda/contract/messages";
import { Menu } from "@lambda/ui/menu";
import { useCopy } from "../../../format/i18n.ts";
import { chatCopy } from "../copy.ts";
import type { ComposerSheetName } from "./ComposerSheets.tsx";

interface ComposerMenuProps {
  choosePicture: () => void;
  openSheet: (name: ComposerSheetName) => void;
  onAttach: (attachment: MessageDraft["attachment"]) => void;
}

/** The menu of attachments and phrases. Attachments that cannot be taken back ask for confirmation first. */
export function ComposerMenu({ choosePicture, openSheet, onAttach }: ComposerMenuProps) {
  const copy = useCopy(chatCopy);
  return (
    <Menu
      icon="plus"
      label={copy.attach}
      items={[
        { id: "picture", icon: "picture", label: copy.addPicture, onSelect: choosePicture },
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
  );
}
