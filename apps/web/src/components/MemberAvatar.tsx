import { Avatar, type AvatarProps } from "@lambda/ui/avatar";
import { initialOf } from "@lambda/ui/initial";
import { pictureUrl } from "../api/picture-url.ts";
import { useNsfw } from "../device/nsfw.ts";

interface MemberAvatarProps extends Pick<AvatarProps, "size" | "online" | "onlineLabel"> {
  /** Empty while the member is not visible. */
  name: string;
  picture: number | null | undefined;
  /** The width that is fetched. A larger one than `size` is shared with other screens. */
  widthPx?: number;
}

export function MemberAvatar({ name, picture, size = 48, widthPx = size, ...avatar }: MemberAvatarProps) {
  const [nsfw] = useNsfw();
  const src = picture ? { src: pictureUrl(picture, widthPx, nsfw) } : {};
  return <Avatar size={size} initial={initialOf(name) || "?"} {...src} {...avatar} />;
}
