import { PHRASE_MAX_CHARS, PHRASES_MAX } from "@lambda/contract/limits";
import type { MessageDraft } from "@lambda/contract/messages";
import { Button } from "@lambda/ui/button";
import { IconButton } from "@lambda/ui/icon-button";
import { useToast } from "@lambda/ui/toast";
import { useState } from "react";
import { createPortal } from "react-dom";
import { ClosableSheet } from "../../../../components/ClosableSheet.tsx";
import { QueryState } from "../../../../components/QueryState.tsx";
import { useAbortSignal } from "../../../../components/use-abort-signal.ts";
import { useChatPreferences } from "../../../../components/use-chat-preferences.ts";
import { usePositionCopy } from "../../../places/positions/copy.ts";
import { requestGpsPosition } from "../../../places/positions/gps.ts";
import type { GpsErrorKind } from "../../../places/positions/machine-types.ts";
import css from "../chat.module.css";
import type { OutgoingVoice } from "../outbox/outbox.ts";
import { VoiceSheet } from "../voice/VoiceSheet.tsx";
import { OnceSheet } from "./OnceSheet.tsx";
import { useSheetsCopy } from "./sheets-copy.ts";

export type ComposerSheetName = "exact" | "album" | "phrases" | "once" | "voice";

interface ComposerSheetsProps {
  sheet: ComposerSheetName | undefined;
  /** The microphone is pressed: records until it is let go. */
  isHeld: boolean;
  close: () => void;
  text: string;
  setText: (text: string) => void;
  onAttach: (attachment: MessageDraft["attachment"], voice?: OutgoingVoice) => void;
}

/** The sheets of the composer's menu: confirmations, recordings and saved phrases. */
export default function ComposerSheets({ sheet, isHeld, close, ...rest }: ComposerSheetsProps) {
  const { text, setText, onAttach } = rest;
  const copy = useSheetsCopy();
  const gpsCopy = usePositionCopy();
  const toast = useToast();

  const locating = useAbortSignal();
  const [isLocating, setLocating] = useState(false);

  const cancel = () => {
    locating.abort();
    close();
  };
  const confirm = async () => {
    if (sheet === "album") {
      close();
      return onAttach({ type: "album" });
    }
    const signal = locating.begin();
    setLocating(true);
    try {
      const { lat, lon } = await requestGpsPosition(signal);
      close();
      onAttach({ type: "position", exact: true, lat, lon });
    } catch (kind) {
      if (signal.aborted) return;
      close();
      toast({ text: gpsCopy.gps(gpsCopy.errors[kind as GpsErrorKind]), tone: "warn" });
    } finally {
      setLocating(false);
    }
  };
  // A portal, because the forms and fields of the sheets must not be nested in the composer's form.
  return createPortal(
    <>
      <ClosableSheet
        open={sheet === "exact" || sheet === "album"}
        onClose={cancel}
        title={sheet === "album" ? copy.albumTitle : copy.exactTitle}
        cancels
        footer={
          <Button
            variant="primary"
            full
            busy={isLocating}
            label={sheet === "album" ? copy.albumYes : copy.exactYes}
            onClick={() => void confirm()}
          />
        }
      >
        <p>{sheet === "album" ? copy.albumText : copy.exactText}</p>
        <p role="status">{isLocating && copy.locating}</p>
      </ClosableSheet>
      <OnceSheet open={sheet === "once"} close={close} onAttach={onAttach} />
      <VoiceSheet
        open={sheet === "voice"}
        isHeld={isHeld}
        close={close}
        onRecord={(voice) => onAttach(undefined, voice)}
      />
      <ClosableSheet open={sheet === "phrases"} onClose={close} title={copy.phrases}>
        {sheet === "phrases" && (
          <Phrases
            text={text}
            onPick={(phrase) => {
              setText(text ? `${text} ${phrase}` : phrase);
              close();
            }}
          />
        )}
      </ClosableSheet>
    </>,
    document.body,
  );
}

function Phrases({ text, onPick }: { text: string; onPick: (phrase: string) => void }) {
  const copy = useSheetsCopy();
  const { query, preferences, save, isSaving } = useChatPreferences();
  const phrases = preferences?.phrases ?? [];
  const canSave =
    preferences && text.trim().length > 0 && text.trim().length <= PHRASE_MAX_CHARS && phrases.length < PHRASES_MAX;
  return (
    <div className="stack gap-4">
      {!preferences && <QueryState compact query={query} />}
      <div>
        {phrases.map((phrase) => (
          <div key={phrase} className={`row gap-2 ruled-below ${css.phrase}`}>
            <button type="button" onClick={() => onPick(phrase)}>
              {phrase}
            </button>
            <IconButton
              icon="trash"
              label={copy.removePhrase}
              onClick={() => save((known) => ({ phrases: known.phrases.filter((other) => other !== phrase) }))}
            />
          </div>
        ))}
        {preferences && phrases.length === 0 && <p className={css.note}>{copy.noPhrases}</p>}
      </div>
      {canSave && !phrases.includes(text.trim()) && (
        <Button
          icon="plus"
          busy={isSaving}
          label={copy.savePhrase}
          onClick={() => save((known) => ({ phrases: [...known.phrases, text.trim()] }))}
        />
      )}
    </div>
  );
}
