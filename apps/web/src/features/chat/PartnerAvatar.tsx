import { CHAT_AVATAR_PX } from "@lambda/contract/limits";
import type { ChatPartner } from "@lambda/contract/messages";
import { Avatar } from "@lambda/ui/avatar";
import { initialOf } from "@lambda/ui/initial";
import { pictureUrl } from "../../api/picture-url.ts";
import { useNsfw } from "../../device/nsfw.ts";

/** The other member's picture, or a question mark while they are not visible. */
export function PartnerAvatar({
  other,
  size,
  onlineLabel,
}: {
  other: Pick<ChatPartner, "picId" | "profileName" | "online"> | null;
  size: number;
  /** Text for the online dot, for lists that say it nowhere else. */
  onlineLabel?: string;
}) {
  const [nsfw] = useNsfw();
  const src = other?.picId ? pictureUrl(other.picId, CHAT_AVATAR_PX, nsfw) : undefined;
  return (
    <Avatar
      alt=""
      size={size}
      online={other?.online ?? false}
      {...(onlineLabel ? { onlineLabel } : {})}
      initial={other ? initialOf(other.profileName) || "?" : "?"}
      {...(src ? { src } : {})}
    />
  );
}
