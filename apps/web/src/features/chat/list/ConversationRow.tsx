import type { Conversation } from "@lambda/contract/messages";
import { Badge } from "@lambda/ui/badge";
import { ListRow } from "@lambda/ui/list-row";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { shownName } from "../../../format/shown-name.ts";
import { shortTime } from "../../../format/time.ts";
import { useSession } from "../../../session/session.ts";
import { chatCopy, contentOf } from "../copy.ts";
import { PartnerAvatar } from "../PartnerAvatar.tsx";

type Row = Omit<Conversation, "unread"> & { unread?: number };

function hrefOf({ other, message }: Row): string {
  return other ? `/chat/personal?with=${other.profileId}` : `/chat/personal?of=${message.id}`;
}

export function ConversationRow({ row, current }: { row: Row; current?: boolean }) {
  const copy = useCopy(chatCopy);
  const [locale] = useLocale();
  const { profileId } = useSession();
  const { other, message, unread = 0 } = row;
  return (
    <ListRow
      href={hrefOf(row)}
      current={current ?? false}
      leading={<PartnerAvatar other={other} size={52} onlineLabel={copy.online} />}
      title={other ? shownName(other.profileName) : copy.away}
      text={`${message.senderProfileId === profileId ? copy.you : ""}${contentOf(message, copy)}`}
      time={shortTime(message.tsCreated, locale)}
      dateTime={message.tsCreated}
      unread={unread > 0}
      mark={unread > 0 ? <Badge count={unread} label={copy.unread(unread)} /> : undefined}
    />
  );
}
