import { CHAT_AVATAR_PX } from "@lambda/contract/limits";
import type { ChatPartner } from "@lambda/contract/messages";
import { MemberAvatar } from "../../../components/MemberAvatar.tsx";

interface PartnerAvatarProps {
  other: Pick<ChatPartner, "picId" | "profileName" | "online"> | null;
  size: number;
  /** Text for the online dot, for lists that say it nowhere else. */
  onlineLabel?: string;
}

/** The other member's picture, or a question mark while they are not visible. */
export function PartnerAvatar({ other, ...avatar }: PartnerAvatarProps) {
  const { profileName = "", picId, online = false } = other ?? {};
  return <MemberAvatar name={profileName} picture={picId} widthPx={CHAT_AVATAR_PX} online={online} {...avatar} />;
}
