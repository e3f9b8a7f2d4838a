import { Button } from "@lambda/ui/button";
import { FormSection } from "@lambda/ui/form-section";
import { trpc } from "../../../api/trpc.ts";
import { LoadMore } from "../../../components/LoadMore.tsx";
import { useFailureToast } from "../../../components/use-failure-toast.ts";
import { useShowAll } from "../../../components/use-show-all.tsx";
import { displayName } from "../../../format/display-name.ts";
import { useCopy } from "../../../format/i18n.ts";
import { settingsCopy } from "../copy.ts";

export function BlockedSection() {
  const { blocked: copy } = useCopy(settingsCopy);
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
                onClick={() => undo.mutate({ profileId })}
              >
                {copy.undo}
              </Button>
            </li>
          ))}
        </ul>
        {all.button}
        {!all.button && <LoadMore query={blocks} label={copy.more} />}
      </FormSection>
    </div>
  );
}
