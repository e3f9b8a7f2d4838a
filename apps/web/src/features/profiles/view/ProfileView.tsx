import type { Profile } from "@lambda/contract/profiles";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { Chip, ChipRow } from "@lambda/ui/chip";
import { Icon } from "@lambda/ui/icon";
import { Link } from "@lambda/ui/link";
import { Skeleton } from "@lambda/ui/skeleton";
import { lazy, Suspense } from "react";
import { type RouterOutputs, trpc } from "../../../api/trpc.ts";
import { MemberActions } from "../../../components/MemberActions/MemberActions.tsx";
import { useDistance } from "../../../format/distance.ts";
import { useCopy } from "../../../format/i18n.ts";
import { shownName } from "../../../format/shown-name.ts";
import { useTagNames } from "../../../format/tag-names.ts";
import { useSession } from "../../../session/session.ts";
import { profileCopy } from "../copy.ts";
import { SharedHealthList } from "../health/SharedHealthList.tsx";
import { NotesPanel } from "../notes/NotesPanel.tsx";
import { HeroPictures } from "./HeroPictures.tsx";
import { LikeBar } from "./LikeBar.tsx";
import { ProfilePictures } from "./ProfilePictures.tsx";
import css from "./profile-view.module.css";

const VoiceIntroduction = lazy(() => import("../../../components/Voice/VoiceIntroduction.tsx"));
const TripLine = lazy(() => import("../../travel/TripLine.tsx"));

interface ProfileViewProps {
  profile: Profile;
  /** Only what a list knew is there yet: the text and the private pictures are on their way. */
  arriving: boolean;
}

/** Picture first, then the words; like and chat stay within the thumb's reach. */
export function ProfileView({ profile, arriving }: ProfileViewProps) {
  const copy = useCopy(profileCopy);
  const own = useSession().profileId === profile.id;
  const { data: relation } = trpc.profiles.relation.useQuery({ id: profile.id }, { enabled: !own });
  return (
    <div className={css.view}>
      <div className={css.hero}>
        <HeroPictures profile={profile} />
      </div>
      <div className={css.sheet}>
        <ProfileHead profile={profile} relation={relation} />
        {own ? (
          <Banner action={<Button href="/profileEdit">{copy.edit}</Button>}>{copy.own}</Banner>
        ) : (
          relation?.likesYou && (
            <p className={css.likes} role="status">
              <Icon name="heart-filled" size={20} />
              {relation.match ? copy.match : copy.likesYou}
            </p>
          )
        )}
        {!own && (
          <Suspense>
            <TripLine profileId={profile.id} />
          </Suspense>
        )}
        <Characteristics profile={profile} own={own} />
        {arriving && <Skeleton width="80%" height="3em" label={copy.loading} />}
        {profile.description && <p className={css.text}>{profile.description}</p>}
        {profile.voice && (
          <Suspense>
            <VoiceIntroduction key={profile.voice.id} voice={profile.voice} />
          </Suspense>
        )}
        {relation && <SharedHealthList health={relation.health} />}
        {!arriving && <ProfilePictures profile={profile} own={own} />}
        {!own && (
          <>
            <NotesPanel key={profile.id} aboutId={profile.id} />
            <MemberActions profile={profile} />
          </>
        )}
      </div>
      {!own && <LikeBar profileId={profile.id} likeType={relation?.likeType ?? null} ready={relation !== undefined} />}
    </div>
  );
}

interface ProfileHeadProps {
  profile: Profile;
  relation: RouterOutputs["profiles"]["relation"] | undefined;
}

function ProfileHead({ profile, relation }: ProfileHeadProps) {
  const copy = useCopy(profileCopy);
  return (
    <header className={css.head}>
      <h2 className={css.name}>
        {shownName(profile.profilename)}
        {profile.age !== null && <span className={css.age}>{profile.age}</span>}
      </h2>
      <p className={css.facts}>
        {relation?.online && <span className={css.online}>{copy.online}</span>}
        {relation && <DistanceFact profileId={profile.id} relation={relation} />}
        {profile.height && (
          <span>
            <span className={css.label}>{copy.height}</span> {profile.height}
          </span>
        )}
        {profile.weight && (
          <span>
            <span className={css.label}>{copy.weight}</span> {profile.weight}
          </span>
        )}
      </p>
    </header>
  );
}

interface DistanceFactProps {
  profileId: number;
  relation: RouterOutputs["profiles"]["relation"];
}

/** Leads to the map where the member shows a position. */
function DistanceFact({ profileId, relation }: DistanceFactProps) {
  const copy = useCopy(profileCopy);
  const distance = useDistance()(relation.distanceMeters);
  if (!distance) return null;
  if (relation.lat == null || relation.lon == null) return <span>{distance}</span>;
  return (
    <Link
      href={`/search/map#profileId=${profileId}&lat=${relation.lat}&lng=${relation.lon}`}
      className={css.place}
      aria-label={`${distance}, ${copy.onMap}`}
    >
      <Icon name="pin" size={18} />
      {distance}
    </Link>
  );
}

/** Those that the viewer shares stand out. */
function Characteristics({ profile, own }: { profile: Profile; own: boolean }) {
  const copy = useCopy(profileCopy);
  const { tagName } = useTagNames();
  const mine = trpc.profiles.mine.useQuery(undefined, { enabled: !own });
  const shared = new Set(mine.data?.items[0]?.characteristics);
  if (profile.characteristics.length === 0) return <p className={css.boring}>{copy.boring}</p>;
  return (
    <ChipRow>
      {profile.characteristics.map((tag) => (
        <Chip key={tag} selected={shared.has(tag)}>
          {tagName(tag)}
        </Chip>
      ))}
    </ChipRow>
  );
}
