import { CHAT_AVATAR_PX, DAY_MS } from "@lambda/contract/limits";
import { Avatar } from "@lambda/ui/avatar";
import { Badge } from "@lambda/ui/badge";
import { initialOf } from "@lambda/ui/initial";
import { ListRow } from "@lambda/ui/list-row";
import { pictureUrl } from "../../api/picture-url.ts";
import { trpc } from "../../api/trpc.ts";
import { useNsfw } from "../../device/nsfw.ts";
import { serverNow } from "../../device/server-clock.ts";
import { displayName } from "../../format/display-name.ts";
import { useCopy, useLocale } from "../../format/i18n.ts";
import { shortTime } from "../../format/time.ts";
import { memberCopy } from "./member-copy.ts";
import css from "./member-home.module.css";

const AVATAR_PX = 48;
const UNREAD_SHOWN = 2;

/** What happened while the member was away: unread conversations and the likes of the last day. */
export function News({ unreadMessages }: { unreadMessages: number }) {
  const { member: copy } = useCopy(memberCopy);
  const [locale] = useLocale();
  const conversations = trpc.messages.conversations.useQuery({}, { enabled: unreadMessages > 0 });
  const likes = trpc.likes.briefs.useInfiniteQuery(
    { tab: "profilelikedyou" },
    { getNextPageParam: (page) => page.nextCursor },
  );
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
            leading={<Face name={other?.profileName ?? "?"} picture={other?.picId} />}
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
          leading={<Face name={latest.profileName} picture={latest.profilePicIds[0]} />}
          title={copy.likedYou(displayName(latest.profileName), liked.length - 1)}
          text={latest.match ? copy.match : copy.today}
          time={shortTime(latest.tsLiked, locale)}
          dateTime={latest.tsLiked}
        />
      )}
    </section>
  );
}

function Face({ name, picture }: { name: string; picture: number | null | undefined }) {
  const [nsfw] = useNsfw();
  return (
    <Avatar
      alt=""
      size={AVATAR_PX}
      initial={initialOf(name) || "?"}
      {...(picture && { src: pictureUrl(picture, CHAT_AVATAR_PX, nsfw) })}
    />
  );
}
