import type { Profile } from "@lambda/contract/profiles";
import type { ProfileVoice, VoiceAudience } from "@lambda/contract/voices";
import { Button } from "@lambda/ui/button";
import { FormSection } from "@lambda/ui/form-section";
import { RadioGroup } from "@lambda/ui/radio-group";
import { useToast } from "@lambda/ui/toast";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { useFailureToast } from "../../../components/use-failure-toast.ts";
import type { Recording } from "../../../components/Voice/recorder.ts";
import { sendIntroduction } from "../../../components/Voice/send-introduction.ts";
import { lazyPart } from "../../../routing/lazy-part.tsx";
import { optionalPart } from "../../../routing/optional-part.tsx";
import css from "./edit-profile.module.css";
import { useIntroductionEditCopy } from "./introduction-copy.ts";

// The player and the recorder are rarely used, so they are loaded on demand.
const loadRecordSheet = async () => ({
  default: (await import("../../../components/Voice/RecordSheet.tsx")).RecordSheet,
});
const RecordSheet = lazyPart(loadRecordSheet);
const VoicePlayer = optionalPart(
  () => import("../../../components/Voice/VoicePlayer.tsx"),
  <div className={css.room} />,
);

/** Records, replaces and deletes the member's voice introduction, and sets who can play it. */
export function IntroductionEditor({ profile }: { profile: Profile }) {
  const copy = useIntroductionEditCopy();
  const { voice } = profile;
  const { save, remove, isRemoving, setAudience } = useIntroduction(profile);
  const [isOpen, setOpen] = useState<boolean>();
  const showFailure = useFailureToast();
  const open = () => loadRecordSheet().then(() => setOpen(true), showFailure);
  return (
    <FormSection
      title={copy.title}
      text={copy.text}
      value={
        voice
          ? `${Math.round(voice.durationMs / 1000)} s · ${voice.audience === "public" ? copy.everyone : copy.album}`
          : copy.none
      }
    >
      {voice ? (
        <>
          <VoicePlayer
            key={voice.id}
            src={`/api/profile-voice/${voice.id}`}
            durationMs={voice.durationMs}
            peaks={voice.peaks}
          />
          <RadioGroup
            label={copy.audience}
            value={voice.audience}
            onChange={setAudience}
            options={[
              { value: "public", label: copy.everyone, help: copy.everyoneHelp },
              { value: "private", label: copy.album, help: copy.albumHelp },
            ]}
          />
        </>
      ) : (
        <p className="muted">{copy.none}</p>
      )}
      <div className="row wrap gap-3">
        <Button aria-haspopup="dialog" label={voice ? copy.replace : copy.record} onClick={() => void open()} />
        {voice && <RemoveButton onRemove={remove} busy={isRemoving} />}
      </div>
      {isOpen !== undefined && (
        <RecordSheet
          open={isOpen}
          title={copy.title}
          hint={copy.hint}
          doneLabel={save.isPending ? copy.saving : copy.use}
          doneIcon="check"
          close={() => {
            save.reset();
            setOpen(false);
          }}
          onDone={async (recording, signal) => void (await save.mutateAsync({ recording, signal }))}
          isBusy={save.isPending}
          problem={save.isError ? errorText(save.error) : undefined}
        />
      )}
    </FormSection>
  );
}

/** Asks for confirmation, because the deletion cannot be undone. */
function RemoveButton({ onRemove, busy }: { onRemove: () => void; busy: boolean }) {
  const copy = useIntroductionEditCopy();
  const [isConfirming, setConfirming] = useState(false);
  if (!isConfirming) {
    return <Button icon="trash" label={copy.remove} onClick={() => setConfirming(true)} />;
  }
  return (
    <div className="row wrap gap-3">
      <p role="alert">{copy.sure}</p>
      <Button variant="danger" icon="trash" busy={busy} label={copy.yes} onClick={onRemove} />
      <Button variant="quiet" label={copy.no} onClick={() => setConfirming(false)} />
    </div>
  );
}

/** Mutations of the member's voice introduction, which also update the cached profile. */
function useIntroduction({ id, voice }: Profile) {
  const copy = useIntroductionEditCopy();
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
