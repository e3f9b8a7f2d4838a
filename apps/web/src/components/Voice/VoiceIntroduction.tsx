import type { ProfileVoice } from "@lambda/contract/voices";
import { defineCopyHook } from "../../format/i18n.ts";
import VoicePlayer from "./VoicePlayer.tsx";

const useIntroductionCopy = defineCopyHook({
  en: { title: "Voice introduction" },
  es: { title: "Presentación de voz" },
});

export default function VoiceIntroduction({ voice }: { voice: ProfileVoice }) {
  const copy = useIntroductionCopy();
  return (
    <section className="stack" aria-label={copy.title}>
      <VoicePlayer src={`/api/profile-voice/${voice.id}`} durationMs={voice.durationMs} peaks={voice.peaks} />
    </section>
  );
}
