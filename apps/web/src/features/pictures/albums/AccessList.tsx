import type { AlbumGrant } from "@lambda/contract/albums";
import { Avatar } from "@lambda/ui/avatar";
import { Button } from "@lambda/ui/button";
import { IconButton } from "@lambda/ui/icon-button";
import { initialOf } from "@lambda/ui/initial";
import { ListRow } from "@lambda/ui/list-row";
import { Skeleton } from "@lambda/ui/skeleton";
import { pictureUrl } from "../../../api/picture-url.ts";
import { trpc } from "../../../api/trpc.ts";
import { QueryErrorState } from "../../../components/QueryErrorState.tsx";
import { useNsfw } from "../../../device/nsfw.ts";
import { displayName } from "../../../format/display-name.ts";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { dayAndTime } from "../../../format/time.ts";
import { picturesCopy } from "../copy.ts";
import css from "./album-panel.module.css";
import { useAlbumActions } from "./use-album-actions.ts";

const AVATAR_PX = 48;

/** Members who can see the viewer's private album, and members who ask to. */
export function AccessList() {
  const { access: copy, loadFailed } = useCopy(picturesCopy);
  const actions = useAlbumActions();
  const query = trpc.albums.given.useInfiniteQuery({}, { getNextPageParam: (page) => page.nextCursor });
  if (query.isPending) return <Skeleton shape="rows" count={3} />;
  if (query.isLoadingError) return <QueryErrorState title={loadFailed} query={query} />;
  const grants = query.data?.pages.flatMap((page) => page.items) ?? [];
  if (grants.length === 0) {
    return (
      <div className={css.locked}>
        <p className="type-lead bold">{copy.empty}</p>
        <p className="muted">{copy.emptyText}</p>
      </div>
    );
  }
  return (
    <div className="stack gap-2">
      <p className="muted">{copy.text}</p>
      {grants.map((grant) => (
        <GrantRow key={grant.memberProfileId} grant={grant} actions={actions} />
      ))}
      {query.hasNextPage && (
        <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {copy.more}
        </Button>
      )}
    </div>
  );
}

function GrantRow({ grant, actions }: { grant: AlbumGrant; actions: ReturnType<typeof useAlbumActions> }) {
  const { access: copy, album } = useCopy(picturesCopy);
  const [locale] = useLocale();
  const [nsfw] = useNsfw();
  const { memberProfileId: id, profileName, profilePicId, state, tsExpires } = grant;
  const name = displayName(profileName) || copy.someone;
  return (
    <ListRow
      leading={
        <Avatar
          initial={initialOf(profileName) || "?"}
          alt=""
          {...(profilePicId && { src: pictureUrl(profilePicId, AVATAR_PX, nsfw) })}
        />
      }
      title={name}
      text={state === "requested" ? copy.asks : tsExpires ? copy.until(dayAndTime(tsExpires, locale)) : copy.open}
      {...(profileName && { href: `/profile/${id}` })}
      actions={
        <>
          {state === "requested" && (
            <IconButton icon="check" label={`${album.grant}: ${name}`} onClick={() => actions.grant(id, "forever")} />
          )}
          <IconButton
            icon="close"
            label={`${state === "requested" ? album.decline : album.revoke}: ${name}`}
            onClick={() => actions.revoke(id)}
          />
        </>
      }
    />
  );
}
