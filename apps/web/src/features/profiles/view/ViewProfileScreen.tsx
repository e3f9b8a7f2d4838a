import { PROFILE_CACHE_MS } from "@lambda/contract/limits";
import { EMPTY_TEXTS } from "@lambda/contract/profile-texts";
import type { Profile, ProfileBrief } from "@lambda/contract/profiles";
import { Button } from "@lambda/ui/button";
import { EmptyState } from "@lambda/ui/empty-state";
import { Skeleton } from "@lambda/ui/skeleton";
import { Redirect, useParams } from "wouter";
import { errorStatusOf } from "../../../api/error-body.ts";
import { trpc } from "../../../api/trpc.ts";
import { useBlock } from "../../../components/MemberActions/use-block.ts";
import { memberFromList } from "../../../components/MemberTile/profile-transition.ts";
import { QueryState } from "../../../components/QueryState.tsx";
import { parseId } from "../../../routing/paths.ts";
import { useSession } from "../../../session/session.ts";
import { useProfileCopy } from "../copy.ts";
import { ProfileBar, ProfileView } from "./ProfileView.tsx";

/** A member's profile. Redirects to the viewer's own without a numeric id. */
export default function ViewProfileScreen() {
  const id = parseId(useParams<{ profileId?: string }>().profileId);
  const session = useSession();
  const copy = useProfileCopy();
  if (id !== undefined) return <ShownProfile key={id} id={id} />;
  return session.profileId > 0 ? (
    <Redirect to={`/profile/${session.profileId}`} replace />
  ) : (
    <Skeleton shape="profile" label={copy.loading} />
  );
}

/** A partial profile from the list's data, without its text and private album. */
const fromList = (member: ProfileBrief | undefined): Profile | undefined =>
  member && {
    id: member.profileId,
    profilename: member.profileName,
    birthdate: null,
    age: member.profileAge,
    ...EMPTY_TEXTS,
    height: member.profileHeight,
    weight: member.profileWeight,
    characteristics: member.profileChars,
    profilePicIds: member.profilePicIds,
    profilePicIdsPrivate: [],
    voice: null,
    roles: [],
    tsUpdated: member.tsUpdated,
  };

function ShownProfile({ id }: { id: number }) {
  const copy = useProfileCopy();
  const profile = trpc.profiles.get.useQuery(
    { id },
    { staleTime: PROFILE_CACHE_MS, placeholderData: () => fromList(memberFromList(id)) },
  );
  const blocking = useBlock(id);
  const isOwn = useSession().profileId === id;
  const isGone = errorStatusOf(profile.error) === 404;
  // Whom the viewer has just blocked stays until the viewer is taken home, so that the block can be undone.
  if (profile.data && (!isGone || blocking.blocked))
    return <ProfileView profile={profile.data} isPartial={profile.isPlaceholderData} blocking={blocking} />;
  const heading = <h1 className="visually-hidden">{copy.heading}</h1>;
  if (profile.isPending)
    return (
      // The bar from the start: a tap on Back must not meet the shell's bar instead.
      <div data-own-bar={!isOwn || undefined}>
        {heading}
        {!isOwn && <ProfileBar />}
        <Skeleton shape="profile" label={copy.loading} />
      </div>
    );
  return (
    <div className="pad-page">
      {heading}
      {isGone ? (
        <EmptyState
          figure="window"
          title={copy.gone}
          text={copy.goneHint}
          action={<Button href="/search/tile" label={copy.back} />}
        />
      ) : (
        <QueryState query={profile} failed={copy.failed} />
      )}
    </div>
  );
}
