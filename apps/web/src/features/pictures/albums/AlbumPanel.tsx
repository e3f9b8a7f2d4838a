import { Button } from "@lambda/ui/button";
import { Icon } from "@lambda/ui/icon";
import { Skeleton } from "@lambda/ui/skeleton";
import { trpc } from "../../../api/trpc.ts";
import { useCoveredPictures } from "../../../components/covered-pictures.ts";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { dayAndTime } from "../../../format/time.ts";
import { picturesCopy } from "../copy.ts";
import { AlbumPictures } from "./AlbumPictures.tsx";
import css from "./album-panel.module.css";
import { GiveAccess } from "./GiveAccess.tsx";
import { useAlbumActs } from "./use-album.ts";

/** An album that was opened unasked shows nothing before the press. */
function CoveredAlbum({ profileId, asked }: { profileId: number; asked: boolean }) {
  const copy = useCopy(picturesCopy).album;
  const { covered, uncover } = useCoveredPictures(`album ${profileId}`, asked);
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

/** Access to private albums, both ways: the viewer's to this member's, and this member's to the viewer's. */
export function AlbumPanel({ profileId }: { profileId: number }) {
  const copy = useCopy(picturesCopy).album;
  const [locale] = useLocale();
  const acts = useAlbumActs();
  const { data: status, isPending } = trpc.albums.status.useQuery({ profileId });
  if (isPending) return <Skeleton shape="tiles" count={2} />;
  if (!status) return <p className={css.quiet}>{copy.none}</p>;
  const { received, receivedTsExpires, hasPictures } = status;

  return (
    <div className={css.panel}>
      {received === "granted" ? (
        <>
          <p className={css.state}>
            <Icon name="unlock" size={20} />
            {receivedTsExpires ? copy.until(dayAndTime(receivedTsExpires, locale)) : copy.open}
          </p>
          <CoveredAlbum profileId={profileId} asked={status.asked} />
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
            <Button variant="quiet" busy={acts.busy} onClick={() => acts.withdraw(profileId)}>
              {copy.withdraw}
            </Button>
          ) : (
            <Button icon="lock" busy={acts.busy} onClick={() => acts.request(profileId)}>
              {copy.request}
            </Button>
          )}
        </div>
      )}
      <GiveAccess status={status} acts={acts} />
    </div>
  );
}
