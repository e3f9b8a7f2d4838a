import { defineCopy } from "@lambda/contract/copy";
import type { ProfileVoice } from "@lambda/contract/voices";
import { useCopy } from "../../format/i18n.ts";
import VoicePlayer from "./VoicePlayer.tsx";

const introductionCopy = defineCopy({
  en: { title: "Voice introduction" },
  es: { title: "Presentación de voz" },
});

export default function VoiceIntroduction({ voice }: { voice: ProfileVoice }) {
  const copy = useCopy(introductionCopy);
  return (
    <section className="stack" aria-label={copy.title}>
      <VoicePlayer src={`/api/profile-voice/${voice.id}`} durationMs={voice.durationMs} peaks={voice.peaks} />
    </section>
  );
}
