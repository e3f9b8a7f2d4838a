import { CHAT_AVATAR_PX, DAY_MS, TILES_PAGE_SIZE, TILES_REFETCH_MS } from "@lambda/contract/limits";
import type { NearbyBrief } from "@lambda/contract/positions";
import { Badge } from "@lambda/ui/badge";
import { Banner, Problem } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { Card, CardDeck, LeadCard } from "@lambda/ui/card";
import { classes } from "@lambda/ui/classes";
import { Icon } from "@lambda/ui/icon";
import { Link } from "@lambda/ui/link";
import { ListRow } from "@lambda/ui/list-row";
import { Radar } from "@lambda/ui/radar";
import { Skeleton } from "@lambda/ui/skeleton";
import { useEffect, useState } from "react";
import { trpc } from "../../api/trpc.ts";
import { allAsOne } from "../../components/all-as-one.ts";
import { HidingNotice } from "../../components/HidingNotice.tsx";
import loading from "../../components/loading-delay.module.css";
import { MemberAvatar } from "../../components/MemberAvatar.tsx";
import { MemberTiles } from "../../components/MemberTile/MemberTiles.tsx";
import { NsfwSwitch } from "../../components/NsfwSwitch.tsx";
import { QueryState } from "../../components/QueryState.tsx";
import { SisterBrands, useHomeBrand } from "../../components/SisterBrands.tsx";
import { dayPart } from "../../components/Tonight/day-part.ts";
import { TonightRow } from "../../components/Tonight/TonightRow.tsx";
import { readDeviceValue, useDeviceValue, writeDeviceValue } from "../../device/device-storage.ts";
import { FIRST_HINTS } from "../../device/first-hints.ts";
import { serverNow } from "../../device/server-clock.ts";
import { WELCOME_STEP, WELCOME_STEPS } from "../../device/welcome-step.ts";
import { displayName } from "../../format/display-name.ts";
import { isOnline } from "../../format/is-online.ts";
import { shortTime } from "../../format/time.ts";
import { goTo } from "../../routing/navigation.ts";
import { optionalPart } from "../../routing/optional-part.tsx";
import type { Session } from "../../session/session.ts";
import { formatFilters } from "../profiles/search/filters/filters.ts";
import { useMemberCopy } from "./member-copy.ts";
import css from "./member-home.module.css";

/** Two rows on a phone, one on a desktop. */
const FACES = 8;

/** The new members near the viewer first, then the nearest, each with a picture and those online first. Nothing if there are none. */
function Faces({ nearest, fresh, isLoading }: { nearest: Briefs; fresh: Briefs; isLoading: boolean }) {
  const { member: copy } = useMemberCopy();
  // As it was when each was first shown, so that no refetch moves a face under a finger.
  const [presence] = useState(() => new Map<number, boolean>());
  for (const brief of [...fresh, ...nearest])
    if (!presence.has(brief.profileId)) presence.set(brief.profileId, isOnline(brief));
  const rank = ({ profileId }: NearbyBrief) => (presence.get(profileId) ? 0 : 1);
  const onlineFirst = (briefs: Briefs) => briefs.toSorted((a, b) => rank(a) - rank(b));
  const freshIds = new Set(fresh.map(({ profileId }) => profileId));
  const others = nearest.filter(({ profileId }) => !freshIds.has(profileId)).filter(hasFace);
  const shown = onlineFirst(fresh.filter(hasFace)).slice(0, FACES);
  const faces = [...shown, ...onlineFirst(others.slice(0, FACES - shown.length))];
  if (faces.length === 0 && !isLoading) return null;
  return (
    <section className="bleed" aria-label={copy.nearest}>
      {isLoading ? (
        <Skeleton shape="tiles" count={FACES} label={copy.nearest} />
      ) : (
        <MemberTiles members={faces} label={copy.nearest} />
      )}
    </section>
  );
}

type Briefs = readonly NearbyBrief[];
const hasFace = ({ profilePicIds }: NearbyBrief) => profilePicIds.length > 0;

/** As far as one goes to meet somebody: 25 miles. */
const NEW_NEAR_METERS = 40_234;
const NEW_FILTERS = { newHere: true, maxDistanceMeters: NEW_NEAR_METERS } as const;

const CARDS = [
  { key: "tiles", href: "/search/tile", icon: "tiles" },
  { key: "swype", href: "/search/swype", icon: "cards" },
  { key: "read", href: "/search/profile", icon: "list" },
  { key: "chat", href: "/chat/personal", icon: "chat" },
  { key: "broadcast", href: "/chat/broadcast", icon: "broadcast" },
  { key: "games", href: "/games", icon: "games" },
  { key: "likes", href: "/likes/profilelikedyou", icon: "heart" },
  { key: "edit", href: "/profileEdit", icon: "edit" },
  { key: "account", href: "/settings", icon: "gear" },
  { key: "about", href: "/aboutus", icon: "info" },
  { key: "logout", href: "/logout", icon: "logout" },
] as const;

export default function MemberHome({ session }: { session: Session }) {
  const { member } = useMemberCopy();
  const { context } = session;
  const unread = context?.unreadMessages ?? 0;
  const [welcome] = useDeviceValue(WELCOME_STEP);
  const [hints, setHints] = useDeviceValue(FIRST_HINTS);
  const isNew = context?.profileName === "" && welcome === WELCOME_STEP.fallback;
  // The first page of the tiles, which therefore open at once.
  const nearest = trpc.positions.nearest.useInfiniteQuery(
    { size: TILES_PAGE_SIZE },
    { getNextPageParam: (page) => page.nextCursor, staleTime: TILES_REFETCH_MS },
  );
  // The first page of the tiles behind the link.
  const newNear = trpc.positions.nearest.useInfiniteQuery(
    { size: TILES_PAGE_SIZE, ...NEW_FILTERS },
    { getNextPageParam: (page) => page.nextCursor, staleTime: TILES_REFETCH_MS },
  );
  const fresh = newNear.data?.pages.flatMap((page) => page.items) ?? [];
  const news = useNews(unread);
  const failed = [nearest, news.conversations, news.likes].filter(({ isLoadingError }) => isLoadingError);
  const members = nearest.data?.pages[0]?.items ?? [];
  const online = members.filter(isOnline).length;
  useEffect(() => {
    if (isNew) goTo("/welcome", { replace: true });
  }, [isNew]);
  if (isNew) return null;
  return (
    <div className={`stack gap-4 centered ${css.page}`}>
      <div className={css.head}>
        <h2 className="type-title break-anywhere">
          {context?.profileName ? member.hello(displayName(context.profileName)) : member.helloNameless}
        </h2>
        <p className="muted">{member.lead[dayPart(serverNow())]}</p>
      </div>
      <HomeNotices context={context} welcomeStep={welcome} />
      {failed.length > 0 && <QueryState compact query={allAsOne(failed)} />}
      {fresh.length > 0 && (
        <Link
          href={`/search/tile${formatFilters(NEW_FILTERS)}`}
          className={`row between bold undecorated ${css.fresh}`}
        >
          {member.newNear(fresh.length, !newNear.hasNextPage)}
          <Icon name="forward" size={20} />
        </Link>
      )}
      <Faces nearest={members} fresh={fresh} isLoading={nearest.isPending || newNear.isPending} />
      <News unreadMessages={unread} {...news} />
      {context && <TonightRow />}
      {context && !context.sharingChosen && <SharingQuestion sharedOn={context.sharedOn} />}
      {hints === "open" && <FirstHints onClose={() => setHints("closed")} />}
      <div className={classes("stack gap-4", !context && loading.delayed)}>
        <CardDeck>
          <LeadCard
            href="/search/map"
            title={member.cards.map}
            text={online > 0 ? member.onlineNear(online, online === TILES_PAGE_SIZE) : member.mapText}
            backdrop={<Radar />}
          />
        </CardDeck>
        <details>
          <summary className="fold row gap-2 bold">
            {member.more}
            <Icon name="chevron-down" size={20} />
          </summary>
          <CardDeck>
            {CARDS.map(({ key, href, icon }) => (
              <Card
                key={key}
                href={href}
                icon={icon}
                title={member.cards[key]}
                count={key === "chat" ? unread : undefined}
                countLabel={key === "chat" ? member.unread(unread) : undefined}
              />
            ))}
          </CardDeck>
        </details>
        <div className={css.nsfw}>
          <NsfwSwitch />
        </div>
      </div>
    </div>
  );
}

/** What the member still has to do: complete the profile, finish the welcome, choose where to be shown. */
function HomeNotices({ context, welcomeStep }: { context: Session["context"]; welcomeStep: number }) {
  const { member } = useMemberCopy();
  const isComplete = context !== undefined && context.profileName !== "" && context.hasBirthdate;
  return (
    <>
      {context && !isComplete && (
        <Banner
          tone="warn"
          action={<Link href="/welcome">{context.profileName === "" ? member.nameYourself : member.sayBirthdate}</Link>}
        >
          {context.profileName === "" ? member.nameless : member.ageless}
        </Banner>
      )}
      <HidingNotice />
      {isComplete && welcomeStep >= 0 && welcomeStep < WELCOME_STEPS.length && (
        <Banner action={<Link href="/welcome">{member.goOn}</Link>}>
          {member.welcome(welcomeStep + 1, WELCOME_STEPS.length)}
        </Banner>
      )}
    </>
  );
}

const FirstHints = optionalPart(() => import("../accounts/welcome/FirstHints.tsx"));

const UNREAD_SHOWN = 2;

function useNews(unreadMessages: number) {
  const conversations = trpc.messages.conversations.useQuery({}, { enabled: unreadMessages > 0 });
  const likes = trpc.likes.briefs.useInfiniteQuery(
    { tab: "profilelikedyou" },
    { getNextPageParam: (page) => page.nextCursor },
  );
  return { conversations, likes };
}

/** What happened while the member was away: unread conversations and the likes of the last day. */
function News({ unreadMessages, conversations, likes }: { unreadMessages: number } & ReturnType<typeof useNews>) {
  const { member: copy } = useMemberCopy();
  const unread = conversations.data?.items.filter((row) => row.unread > 0).slice(0, UNREAD_SHOWN) ?? [];
  const liked = likes.data?.pages[0]?.items.filter(({ tsLiked }) => serverNow() - Date.parse(tsLiked) < DAY_MS) ?? [];
  const [latest] = liked;
  if ((unreadMessages === 0 || unread.length === 0) && !latest) return null;
  return (
    <section className="edge-rows" aria-label={copy.news}>
      {unreadMessages > 0 &&
        unread.map(({ other, message, unread: count }) => (
          <ListRow
            key={message.id}
            href={`/chat/personal?${other ? `with=${other.profileId}` : `of=${message.id}`}`}
            leading={<MemberAvatar name={other?.profileName ?? ""} picture={other?.picId} widthPx={CHAT_AVATAR_PX} />}
            title={other ? displayName(other.profileName) : copy.away}
            text={message.bodyText || copy.sentSomething}
            time={shortTime(message.tsCreated)}
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
          time={shortTime(latest.tsLiked)}
          dateTime={latest.tsLiked}
        />
      )}
    </section>
  );
}

/** Asked once after the first login. Until answered, members are shown on their home brand only. Nothing is preselected. */
function SharingQuestion({ sharedOn }: { sharedOn: number }) {
  const { sharing } = useMemberCopy();
  useEffect(() => {
    if (readDeviceValue(FIRST_HINTS) === "unseen") writeDeviceValue(FIRST_HINTS, "open");
  }, []);
  const [mask, setMask] = useState(sharedOn);
  const home = useHomeBrand(sharedOn);
  const utils = trpc.useUtils();
  const save = trpc.settings.setSharing.useMutation({ onSuccess: () => utils.accounts.session.invalidate() });
  return (
    <section className="stack gap-3 pad-4 raised radius-3" aria-labelledby="sharing-question">
      <h3 id="sharing-question">{sharing.title}</h3>
      <p className="measure muted">{sharing.text}</p>
      <SisterBrands home={home} value={mask} onChange={setMask} />
      <Problem text={save.isError && sharing.failed} />
      <div className="wrap gap-3">
        <Button
          variant="primary"
          busy={save.isPending}
          disabled={mask === sharedOn}
          label={sharing.yes}
          onClick={() => save.mutate({ sharedOn: mask })}
        />
        <Button busy={save.isPending} label={sharing.only(home.name)} onClick={() => save.mutate({ sharedOn })} />
      </div>
    </section>
  );
}
