import { CHARACTERISTIC_CATEGORIES } from "@lambda/contract/characteristics";
import { TEXT_FIELDS, textsAt } from "@lambda/contract/profile-texts";
import type { Profile } from "@lambda/contract/profiles";
import { Banner } from "@lambda/ui/banner";
import { BrandMark } from "@lambda/ui/brand-mark";
import { Button } from "@lambda/ui/button";
import { Chip, ChipRow } from "@lambda/ui/chip";
import { Icon } from "@lambda/ui/icon";
import { IconButton } from "@lambda/ui/icon-button";
import { Link } from "@lambda/ui/link";
import { Skeleton } from "@lambda/ui/skeleton";
import type { ReactNode } from "react";
import { type RouterOutputs, trpc } from "../../../api/trpc.ts";
import { CheckedLine } from "../../../components/Checked/CheckedLine.tsx";
import type { Blocking } from "../../../components/MemberActions/use-block.ts";
import { MetLine, OwnMetLine } from "../../../components/Met/MetLine.tsx";
import { QueryState } from "../../../components/QueryState.tsx";
import { TonightLine } from "../../../components/Tonight/TonightLine.tsx";
import { displayName } from "../../../format/display-name.ts";
import { useFormatDistance } from "../../../format/distance.ts";
import { useLocale } from "../../../format/i18n.ts";
import { useBrand } from "../../../format/site.ts";
import { useTagNames } from "../../../format/tag-names.ts";
import { goBack } from "../../../routing/go-back.ts";
import { optionalPart } from "../../../routing/optional-part.tsx";
import { mapPath } from "../../../routing/paths.ts";
import { useSession } from "../../../session/session.ts";
import { useProfileCopy } from "../copy.ts";
import { SharedHealthList } from "../health/SharedHealthList.tsx";
import { NotesPanel } from "../notes/NotesPanel.tsx";
import { HeroPictures } from "./HeroPictures.tsx";
import { LikeBar } from "./LikeBar.tsx";
import { ProfileMenu } from "./ProfileMenu.tsx";
import { ProfilePictures } from "./ProfilePictures.tsx";
import css from "./profile-view.module.css";
import { type Turning, useTurning } from "./use-turning.ts";

const VoiceIntroduction = optionalPart(() => import("../../../components/Voice/VoiceIntroduction.tsx"));
const TripLine = optionalPart(() => import("../../places/travel/TripLine.tsx"));

interface ProfileViewProps {
  profile: Profile;
  /** The profile contains only the list's data; the text and the private pictures are still loading. */
  isPartial: boolean;
  blocking: Blocking;
}

/** A profile: pictures first, then the text. The like and chat buttons stay at the bottom. */
export function ProfileView({ profile, isPartial, blocking }: ProfileViewProps) {
  const copy = useProfileCopy();
  const isOwn = useSession().profileId === profile.id;
  const relationQuery = trpc.profiles.relation.useQuery({ id: profile.id }, { enabled: !isOwn });
  const relation = relationQuery.data;
  const turning = useTurning(profile.id);
  // What the answers add stands above, and would push these down.
  const isSettled = !isPartial && (isOwn || !relationQuery.isPending);
  return (
    <div className={`stack one-column ${css.view}`} data-own-bar={!isOwn || undefined} {...turning.handlers}>
      {!isOwn && (
        <ProfileBar>
          {!blocking.blocked && (
            <ProfileMenu
              target={{
                subjectProfileId: profile.id,
                pictureIds: profile.profilePicIds,
                voiceId: profile.voice?.id,
              }}
              blocking={blocking}
            />
          )}
        </ProfileBar>
      )}
      <div className={css.hero}>
        <HeroPictures profile={profile} />
      </div>
      <div className={`stack gap-5 one-column relative break-anywhere ${css.sheet}`}>
        <ProfileHead profile={profile} relation={relation} isOwn={isOwn} turning={turning} />
        <Characteristics profile={profile} isOwn={isOwn} />
        {isPartial && <Skeleton width="80%" height="3em" label={copy.loading} />}
        {textsAt("text").map(
          (name) =>
            profile[name] && (
              <p key={name} className="measure type-lead pre-line">
                {profile[name]}
              </p>
            ),
        )}
        {isOwn ? (
          <Banner action={<Button href="/profileEdit" label={copy.edit} />}>{copy.own}</Banner>
        ) : (
          relation?.likesYou && (
            <p className="row gap-2 accent bold" role="status">
              <Icon name="heart-filled" size={20} />
              {relation.match ? copy.match : copy.likesYou}
            </p>
          )
        )}
        {relationQuery.isLoadingError && <QueryState compact query={relationQuery} />}
        {!isOwn && (
          <>
            <TonightLine id={profile.id} />
            <TripLine profileId={profile.id} />
            <CheckedLine id={profile.id} />
          </>
        )}
        {isOwn ? <OwnMetLine /> : <MetLine metBy={relation?.metBy} />}
        {profile.voice && <VoiceIntroduction key={profile.voice.id} voice={profile.voice} />}
        {relation && <SharedHealthList health={relation.health} />}
        {isSettled && <ProfilePictures profile={profile} isOwn={isOwn} />}
        {isSettled && !isOwn && <NotesPanel key={profile.id} aboutId={profile.id} />}
      </div>
      {!isOwn && (
        <LikeBar
          profileId={profile.id}
          likeType={relation?.likeType ?? null}
          ready={relation !== undefined}
          blocking={blocking}
        />
      )}
    </div>
  );
}

/** On a phone the only bar, over the picture; the mark stays in it, because three taps on it leave the site. */
export function ProfileBar({ children }: { children?: ReactNode }) {
  const copy = useProfileCopy();
  const brand = useBrand();
  return (
    <div className={`row gap-2 ${css.bar}`}>
      <IconButton tone="picture" icon="back" label={copy.backToList} onClick={goBack} />
      <span className={css.mark}>
        <Link href="/" className={`center circle ${css.home}`} aria-label={copy.home} data-mark="">
          <BrandMark path={brand.mark} size={26} />
        </Link>
      </span>
      {children}
    </div>
  );
}

interface ProfileHeadProps {
  profile: Profile;
  relation: RouterOutputs["profiles"]["relation"] | undefined;
  isOwn: boolean;
  turning: Turning;
}

function ProfileHead({ profile, relation, isOwn, turning }: ProfileHeadProps) {
  const copy = useProfileCopy();
  const [locale] = useLocale();
  return (
    <header className="stack gap-2">
      <div className="row between gap-2">
        <h1 className={css.name}>
          <bdi>{displayName(profile.profilename)}</bdi>
          {profile.age !== null && <span className="regular">, {profile.age}</span>}
        </h1>
        {turning.hasList && (
          <span className="row flex-none">
            <IconButton
              icon="back"
              label={copy.previousMan}
              disabled={!turning.toPrevious}
              onClick={() => turning.toPrevious?.()}
            />
            <IconButton
              icon="forward"
              label={copy.nextMan}
              disabled={!turning.toNext}
              onClick={() => turning.toNext?.()}
            />
          </span>
        )}
      </div>
      {!isOwn && (
        <p className={`row wrap facts ${css.status}`}>
          {relation?.online && <span className="success bold">{copy.onlineNow}</span>}
          {relation && <DistanceFact profileId={profile.id} relation={relation} />}
        </p>
      )}
      <p className="row wrap facts">
        {textsAt("fact").map(
          (name) =>
            profile[name] && (
              <span key={name}>
                <span className="muted">{TEXT_FIELDS[name].label[locale]}</span> {profile[name]}
              </span>
            ),
        )}
      </p>
    </header>
  );
}

/** The distance, as a link to the map if the member shows a position. */
function DistanceFact({ profileId, relation }: { profileId: number; relation: RouterOutputs["profiles"]["relation"] }) {
  const copy = useProfileCopy();
  const formatDistance = useFormatDistance();
  const rounded = formatDistance(relation.distanceMeters);
  if (!rounded) return null;
  const distance = rounded.startsWith("<") ? rounded : copy.about(rounded);
  if (relation.lat == null || relation.lon == null) return <span>{distance}</span>;
  return (
    <Link
      href={mapPath(profileId, { lat: relation.lat, lon: relation.lon })}
      className="tap-target gap-1"
      aria-label={`${distance}, ${copy.onMap}`}
    >
      <Icon name="pin" size={18} />
      {distance}
    </Link>
  );
}

const isLookedFor = (tag: string) => CHARACTERISTIC_CATEGORIES.Meet.some((meet) => meet.toLowerCase() === tag);

/** The member's characteristics, first what they look for; those that the viewer shares are highlighted. */
function Characteristics({ profile, isOwn }: { profile: Profile; isOwn: boolean }) {
  const copy = useProfileCopy();
  const { tagName } = useTagNames();
  const mine = trpc.profiles.mine.useQuery(undefined, { enabled: !isOwn });
  const shared = new Set(mine.data?.items[0]?.characteristics);
  if (profile.characteristics.length === 0) return <p className={`muted ${css.boring}`}>{copy.boring}</p>;
  const chips = (tags: readonly string[]) =>
    tags.map((tag) => <Chip key={tag} selected={shared.has(tag)} label={tagName(tag)} />);
  const sought = profile.characteristics.filter(isLookedFor);
  const others = profile.characteristics.filter((tag) => !isLookedFor(tag));
  return (
    <div className="stack gap-3">
      {sought.length > 0 && (
        <div className="row gap-3">
          <span className="muted flex-none">{copy.looksFor}</span>
          <ChipRow>{chips(sought)}</ChipRow>
        </div>
      )}
      {others.length > 0 && <ChipRow>{chips(others)}</ChipRow>}
    </div>
  );
}
