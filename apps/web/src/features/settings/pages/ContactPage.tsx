import type { PictureCover } from "@lambda/contract/messages";
import { Button } from "@lambda/ui/button";
import { Folds, FormSection } from "@lambda/ui/form-section";
import { Select } from "@lambda/ui/select";
import { trpc } from "../../../api/trpc.ts";
import { LoadMore } from "../../../components/LoadMore.tsx";
import { QueryState } from "../../../components/QueryState.tsx";
import { useChatPreferences } from "../../../components/use-chat-preferences.ts";
import { useFailureToast } from "../../../components/use-failure-toast.ts";
import { useShowAll } from "../../../components/use-show-all.tsx";
import { displayName } from "../../../format/display-name.ts";
import { useSettingsCopy } from "../copy.ts";
import { FirstContactSection } from "../sections/FirstContactSection.tsx";
import { usePictureCoverCopy } from "../sections/picture-cover-copy.ts";
import { UnwantedWordsSection } from "../sections/UnwantedWordsSection.tsx";
import type { AccountPageProps } from "./pages.ts";

export default function ContactPage({ open }: AccountPageProps) {
  return (
    <Folds open={open}>
      <FirstContactSection />
      <PictureCoverSection />
      <UnwantedWordsSection />
      <BlockedSection />
    </Folds>
  );
}

function PictureCoverSection() {
  const copy = usePictureCoverCopy();
  const { query, preferences, save } = useChatPreferences();
  return (
    <div id="covers">
      <FormSection title={copy.title} text={copy.text} value={preferences && copy.covers[preferences.coverPictures]}>
        {preferences ? (
          <Select
            label={copy.label}
            value={preferences.coverPictures}
            options={(Object.keys(copy.covers) as PictureCover[]).map((value) => ({
              value,
              label: copy.covers[value],
            }))}
            onValue={(coverPictures) => save(() => ({ coverPictures }))}
          />
        ) : (
          <QueryState compact query={query} />
        )}
      </FormSection>
    </div>
  );
}

function BlockedSection() {
  const { blocked: copy } = useSettingsCopy();
  const utils = trpc.useUtils();
  const blocks = trpc.blocks.list.useInfiniteQuery({}, { getNextPageParam: (page) => page.nextCursor });
  const undo = trpc.blocks.undo.useMutation({
    // The unblocked member may reappear on any screen.
    onSuccess: () => utils.invalidate(),
    onError: useFailureToast(),
  });
  const members = blocks.data?.pages.flatMap((page) => page.items) ?? [];
  const all = useShowAll(members);
  return (
    <div id="blocked">
      <FormSection
        title={copy.title}
        text={copy.text}
        value={blocks.isSuccess && (blocks.hasNextPage ? `${members.length}+` : members.length)}
      >
        {blocks.isLoadingError && <QueryState compact query={blocks} />}
        {blocks.isSuccess && members.length === 0 && <p className="muted">{copy.none}</p>}
        <ul className="stack plain-list">
          {all.shown.map(({ profileId, profileName }) => (
            <li key={profileId} className="row gap-3 tall py-2 ruled">
              <span className="grow min-0 break-anywhere">
                {profileName === null ? <span className="muted">{copy.gone}</span> : displayName(profileName)}
              </span>
              <Button
                aria-label={copy.undoName(profileName ?? copy.gone)}
                busy={undo.isPending && undo.variables.profileId === profileId}
                label={copy.undo}
                onClick={() => undo.mutate({ profileId })}
              />
            </li>
          ))}
        </ul>
        {all.button}
        {!all.button && <LoadMore query={blocks} />}
      </FormSection>
    </div>
  );
}
