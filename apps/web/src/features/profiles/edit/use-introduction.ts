import type { Profile } from "@lambda/contract/profiles";
import type { ProfileVoice, VoiceAudience } from "@lambda/contract/voices";
import { useToast } from "@lambda/ui/toast";
import { useMutation } from "@tanstack/react-query";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import type { Recorded } from "../../../components/Voice/recorder.ts";
import { useCopy } from "../../../format/i18n.ts";
import { introductionEditCopy } from "./introduction-copy.ts";
import { sendIntroduction } from "./send-introduction.ts";

/** What its owner can do with a voice introduction; each shows at once wherever the own profile is read. */
export function useIntroduction({ id, voice }: Profile) {
  const copy = useCopy(introductionEditCopy);
  const toast = useToast();
  const utils = trpc.useUtils();
  const show = (next: ProfileVoice | null) => {
    utils.profiles.mine.setData(
      undefined,
      (mine) => mine && { items: mine.items.map((one) => ({ ...one, voice: next })) },
    );
    utils.profiles.get.setData({ id }, (profile) => profile && { ...profile, voice: next });
  };
  const onError = (error: unknown) => toast({ text: errorText(error), tone: "danger" });
  const save = useMutation({
    // Offline it fails at once and the recording stays, instead of waiting without a word.
    networkMode: "always",
    mutationFn: (recorded: Recorded) => sendIntroduction(recorded, voice?.audience ?? "public"),
    onSuccess: (stored) => {
      show(stored);
      toast({ text: copy.saved, tone: "success" });
    },
  });
  const update = trpc.voices.update.useMutation({ onSuccess: show, onError });
  const remove = trpc.voices.delete.useMutation({
    onSuccess: () => {
      show(null);
      toast({ text: copy.removed });
    },
    onError,
  });
  return {
    save,
    remove: () => remove.mutate(),
    isRemoving: remove.isPending,
    setAudience: (audience: VoiceAudience) => update.mutate({ audience }),
  };
}
