import type { Conversation } from "@lambda/contract/messages";
import { Badge } from "@lambda/ui/badge";
import { ListRow } from "@lambda/ui/list-row";
import { displayName } from "../../../../format/display-name.ts";
import { shortTime } from "../../../../format/time.ts";
import { useSession } from "../../../../session/session.ts";
import { messageText, useChatCopy } from "../copy.ts";
import { PartnerAvatar } from "../PartnerAvatar.tsx";

/** A conversation, or a search result, which has no unread count. */
type ConversationRowData = Omit<Conversation, "unread"> & { unread?: number };

function hrefOf({ other, message }: ConversationRowData): string {
  return other ? `/chat/personal?with=${other.profileId}` : `/chat/personal?of=${message.id}`;
}

export function ConversationRow({ row, current }: { row: ConversationRowData; current?: boolean }) {
  const copy = useChatCopy();
  const { profileId } = useSession();
  const { other, message, unread = 0 } = row;
  return (
    <ListRow
      href={hrefOf(row)}
      current={current ?? false}
      leading={<PartnerAvatar other={other} size={52} onlineLabel={copy.online} />}
      title={other ? displayName(other.profileName) : copy.away}
      text={`${message.senderProfileId === profileId ? copy.you : ""}${messageText(message, copy)}`}
      time={shortTime(message.tsCreated)}
      dateTime={message.tsCreated}
      unread={unread > 0}
      mark={unread > 0 ? <Badge count={unread} label={copy.unread(unread)} /> : undefined}
    />
  );
}
