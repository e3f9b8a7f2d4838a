import type { LikeType } from "@lambda/contract/likes";
import { Button } from "@lambda/ui/button";
import { BlockedNotice } from "../../../components/MemberActions/MemberMenu.tsx";
import type { Blocking } from "../../../components/MemberActions/use-block.ts";
import { useLike } from "../../../components/MemberActions/use-like.ts";
import { useProfileCopy } from "../copy.ts";
import css from "./like-bar.module.css";

/** The like button, which toggles between LIKE and DISLIKE, and the chat button; after a block only that it happened. */
export function LikeBar({
  profileId,
  likeType,
  ready,
  blocking,
}: {
  profileId: number;
  likeType: LikeType | null;
  ready: boolean;
  blocking: Blocking;
}) {
  const copy = useProfileCopy();
  const like = useLike();
  const liked = likeType === "LIKE";
  if (blocking.blocked) {
    return (
      <div className={`stack gap-3 two-columns ${css.bar}`}>
        <BlockedNotice blocking={blocking} />
      </div>
    );
  }
  return (
    <div className={`stack gap-3 two-columns ${css.bar}`}>
      <Button
        icon={liked ? "heart-filled" : "heart"}
        data-liked={liked || undefined}
        disabled={!ready}
        label={liked ? copy.removeLike : copy.like}
        onClick={() => like(profileId, liked ? "DISLIKE" : "LIKE")}
      />
      <Button variant="primary" icon="chat" href={`/chat/personal?with=${profileId}`} label={copy.chat} />
    </div>
  );
}
