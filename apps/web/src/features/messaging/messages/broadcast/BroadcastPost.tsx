import type { BroadcastMessage } from "@lambda/contract/messages";
import { Divider } from "@lambda/ui/divider";
import { Link } from "@lambda/ui/link";
import { Menu } from "@lambda/ui/menu";
import { Picture } from "@lambda/ui/picture";
import { pictureSource } from "../../../../api/picture-url.ts";
import { useCoveredPictures } from "../../../../components/covered-pictures.ts";
import { useNsfw } from "../../../../device/nsfw.ts";
import { displayName } from "../../../../format/display-name.ts";
import { clockTime, dayName } from "../../../../format/time.ts";
import { carouselPath } from "../../../../routing/paths.ts";
import css from "../chat.module.css";
import { useChatCopy } from "../copy.ts";
import { PartnerAvatar } from "../PartnerAvatar.tsx";
import { PictureCover } from "../PictureCover.tsx";
import { PixelationNote } from "../PixelationNote.tsx";
import { useBroadcastCopy } from "./copy.ts";

interface BroadcastPostProps {
  post: BroadcastMessage;
  own: boolean;
  onDecline: () => void;
  onRemove: () => void;
  onBlock: () => void;
  onReport: () => void;
}

/** Readers of the map chat did not ask for the pictures of others, so these are covered like those of strangers. */
function PostPictures({ post, own, onDecline }: Pick<BroadcastPostProps, "post" | "own" | "onDecline">) {
  const copy = useChatCopy();
  const areaCopy = useBroadcastCopy();
  const [nsfw] = useNsfw();
  const cover = useCoveredPictures(`message ${post.id}`, own ? undefined : false);
  if (cover.declined) return <p className={css.note}>{areaCopy.declined}</p>;
  if (cover.covered) {
    const decline = () => {
      cover.decline();
      onDecline();
    };
    return <PictureCover count={post.profilePicIds.length} onShow={cover.uncover} onDecline={decline} />;
  }
  return (
    <div className={`stack mt-2 radius-2 clip gap-hair ${css.postPictures}`}>
      {post.profilePicIds.map((id) => (
        <Link key={id} href={carouselPath(post.senderProfileId, id, post.profilePicIds)}>
          <Picture src={pictureSource(id, nsfw)} alt={copy.picture} sizes="200px" />
        </Link>
      ))}
      {!own && <PixelationNote />}
    </div>
  );
}

export function BroadcastPost({ post, own, onDecline, onRemove, onBlock, onReport }: BroadcastPostProps) {
  const copy = useChatCopy();
  const areaCopy = useBroadcastCopy();
  const name = displayName(post.senderProfileName);
  const profile = `/profile/${post.senderProfileId}`;
  return (
    <article>
      <Divider>
        <time dateTime={post.tsCreated}>{`${dayName(post.tsCreated, copy)}, ${clockTime(post.tsCreated)}`}</time>
      </Divider>
      <div className={`stack ${css.post}`}>
        <Link href={profile} aria-label={name}>
          <PartnerAvatar other={{ picId: post.senderPicId, profileName: name, online: false }} size={48} />
        </Link>
        <div>
          <h2 className="type-lead truncate" dir="auto">
            <Link href={profile}>{name}</Link>
          </h2>
          {post.bodyText && <p>{post.bodyText}</p>}
          {post.profilePicIds.length > 0 && <PostPictures post={post} own={own} onDecline={onDecline} />}
        </div>
        <Menu
          label={areaCopy.more}
          items={
            own
              ? [{ icon: "trash", label: copy.takeBack, danger: true, onSelect: onRemove }]
              : [
                  { icon: "chat", label: copy.message, href: `/chat/personal?with=${post.senderProfileId}` },
                  { icon: "flag", label: copy.report, opensSheet: true, onSelect: onReport },
                  { icon: "block", label: areaCopy.block, danger: true, opensSheet: true, onSelect: onBlock },
                ]
          }
        />
      </div>
    </article>
  );
}
