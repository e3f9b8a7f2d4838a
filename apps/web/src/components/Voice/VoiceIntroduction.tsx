import type { ProfileVoice } from "@lambda/contract/voices";
import { useCopy } from "../../format/i18n.ts";
import { introductionCopy } from "./introduction-copy.ts";
import VoicePlayer from "./VoicePlayer.tsx";

export default function VoiceIntroduction({ voice }: { voice: ProfileVoice }) {
  const copy = useCopy(introductionCopy);
  return (
    <section className="stack" aria-label={copy.title}>
      <VoicePlayer src={`/api/profile-voice/${voice.id}`} durationMs={voice.durationMs} peaks={voice.peaks} />
    </section>
  );
}
