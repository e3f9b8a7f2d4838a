import { TEXT_FIELDS, textsAt } from "@lambda/contract/profile-texts";
import type { Profile } from "@lambda/contract/profiles";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { Chip, ChipRow } from "@lambda/ui/chip";
import { Icon } from "@lambda/ui/icon";
import { Link } from "@lambda/ui/link";
import { Skeleton } from "@lambda/ui/skeleton";
import { type RouterOutputs, trpc } from "../../../api/trpc.ts";
import { CheckedLine } from "../../../components/Checked/CheckedLine.tsx";
import type { Blocking } from "../../../components/MemberActions/use-block.ts";
import { MetLine, OwnMetLine } from "../../../components/Met/MetLine.tsx";
import { QueryState } from "../../../components/QueryState.tsx";
import { TonightLine } from "../../../components/Tonight/TonightLine.tsx";
import { displayName } from "../../../format/display-name.ts";
import { useFormatDistance } from "../../../format/distance.ts";
import { useLocale } from "../../../format/i18n.ts";
import { useTagNames } from "../../../format/tag-names.ts";
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
  return (
    <div className={`stack one-column ${css.view}`}>
      <div className={css.hero}>
        <HeroPictures profile={profile} />
        {!isOwn && !blocking.blocked && (
          <span className={css.menu}>
            <ProfileMenu
              target={{
                subjectProfileId: profile.id,
                pictureIds: profile.profilePicIds,
                voiceId: profile.voice?.id,
              }}
              blocking={blocking}
            />
          </span>
        )}
      </div>
      <div className={`stack gap-5 one-column relative break-anywhere ${css.sheet}`}>
        <ProfileHead profile={profile} relation={relation} isOwn={isOwn} />
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
        {!isOwn && <TripLine profileId={profile.id} />}
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
        {profile.voice && <VoiceIntroduction key={profile.voice.id} voice={profile.voice} />}
        {relation && <SharedHealthList health={relation.health} />}
        {!isPartial && <ProfilePictures profile={profile} isOwn={isOwn} />}
        {!isOwn && <NotesPanel key={profile.id} aboutId={profile.id} />}
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

interface ProfileHeadProps {
  profile: Profile;
  relation: RouterOutputs["profiles"]["relation"] | undefined;
  isOwn: boolean;
}

function ProfileHead({ profile, relation, isOwn }: ProfileHeadProps) {
  const copy = useProfileCopy();
  const [locale] = useLocale();
  return (
    <header className="stack gap-2">
      <h2 className={css.name}>
        {displayName(profile.profilename)}
        {profile.age !== null && <span className={`regular ${css.age}`}>{profile.age}</span>}
      </h2>
      <p className="row wrap facts">
        {relation?.online && <span className="success bold">{copy.online}</span>}
        {relation && <DistanceFact profileId={profile.id} relation={relation} />}
        {textsAt("fact").map(
          (name) =>
            profile[name] && (
              <span key={name}>
                <span className="muted">{TEXT_FIELDS[name].label[locale]}</span> {profile[name]}
              </span>
            ),
        )}
      </p>
      {relation && <TonightLine id={profile.id} />}
      {isOwn ? <OwnMetLine /> : <MetLine metBy={relation?.metBy} />}
      {relation && <CheckedLine id={profile.id} />}
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

/** The member's characteristics; those that the viewer shares are highlighted. */
function Characteristics({ profile, isOwn }: { profile: Profile; isOwn: boolean }) {
  const copy = useProfileCopy();
  const { tagName } = useTagNames();
  const mine = trpc.profiles.mine.useQuery(undefined, { enabled: !isOwn });
  const shared = new Set(mine.data?.items[0]?.characteristics);
  if (profile.characteristics.length === 0) return <p className={`muted ${css.boring}`}>{copy.boring}</p>;
  return (
    <ChipRow>
      {profile.characteristics.map((tag) => (
        <Chip key={tag} selected={shared.has(tag)} label={tagName(tag)} />
      ))}
    </ChipRow>
  );
}
