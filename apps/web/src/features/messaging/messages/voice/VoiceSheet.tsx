import { Checkbox } from "@lambda/ui/checkbox";
import { useState } from "react";
import { RecordSheet } from "../../../../components/Voice/RecordSheet.tsx";
import type { OutgoingVoice } from "../outbox/outbox.ts";
import { useVoiceMessageCopy } from "./copy.ts";
import { toOutgoingVoice } from "./upload.ts";

interface VoiceSheetProps {
  open: boolean;
  isHeld: boolean;
  close: () => void;
  onRecord: (voice: OutgoingVoice) => void;
}

export function VoiceSheet({ open, isHeld, close, onRecord }: VoiceSheetProps) {
  const copy = useVoiceMessageCopy();
  const [once, setOnce] = useState(false);
  const leave = () => {
    setOnce(false);
    close();
  };
  return (
    <RecordSheet
      open={open}
      isHeld={isHeld}
      title={copy.title}
      hint={copy.hint}
      doneLabel={copy.send}
      close={leave}
      onDone={async (recorded, signal) => {
        const voice = await toOutgoingVoice(recorded, once);
        if (!signal.aborted) onRecord(voice);
      }}
    >
      <Checkbox label={copy.once} help={copy.onceHint} checked={once} onValue={setOnce} />
    </RecordSheet>
  );
}
