import { CHAT_AVATAR_PX, DAY_MS } from "@lambda/contract/limits";
import { Badge } from "@lambda/ui/badge";
import { ListRow } from "@lambda/ui/list-row";
import { trpc } from "../../api/trpc.ts";
import { MemberAvatar } from "../../components/MemberAvatar.tsx";
import { serverNow } from "../../device/server-clock.ts";
import { displayName } from "../../format/display-name.ts";
import { useCopy, useLocale } from "../../format/i18n.ts";
import { shortTime } from "../../format/time.ts";
import { memberCopy } from "./member-copy.ts";
import css from "./member-home.module.css";

const UNREAD_SHOWN = 2;

/** What News shows. */
export function useNews(unreadMessages: number) {
  const conversations = trpc.messages.conversations.useQuery({}, { enabled: unreadMessages > 0 });
  const likes = trpc.likes.briefs.useInfiniteQuery(
    { tab: "profilelikedyou" },
    { getNextPageParam: (page) => page.nextCursor },
  );
  return { conversations, likes };
}

/** What happened while the member was away: unread conversations and the likes of the last day. */
export function News({
  unreadMessages,
  conversations,
  likes,
}: { unreadMessages: number } & ReturnType<typeof useNews>) {
  const { member: copy } = useCopy(memberCopy);
  const [locale] = useLocale();
  const unread = conversations.data?.items.filter((row) => row.unread > 0).slice(0, UNREAD_SHOWN) ?? [];
  const liked = likes.data?.pages[0]?.items.filter(({ tsLiked }) => serverNow() - Date.parse(tsLiked) < DAY_MS) ?? [];
  const [latest] = liked;
  if ((unreadMessages === 0 || unread.length === 0) && !latest) return null;
  return (
    <section className={css.news} aria-label={copy.news}>
      {unreadMessages > 0 &&
        unread.map(({ other, message, unread: count }) => (
          <ListRow
            key={message.id}
            href={`/chat/personal?${other ? `with=${other.profileId}` : `of=${message.id}`}`}
            leading={<MemberAvatar name={other?.profileName ?? ""} picture={other?.picId} widthPx={CHAT_AVATAR_PX} />}
            title={other ? displayName(other.profileName) : copy.away}
            text={message.bodyText || copy.sentSomething}
            time={shortTime(message.tsCreated, locale)}
            dateTime={message.tsCreated}
            mark={<Badge count={count} label={copy.unread(count)} />}
            unread
          />
        ))}
      {latest && (
        <ListRow
          href="/likes/profilelikedyou"
          leading={
            <MemberAvatar name={latest.profileName} picture={latest.profilePicIds[0]} widthPx={CHAT_AVATAR_PX} />
          }
          title={copy.likedYou(displayName(latest.profileName), liked.length - 1)}
          text={latest.match ? copy.match : copy.today}
          time={shortTime(latest.tsLiked, locale)}
          dateTime={latest.tsLiked}
        />
      )}
    </section>
  );
}
