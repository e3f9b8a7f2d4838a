import type { LikeType } from "@lambda/contract/likes";
import { Button } from "@lambda/ui/button";
import { useLike } from "../../../components/MemberActions/use-like.ts";
import { useCopy } from "../../../format/i18n.ts";
import { profileCopy } from "../copy.ts";
import css from "./like-bar.module.css";

/** The like button, which toggles between LIKE and DISLIKE, and the chat button. */
export function LikeBar({
  profileId,
  likeType,
  ready,
}: {
  profileId: number;
  likeType: LikeType | null;
  ready: boolean;
}) {
  const copy = useCopy(profileCopy);
  const like = useLike();
  const liked = likeType === "LIKE";
  return (
    <div className={css.bar}>
      <Button
        icon={liked ? "heart-filled" : "heart"}
        disabled={!ready}
        onClick={() => like(profileId, liked ? "DISLIKE" : "LIKE")}
      >
        {liked ? copy.removeLike : copy.like}
      </Button>
      <Button variant="primary" icon="chat" href={`/chat/personal?with=${profileId}`}>
        {copy.chat}
      </Button>
    </div>
  );
}
