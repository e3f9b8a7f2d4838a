import type { AlbumGrant } from "@lambda/contract/albums";
import { IconButton } from "@lambda/ui/icon-button";
import { ListRow } from "@lambda/ui/list-row";
import { trpc } from "../../../api/trpc.ts";
import { MemberAvatar } from "../../../components/MemberAvatar.tsx";
import { Pages } from "../../../components/Pages.tsx";
import { displayName } from "../../../format/display-name.ts";
import { dayAndTime } from "../../../format/time.ts";
import { usePicturesCopy } from "../copy.ts";
import css from "./album-panel.module.css";
import { useAlbumActions } from "./use-album-actions.ts";

/** Members who can see the viewer's private album, and members who ask to. */
export function AccessList() {
  const { access: copy, loadFailed } = usePicturesCopy();
  const actions = useAlbumActions();
  const query = trpc.albums.given.useInfiniteQuery({}, { getNextPageParam: (page) => page.nextCursor });
  const empty = (
    <div className={`stack gap-2 items-center text-center ${css.locked}`}>
      <p className="type-lead bold">{copy.empty}</p>
      <p className="muted">{copy.emptyText}</p>
    </div>
  );
  return (
    <div className="stack gap-2">
      <Pages query={query} failed={loadFailed} count={3} empty={empty} more={{ label: copy.more }}>
        {(grants) => (
          <>
            <p className="muted">{copy.text}</p>
            {grants.map((grant) => (
              <GrantRow key={grant.memberProfileId} grant={grant} actions={actions} />
            ))}
          </>
        )}
      </Pages>
    </div>
  );
}

function GrantRow({ grant, actions }: { grant: AlbumGrant; actions: ReturnType<typeof useAlbumActions> }) {
  const { access: copy, album } = usePicturesCopy();
  const { memberProfileId: id, profileName, profilePicId, state, tsExpires } = grant;
  const name = displayName(profileName) || copy.someone;
  return (
    <ListRow
      leading={<MemberAvatar name={profileName} picture={profilePicId} />}
      title={name}
      text={state === "requested" ? copy.asks : tsExpires ? copy.until(dayAndTime(tsExpires)) : copy.open}
      {...(profileName && { href: `/profile/${id}` })}
      actions={
        <>
          {state === "requested" && (
            <IconButton
              icon="check"
              label={copy.forMember(album.grant, name)}
              onClick={() => actions.grant(id, "forever")}
            />
          )}
          <IconButton
            icon="close"
            label={copy.forMember(state === "requested" ? album.decline : album.revoke, name)}
            onClick={() => actions.revoke(id)}
          />
        </>
      }
    />
  );
}
