import { Button } from "@lambda/ui/button";
import { EmptyState } from "@lambda/ui/empty-state";
import { Skeleton } from "@lambda/ui/skeleton";
import { useSearchParams } from "wouter";
import { trpc } from "../../../api/trpc.ts";
import { QueryState } from "../../../components/QueryState.tsx";
import { parseId } from "../../../routing/paths.ts";
import { useSession } from "../../../session/session.ts";
import { usePicturesCopy } from "../copy.ts";
import { RateStack } from "./RateStack.tsx";
import css from "./rate-stack.module.css";
import { rotateToStart } from "./rotate-to-start.ts";

/** Another member's pictures as a stack of cards, starting with `startProfilePicId`. Blank without profileId. */
export default function RateSwipeScreen() {
  const { rate: copy, loadFailed, noPublic, view } = usePicturesCopy();
  const [params] = useSearchParams();
  const { profileId: own } = useSession();
  const profileId = parseId(params.get("profileId"));
  const start = parseId(params.get("startProfilePicId"));
  const query = trpc.pictures.list.useQuery(
    { profileId: profileId ?? 0 },
    { enabled: profileId !== undefined && own !== 0 && profileId !== own },
  );
  if (profileId === undefined) return null;
  if (profileId === own) {
    return (
      <EmptyState
        figure="window"
        title={copy.own}
        text={copy.ownText}
        action={<Button href="/profileEdit" label={copy.edit} />}
      />
    );
  }
  if (query.isPending) {
    return (
      <div className="row column gap-4 justify-center grow">
        <div className={css.stack}>
          <Skeleton width="100%" height="100%" />
        </div>
      </div>
    );
  }
  if (!query.data) return <QueryState query={query} failed={loadFailed} />;
  const pictures = query.data.items;
  if (pictures.length === 0) {
    return (
      <EmptyState figure="window" title={noPublic} action={<Button href={`/profile/${profileId}`} label={view} />} />
    );
  }
  return <RateStack key={`${profileId}-${start}`} profileId={profileId} pictures={rotateToStart(pictures, start)} />;
}
