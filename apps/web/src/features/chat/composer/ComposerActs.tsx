import type { MessageDraft } from "@lambda/contract/messages";
import { Menu } from "@lambda/ui/menu";
import { Suspense, useState } from "react";
import { useCopy } from "../../../format/i18n.ts";
import { lazyScreen } from "../../../routing/lazy-screen.ts";
import { chatCopy } from "../copy.ts";
import type { OutgoingVoice } from "../outbox/outbox.ts";
import type { Asking } from "./ComposerSheets.tsx";

/** Fetched with the first press that needs one, so that chat keeps its weight. */
const ComposerSheets = lazyScreen(() => import("./ComposerSheets.tsx"));

interface ComposerActsProps {
  account: number;
  otherName: string;
  text: string;
  setText: (text: string) => void;
  choosePicture: () => void;
  onAttach: (attachment: MessageDraft["attachment"], voice?: OutgoingVoice) => void;
}

/** What a message can carry besides words. Whatever gives something away for good asks first. */
export function ComposerActs({ choosePicture, ...rest }: ComposerActsProps) {
  const { onAttach } = rest;
  const copy = useCopy(chatCopy);
  const [asking, setAsking] = useState<Asking>();
  const [asked, setAsked] = useState(false);
  const ask = (what: Asking) => {
    setAsking(what);
    setAsked(true);
  };
  return (
    <>
      <Menu
        icon="plus"
        label={copy.attach}
        items={[
          { id: "picture", icon: "picture", label: copy.addPicture, onSelect: choosePicture },
          { id: "voice", icon: "broadcast", label: copy.voice, onSelect: () => ask("voice") },
          { id: "once", icon: "eye-off", label: copy.sendOnce, onSelect: () => ask("once") },
          {
            id: "place",
            icon: "map",
            label: copy.sendPlace,
            onSelect: () => onAttach({ type: "position", exact: false }),
          },
          { id: "exact", icon: "gps", label: copy.sendExact, onSelect: () => ask("exact") },
          { id: "album", icon: "unlock", label: copy.sendAlbum, onSelect: () => ask("album") },
          { id: "phrases", icon: "chat", label: copy.phrases, onSelect: () => ask("phrases") },
          { id: "meet", icon: "shield", label: copy.meet, onSelect: () => ask("meet") },
        ]}
      />
      {asked && (
        <Suspense fallback={null}>
          <ComposerSheets {...rest} asking={asking} close={() => setAsking(undefined)} />
        </Suspense>
      )}
    </>
  );
}
