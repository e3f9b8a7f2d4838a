import type { LikedBrief } from "@lambda/contract/likes";
import { Chip } from "@lambda/ui/chip";
import { IconButton } from "@lambda/ui/icon-button";
import { ListRow } from "@lambda/ui/list-row";
import { useMemo, useState } from "react";
import { useLike } from "../../../components/MemberActions/use-like.ts";
import { MemberAvatar } from "../../../components/MemberAvatar.tsx";
import { openProfileOnClick } from "../../../components/MemberTile/profile-transition.ts";
import { useDistances } from "../../../components/MemberTile/use-distances.ts";
import { useWindowRows } from "../../../components/use-window-rows.ts";
import { displayName } from "../../../format/display-name.ts";
import { useFormatDistance } from "../../../format/distance.ts";
import { isOnline } from "../../../format/is-online.ts";
import { shortTime } from "../../../format/time.ts";
import { useLikesCopy } from "./copy.ts";
import css from "./likes.module.css";

const ROW_PX = 72;

const profileIdOf = ({ profileId }: LikedBrief) => profileId;

/** Members as rows, each with a button for the viewer's own like. Only rows near the window are rendered. */
export function LikeRows({ members, received }: { members: readonly LikedBrief[]; received: boolean }) {
  const { list, rows, firstIndex, lastIndex, height } = useWindowRows<LikedBrief, HTMLUListElement>({
    items: members,
    keyOf: profileIdOf,
    rowPx: ROW_PX,
    overscan: 8,
  });
  const ids = useMemo(() => members.map(profileIdOf), [members]);
  const metersTo = useDistances(ids, firstIndex, lastIndex + 1);
  // What the member pressed last, which the list may not show yet. Kept here, since rows far from the window are not rendered.
  const [pressed, setPressed] = useState<Readonly<Record<number, boolean>>>({});
  return (
    // biome-ignore lint/a11y/noRedundantRoles: Safari drops the list role where list-style is none
    <ul ref={list} role="list" className={`plain-list edge-rows relative ${css.list}`} style={{ height }}>
      {rows.map(({ item: member, key, props }) => (
        <li key={key} className={css.row} {...props}>
          <LikeRow
            member={member}
            members={members}
            meters={metersTo(member.profileId)}
            received={received}
            liked={pressed[member.profileId] ?? (!received || member.match)}
            onPress={(liked) => setPressed((before) => ({ ...before, [member.profileId]: liked }))}
          />
        </li>
      ))}
    </ul>
  );
}

interface LikeRowProps {
  member: LikedBrief;
  members: readonly LikedBrief[];
  /** Undefined until loaded; null if the member shows no distance. */
  meters: number | null | undefined;
  received: boolean;
  liked: boolean;
  onPress: (liked: boolean) => void;
}

function LikeRow({ member, members, meters, received, liked, onPress }: LikeRowProps) {
  const copy = useLikesCopy();
  const like = useLike();
  const distance = useFormatDistance();
  const name = displayName(member.profileName);
  const facts = [member.profileAge, distance(meters)].filter((fact) => fact !== null && fact !== undefined);
  const toggle = async () => {
    onPress(!liked);
    if (!(await like(member.profileId, liked ? "DISLIKE" : "LIKE"))) onPress(liked);
  };
  return (
    <ListRow
      href={`/profile/${member.profileId}`}
      onClick={(event) => openProfileOnClick(event, member, members)}
      leading={<MemberAvatar name={name} picture={member.profilePicIds[0]} online={isOnline(member)} />}
      title={name}
      text={facts.join(" · ")}
      time={shortTime(member.tsLiked)}
      dateTime={member.tsLiked}
      mark={(received || member.match) && liked ? <Chip selected label={copy.match} /> : undefined}
      actions={
        <IconButton
          icon={liked ? "heart-filled" : "heart"}
          label={liked ? copy.removeLikeNamed(name) : copy.likeNamed(name)}
          pressed={liked}
          onClick={toggle}
        />
      }
    />
  );
}
