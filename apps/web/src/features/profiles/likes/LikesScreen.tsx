import { LIKED_PICS_PAGE_SIZE } from "@lambda/contract/limits";
import { Button } from "@lambda/ui/button";
import { EmptyState } from "@lambda/ui/empty-state";
import { Skeleton } from "@lambda/ui/skeleton";
import { Tabs } from "@lambda/ui/tabs";
import { useEffect, useMemo, useState } from "react";
import { useLocation } from "wouter";
import { trpc } from "../../../api/trpc.ts";
import { MemberTiles, type TileMember } from "../../../components/MemberTile/MemberTiles.tsx";
import { QueryState } from "../../../components/QueryState.tsx";
import { useLoadMore } from "../../../components/use-load-more.ts";
import { carouselPath } from "../../../routing/paths.ts";
import { useLikesCopy } from "./copy.ts";
import { LikeRows } from "./LikeRows.tsx";
import css from "./likes.module.css";

const TABS = ["profilelikedyou", "profilelikedyourpics", "youlikedprofile", "youlikedprofilepics"] as const;
type Tab = (typeof TABS)[number];
const hrefOf = (tab: Tab) => `/likes/${tab}`;

/** The four lists of likes. Likes of profiles are shown as rows, likes of pictures as tiles. */
export default function LikesScreen() {
  const copy = useLikesCopy();
  const [path] = useLocation();
  const tab = TABS.find((candidate) => path === hrefOf(candidate)) ?? "profilelikedyou";
  return (
    <>
      <Tabs
        label={copy.tabs}
        current={hrefOf(tab)}
        tabs={TABS.map((other) => ({ href: hrefOf(other), label: copy[other] }))}
      />
      <LikeList key={tab} tab={tab} />
    </>
  );
}

function LikeList({ tab }: { tab: Tab }) {
  const copy = useLikesCopy();
  const pictures = tab === "profilelikedyourpics" || tab === "youlikedprofilepics";
  const received = tab === "profilelikedyou" || tab === "profilelikedyourpics";
  const likes = trpc.likes.briefs.useInfiniteQuery({ tab }, { getNextPageParam: (page) => page.nextCursor });
  const members = useMemo(() => likes.data?.pages.flatMap((page) => page.items) ?? [], [likes.data]);
  const { hasNextPage } = likes;
  const [footer, setFooter] = useState<HTMLElement | null>(null);
  useLoadMore(useIsNear(footer, members.length), likes);

  if (!likes.data || (likes.isError && members.length === 0)) {
    const skeleton = pictures
      ? ({ shape: "tiles", count: LIKED_PICS_PAGE_SIZE } as const)
      : ({ shape: "rows" } as const);
    return <QueryState query={likes} failed={copy.failed} label={copy.loading} {...skeleton} />;
  }
  if (members.length === 0 && !hasNextPage) return <NoLikes received={received} />;
  return (
    <>
      {pictures ? (
        <div className="mt-3 bleed">
          <MemberTiles members={members} label={copy[tab]} {...(!received && { hrefOf: pictureHref })} />
        </div>
      ) : (
        <LikeRows members={members} received={received} />
      )}
      <div ref={setFooter} className={`muted ${css.foot}`}>
        {!hasNextPage ? (
          <p>{copy.end}</p>
        ) : likes.isFetchNextPageError ? (
          <Button busy={likes.isFetching} label={copy.retry} onClick={() => likes.fetchNextPage()} />
        ) : (
          <Skeleton shape="rows" count={1} label={copy.loading} />
        )}
      </div>
    </>
  );
}

const pictureHref = ({ profileId, profilePicId = 0 }: TileMember) =>
  carouselPath(profileId, profilePicId, [profilePicId]);

/** Whether the footer of `count` items is in the viewport or at most 600 px below it. More items move it, so they are observed again. */
function useIsNear(footer: HTMLElement | null, count: number): boolean {
  const [nearCount, setNearCount] = useState<number>();
  useEffect(() => {
    if (!footer) return;
    const observer = new IntersectionObserver(
      (entries) => setNearCount(entries.at(-1)?.isIntersecting ? count : undefined),
      { rootMargin: "600px" },
    );
    observer.observe(footer);
    return () => observer.disconnect();
  }, [footer, count]);
  return nearCount === count;
}

function NoLikes({ received }: { received: boolean }) {
  const copy = useLikesCopy();
  return received ? (
    <EmptyState
      figure="bench"
      title={copy.emptyReceived}
      text={copy.emptyReceivedHint}
      action={<Button href="/profileEdit" label={copy.edit} />}
    />
  ) : (
    <EmptyState
      figure="cactus"
      title={copy.emptyGiven}
      text={copy.emptyGivenHint}
      action={<Button href="/search/tile" label={copy.look} />}
    />
  );
}
