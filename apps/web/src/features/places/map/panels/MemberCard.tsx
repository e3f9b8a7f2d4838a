import { Button } from "@lambda/ui/button";
import { IconButton } from "@lambda/ui/icon-button";
import { initialOf } from "@lambda/ui/initial";
import { Picture } from "@lambda/ui/picture";
import { Skeleton } from "@lambda/ui/skeleton";
import { type PointerEvent, type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { errorStatusOf } from "../../../../api/error-body.ts";
import { pictureSource } from "../../../../api/picture-url.ts";
import { type RouterOutputs, trpc } from "../../../../api/trpc.ts";
import { CheckedLine } from "../../../../components/Checked/CheckedLine.tsx";
import { BlockedNotice, MemberMenu } from "../../../../components/MemberActions/MemberMenu.tsx";
import { type Blocking, useBlock } from "../../../../components/MemberActions/use-block.ts";
import { useLike } from "../../../../components/MemberActions/use-like.ts";
import { MetLine } from "../../../../components/Met/MetLine.tsx";
import { QueryState } from "../../../../components/QueryState.tsx";
import { TonightLine } from "../../../../components/Tonight/TonightLine.tsx";
import { useNsfw } from "../../../../device/nsfw.ts";
import { serverNow } from "../../../../device/server-clock.ts";
import { displayName } from "../../../../format/display-name.ts";
import { useFormatDistance } from "../../../../format/distance.ts";
import { isOnline } from "../../../../format/is-online.ts";
import { useTagNames } from "../../../../format/tag-names.ts";
import { openLayer } from "../../../../routing/close-on-back.ts";
import { useMapCopy } from "../copy.ts";
import type { MapMember } from "../data/map-types.ts";
import css from "./member-card.module.css";

const DRAG_TO_CLOSE_PX = 60;

export interface MemberCardProps {
  id: number;
  /** The member's data on the map; undefined when the URL names a member who is not in view. */
  member: MapMember | undefined;
  onClose: () => void;
}

/** The selected member: a bottom sheet on a phone, a panel next to the map on a desktop. The map stays usable. */
export function MemberCard({ id, member, onClose }: MemberCardProps) {
  const copy = useMapCopy();
  const card = useRef<HTMLElement>(null);
  const { profile, status, relation, query } = useCardProfile(id, member);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the card takes the focus again for each member
  useEffect(() => card.current?.focus({ preventScroll: true }), [id]);
  useRestoreFocus(card);
  useBackToClose(onClose);

  const drag = useDragToClose(card, onClose);
  const blocking = useBlock(id);
  return (
    <section
      ref={card}
      tabIndex={-1}
      className={`stack raised relative ${css.card}`}
      aria-label={profile.name || copy.loading}
      onKeyDown={(event) => event.key === "Escape" && onClose()}
    >
      <span className={`center ${css.grip}`} aria-hidden="true" {...drag} />
      <span className={`flex gap-1 ${css.close}`}>
        {/* A member who has left can still be reported, and a report that was begun stays open. */}
        {(status === "ready" || status === "gone") && !blocking.blocked && (
          <MemberMenu tone="picture" target={{ subjectProfileId: id }} blocking={blocking} />
        )}
        <IconButton icon="close" label={copy.close} tone="picture" onClick={onClose} />
      </span>
      {status === "gone" &&
        (blocking.blocked ? <BlockedActions blocking={blocking} /> : <p className={css.gone}>{copy.gone}</p>)}
      {status === "failed" && (
        <div className={css.gone}>
          <QueryState query={query} failed={copy.memberFailed} />
        </div>
      )}
      {status === "loading" && <Skeleton shape="rows" count={1} label={copy.loading} />}
      {status === "ready" && (
        <CardContent
          id={id}
          profile={profile}
          relation={relation}
          distanceMeters={member?.distanceMeters ?? relation?.distanceMeters}
          blocking={blocking}
        />
      )}
    </section>
  );
}

interface CardProfile {
  readonly name: string;
  readonly age: number | null;
  readonly picture: number | undefined;
  readonly tsUpdated: string | undefined;
  readonly characteristics: MapMember["profileChars"];
}

/** One history entry for the card, whichever member it shows. */
function useBackToClose(onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => openLayer(() => close()), []);
}

/** The member's data on the map, also after the member has left it, or the fetched profile if the map had none. */
function useCardProfile(id: number, current: MapMember | undefined) {
  const [last, setLast] = useState(current);
  if (current && current !== last) setLast(current);
  const member = current ?? (last?.profileId === id ? last : undefined);
  const query = trpc.profiles.get.useQuery({ id }, { enabled: current === undefined });
  const { data } = query;
  const profile: CardProfile = {
    name: member?.profileName ?? data?.profilename ?? "",
    age: member ? member.profileAge : (data?.age ?? null),
    picture: (member?.profilePicIds ?? data?.profilePicIds)?.[0],
    tsUpdated: member?.tsUpdated,
    characteristics: member?.profileChars ?? data?.characteristics ?? [],
  };
  const isGone = current === undefined && errorStatusOf(query.error) === 404;
  const status = isGone ? "gone" : member || data ? "ready" : query.isPending ? "loading" : "failed";
  const { data: relation } = trpc.profiles.relation.useQuery({ id });
  return { profile, status, relation, query };
}

interface CardContentProps {
  id: number;
  profile: CardProfile;
  relation: RouterOutputs["profiles"]["relation"] | undefined;
  distanceMeters: number | null | undefined;
  blocking: Blocking;
}

function CardContent({ id, profile, relation, distanceMeters, blocking }: CardContentProps) {
  const copy = useMapCopy();
  const [nsfw] = useNsfw();
  const { name, picture } = profile;
  return (
    <>
      <span className={`radius-2 clip ${css.picture}`}>
        <Picture
          src={picture === undefined ? undefined : pictureSource(picture, nsfw)}
          alt=""
          initial={initialOf(name)}
          aspect={0.8}
          sizes="(width >= 60rem) 340px, 112px"
          eager
        />
      </span>
      <CardText
        id={id}
        profile={profile}
        distanceMeters={distanceMeters}
        metBy={relation?.metBy}
        likeStatus={relation?.match ? copy.match : relation?.likesYou ? copy.likesYou : undefined}
      />
      {blocking.blocked ? (
        <BlockedActions blocking={blocking} />
      ) : (
        <div className={`flex gap-2 ${css.actions}`}>
          <LikeButton id={id} liked={relation?.likeType === "LIKE"} />
          <Button icon="chat" variant="primary" href={`/chat/personal?with=${id}`} label={copy.chat} />
          <Button icon="user" href={`/profile/${id}`} label={copy.view} />
        </div>
      )}
    </>
  );
}

/** Also when the map no longer has the member, which it learns within a second. */
function BlockedActions({ blocking }: { blocking: Blocking }) {
  return (
    <div className={`flex gap-2 ${css.actions}`}>
      <BlockedNotice blocking={blocking} />
    </div>
  );
}

interface CardTextProps {
  id: number;
  profile: CardProfile;
  distanceMeters: number | null | undefined;
  metBy: number | undefined;
  /** Says that they match, or that the member likes the viewer. */
  likeStatus: string | undefined;
}

function CardText({ id, profile, distanceMeters, metBy, likeStatus }: CardTextProps) {
  const copy = useMapCopy();
  const { tagName } = useTagNames();
  const away = useFormatDistance()(distanceMeters);
  const { name, age, tsUpdated, characteristics } = profile;
  return (
    <div className={`column justify-center min-0 gap-hair ${css.words}`}>
      <h2 className="type-title truncate" dir="auto">
        {displayName(name)}
        {age !== null && <span className="muted"> {age}</span>}
      </h2>
      <p className={`wrap ${css.line}`}>
        {away && <span>{copy.away(away)}</span>}
        {tsUpdated && (
          <span>
            <LastSeen at={tsUpdated} />
          </span>
        )}
      </p>
      <TonightLine id={id} />
      <MetLine metBy={metBy} />
      <CheckedLine id={id} />
      {likeStatus && <p className="accent bold">{likeStatus}</p>}
      {characteristics.length > 0 && (
        <p className={`muted type-mark truncate ${css.chars}`} dir="auto">
          {characteristics.slice(0, 6).map(tagName).join(" · ")}
        </p>
      )}
    </div>
  );
}

function LastSeen({ at }: { at: string }) {
  const { online, seen } = useMapCopy();
  if (isOnline({ tsUpdated: at })) return <span className="success bold">{online}</span>;
  const minutes = Math.round((serverNow() - Date.parse(at)) / 60_000);
  return minutes < 60 ? seen.minutes(minutes) : seen.hours(Math.round(minutes / 60));
}

function LikeButton({ id, liked }: { id: number; liked: boolean }) {
  const copy = useMapCopy();
  const like = useLike();
  return (
    <Button
      icon={liked ? "heart-filled" : "heart"}
      aria-pressed={liked}
      label={liked ? copy.unlike : copy.like}
      onClick={() => void like(id, liked ? "DISLIKE" : "LIKE")}
    />
  );
}

/** Returns the focus to the row or button that opened the card when it closes. */
function useRestoreFocus(card: RefObject<HTMLElement | null>) {
  const [opener] = useState(() => document.activeElement);
  // A layout effect, because it must run while the focus is still in the document.
  useLayoutEffect(() => {
    const element = card.current;
    return () => {
      if (element?.contains(document.activeElement) && opener instanceof HTMLElement)
        opener.focus({ preventScroll: true });
    };
  }, [card, opener]);
}

/** Lets the card be dragged down by its grip, and closes it beyond a certain distance. */
function useDragToClose(card: RefObject<HTMLElement | null>, onClose: () => void) {
  const startY = useRef<number | undefined>(undefined);
  const move = (y: number) => {
    if (card.current) card.current.style.translate = y > 0 ? `0 ${y}px` : "";
  };
  return {
    onPointerDown(event: PointerEvent) {
      startY.current = event.clientY;
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove(event: PointerEvent) {
      if (startY.current !== undefined) move(event.clientY - startY.current);
    },
    onPointerUp(event: PointerEvent) {
      const distance = startY.current === undefined ? 0 : event.clientY - startY.current;
      startY.current = undefined;
      if (distance > DRAG_TO_CLOSE_PX) onClose();
      else move(0);
    },
    onPointerCancel() {
      startY.current = undefined;
      move(0);
    },
  };
}
