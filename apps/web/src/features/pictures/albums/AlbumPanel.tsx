import { Button } from "@lambda/ui/button";
import { Icon } from "@lambda/ui/icon";
import { Skeleton } from "@lambda/ui/skeleton";
import { trpc } from "../../../api/trpc.ts";
import { useCoveredPictures } from "../../../components/covered-pictures.ts";
import { QueryErrorState } from "../../../components/QueryErrorState.tsx";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { dayAndTime } from "../../../format/time.ts";
import { picturesCopy } from "../copy.ts";
import { AlbumPictures } from "./AlbumPictures.tsx";
import css from "./album-panel.module.css";
import { GrantAccess } from "./GrantAccess.tsx";
import { useAlbumActions } from "./use-album-actions.ts";

/** Covers an album that the viewer did not ask for until they press the button. */
function CoveredAlbum({ profileId, wasRequested }: { profileId: number; wasRequested: boolean }) {
  const copy = useCopy(picturesCopy).album;
  const { covered, uncover } = useCoveredPictures(`album ${profileId}`, wasRequested);
  if (!covered) return <AlbumPictures profileId={profileId} />;
  return (
    <div className={css.locked}>
      <span className={css.lock}>
        <Icon name="eye-off" size={32} />
      </span>
      <p className={css.quiet}>{copy.unasked}</p>
      <Button onClick={uncover}>{copy.uncover}</Button>
    </div>
  );
}

/**
 * Access to private albums in both directions: the viewer's to this member's album, and this member's to the viewer's.
 */
export function AlbumPanel({ profileId }: { profileId: number }) {
  const { album: copy, loadFailed } = useCopy(picturesCopy);
  const [locale] = useLocale();
  const actions = useAlbumActions();
  const query = trpc.albums.status.useQuery({ profileId });
  if (query.isPending) return <Skeleton shape="tiles" count={2} />;
  if (!query.data) return <QueryErrorState title={loadFailed} query={query} />;
  const { data: status } = query;
  const { received, receivedTsExpires, hasPictures } = status;

  return (
    <div className={css.panel}>
      {received === "granted" ? (
        <>
          <p className={css.state}>
            <Icon name="unlock" size={20} />
            {receivedTsExpires ? copy.until(dayAndTime(receivedTsExpires, locale)) : copy.open}
          </p>
          <CoveredAlbum profileId={profileId} wasRequested={status.asked} />
        </>
      ) : received === "none" && !hasPictures ? (
        <p className={css.quiet}>{copy.none}</p>
      ) : (
        <div className={css.locked}>
          <span className={css.lock}>
            <Icon name="lock" size={32} />
          </span>
          <p className={css.title}>{received === "requested" ? copy.requested : copy.locked}</p>
          <p className={css.quiet}>{received === "requested" ? copy.requestedText : copy.lockedText}</p>
          {received === "requested" ? (
            <Button variant="quiet" busy={actions.busy} onClick={() => actions.withdraw(profileId)}>
              {copy.withdraw}
            </Button>
          ) : (
            <Button icon="lock" busy={actions.busy} onClick={() => actions.request(profileId)}>
              {copy.request}
            </Button>
          )}
        </div>
      )}
      <GrantAccess status={status} actions={actions} />
    </div>
  );
}
