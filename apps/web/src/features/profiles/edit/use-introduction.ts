import type { Profile } from "@lambda/contract/profiles";
import type { ProfileVoice, VoiceAudience } from "@lambda/contract/voices";
import { useToast } from "@lambda/ui/toast";
import { useMutation } from "@tanstack/react-query";
import { trpc } from "../../../api/trpc.ts";
import { useFailureToast } from "../../../components/use-failure-toast.ts";
import type { Recording } from "../../../components/Voice/recorder.ts";
import { sendIntroduction } from "../../../components/Voice/send-introduction.ts";
import { useCopy } from "../../../format/i18n.ts";
import { introductionEditCopy } from "./introduction-copy.ts";

/** Mutations of the member's voice introduction, which also update the cached profile. */
export function useIntroduction({ id, voice }: Profile) {
  const copy = useCopy(introductionEditCopy);
  const toast = useToast();
  const utils = trpc.useUtils();
  const updateCache = (next: ProfileVoice | null) => {
    utils.profiles.mine.setData(
      undefined,
      (mine) => mine && { items: mine.items.map((profile) => ({ ...profile, voice: next })) },
    );
    utils.profiles.get.setData({ id }, (profile) => profile && { ...profile, voice: next });
  };
  const onError = useFailureToast();
  const save = useMutation({
    // Fails immediately while offline and keeps the recording, instead of pausing silently.
    networkMode: "always",
    mutationFn: ({ recording, signal }: { recording: Recording; signal: AbortSignal }) =>
      sendIntroduction(recording, voice?.audience ?? "public", signal),
    onSuccess: (stored) => {
      updateCache(stored);
      toast({ text: copy.saved, tone: "success" });
    },
  });
  const update = trpc.voices.update.useMutation({ onSuccess: updateCache, onError });
  const remove = trpc.voices.delete.useMutation({
    onSuccess: () => {
      updateCache(null);
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
