import { ONLINE_WITHIN_MS } from "@lambda/contract/limits";
import { Button } from "@lambda/ui/button";
import { IconButton } from "@lambda/ui/icon-button";
import { Picture } from "@lambda/ui/picture";
import { Skeleton } from "@lambda/ui/skeleton";
import { type PointerEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { pictureSource } from "../../../api/picture-url.ts";
import { trpc } from "../../../api/trpc.ts";
import { useLike } from "../../../components/MemberActions/use-like.ts";
import { useNsfw } from "../../../device/nsfw.ts";
import { useDistance } from "../../../format/distance.ts";
import { useCopy } from "../../../format/i18n.ts";
import { shownName } from "../../../format/shown-name.ts";
import { useTagNames } from "../../../format/tag-names.ts";
import { mapCopy } from "../copy.ts";
import type { MapMember } from "../data/map-types.ts";
import css from "./member-card.module.css";

const DRAG_CLOSES_PX = 60;

export interface MemberCardProps {
  id: number;
  /** What the map knows of him; absent when he was named by an address and is not in view. */
  member: MapMember | undefined;
  onClose: () => void;
}

/** The chosen man: from below on a phone, beside the map on a desktop. The map stays usable. */
export function MemberCard({ id, member, onClose }: MemberCardProps) {
  const copy = useCopy(mapCopy);
  const { tagName } = useTagNames();
  const [nsfw] = useNsfw();
  const distance = useDistance();
  const card = useRef<HTMLElement>(null);
  const named = trpc.profiles.get.useQuery({ id }, { enabled: member === undefined });
  const relation = trpc.profiles.relation.useQuery({ id });
  const { profilename, age, profilePicIds, tsUpdated, characteristics } = member
    ? {
        profilename: member.profileName,
        age: member.profileAge,
        profilePicIds: member.profilePicIds,
        tsUpdated: member.tsUpdated,
        characteristics: member.profileChars,
      }
    : {
        profilename: named.data?.profilename ?? "",
        age: named.data?.age ?? null,
        profilePicIds: named.data?.profilePicIds ?? [],
        tsUpdated: undefined,
        characteristics: named.data?.characteristics ?? [],
      };
  const away = distance(member?.distanceMeters ?? relation.data?.distanceMeters);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another man is another card
  useEffect(() => card.current?.focus({ preventScroll: true }), [id]);
  useFocusBack(card);

  const drag = useDragDown(card, onClose);
  return (
    <section
      ref={card}
      tabIndex={-1}
      className={css.card}
      aria-label={profilename || copy.loading}
      onKeyDown={(event) => event.key === "Escape" && onClose()}
    >
      <span className={css.grip} aria-hidden="true" {...drag} />
      <span className={css.close}>
        <IconButton icon="close" label={copy.close} tone="picture" onClick={onClose} />
      </span>
      {!member && named.isError ? (
        <p className={css.gone}>{copy.gone}</p>
      ) : !member && named.isPending ? (
        <Skeleton shape="rows" count={1} label={copy.loading} />
      ) : (
        <>
          <span className={css.picture}>
            <Picture
              src={profilePicIds[0] === undefined ? undefined : pictureSource(profilePicIds[0], nsfw)}
              alt=""
              initial={profilename.charAt(0)}
              aspect={0.8}
              sizes="(width >= 60rem) 340px, 112px"
              eager
            />
          </span>
          <div className={css.words}>
            <h2 className={css.name}>
              {shownName(profilename)}
              {age !== null && <span className={css.age}> {age}</span>}
            </h2>
            <p className={css.line}>
              {[away && copy.away(away), tsUpdated && <Seen key="seen" at={tsUpdated} />]
                .filter(Boolean)
                .map((part, i) => (
                  <span key={i === 0 ? "away" : "seen"}>{part}</span>
                ))}
            </p>
            {relation.data?.match ? (
              <p className={css.match}>{copy.match}</p>
            ) : (
              relation.data?.likesYou && <p className={css.match}>{copy.likesYou}</p>
            )}
            {characteristics.length > 0 && (
              <p className={css.chars}>{characteristics.slice(0, 6).map(tagName).join(" · ")}</p>
            )}
          </div>
          <div className={css.actions}>
            <LikeButton id={id} liked={relation.data?.likeType === "LIKE"} />
            <Button icon="chat" variant="primary" href={`/chat/personal?with=${id}`}>
              {copy.message}
            </Button>
            <Button icon="user" href={`/profile/${id}`}>
              {copy.view}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}

function Seen({ at }: { at: string }) {
  const { online, seen } = useCopy(mapCopy);
  const passed = Date.now() - Date.parse(at);
  if (passed <= ONLINE_WITHIN_MS) return <span className={css.online}>{online}</span>;
  const minutes = Math.round(passed / 60_000);
  return minutes < 60 ? seen.minutes(minutes) : seen.hours(Math.round(minutes / 60));
}

/** Not liked becomes LIKE, liked becomes DISLIKE (SPEC section 4). */
function LikeButton({ id, liked }: { id: number; liked: boolean }) {
  const copy = useCopy(mapCopy);
  const like = useLike();
  return (
    <Button
      icon={liked ? "heart-filled" : "heart"}
      aria-pressed={liked}
      onClick={() => void like(id, liked ? "DISLIKE" : "LIKE")}
    >
      {liked ? copy.unlike : copy.like}
    </Button>
  );
}

/** Closing gives the focus back to the row or button that opened the card. */
function useFocusBack(card: RefObject<HTMLElement | null>) {
  const [opener] = useState(() => document.activeElement);
  // Before the card leaves the document, and the focus with it.
  useLayoutEffect(() => {
    const element = card.current;
    return () => {
      if (element?.contains(document.activeElement) && opener instanceof HTMLElement)
        opener.focus({ preventScroll: true });
    };
  }, [card, opener]);
}

/** The grip follows the finger; far enough down it closes. */
function useDragDown(card: RefObject<HTMLElement | null>, onClose: () => void) {
  const from = useRef<number | undefined>(undefined);
  const move = (y: number) => {
    if (card.current) card.current.style.translate = y > 0 ? `0 ${y}px` : "";
  };
  return {
    onPointerDown(event: PointerEvent) {
      from.current = event.clientY;
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove(event: PointerEvent) {
      if (from.current !== undefined) move(event.clientY - from.current);
    },
    onPointerUp(event: PointerEvent) {
      const way = from.current === undefined ? 0 : event.clientY - from.current;
      from.current = undefined;
      if (way > DRAG_CLOSES_PX) onClose();
      else move(0);
    },
    onPointerCancel() {
      from.current = undefined;
      move(0);
    },
  };
}
