import type { Profile } from "@lambda/contract/profiles";
import { Button } from "@lambda/ui/button";
import { Link } from "@lambda/ui/link";
import { Picture } from "@lambda/ui/picture";
import { Segmented } from "@lambda/ui/segmented";
import { useState } from "react";
import { pictureSource } from "../../../api/picture-url.ts";
import { useNsfw } from "../../../device/nsfw.ts";
import { carouselPath, ratePath } from "../../../routing/paths.ts";
import { AlbumPanel } from "../../pictures/albums/AlbumPanel.tsx";
import { AlbumPictures } from "../../pictures/albums/AlbumPictures.tsx";
import { useProfileCopy } from "../copy.ts";

/** The member's public pictures and private album. Only the member grants and revokes access to the album. */
export function ProfilePictures({ profile, isOwn }: { profile: Profile; isOwn: boolean }) {
  const copy = useProfileCopy();
  const [tab, setTab] = useState<"public" | "private">("public");
  return (
    <section className="stack gap-4" aria-label={copy.pictures}>
      <div className="row wrap gap-3 between">
        <h2 className="type-lead">{copy.pictures}</h2>
        <Segmented
          label={copy.pictures}
          value={tab}
          onChange={setTab}
          options={[
            { value: "public", label: copy.publicPics },
            { value: "private", label: copy.privatePics },
          ]}
        />
      </div>
      {tab === "public" ? (
        <PublicPictures profile={profile} isOwn={isOwn} />
      ) : isOwn ? (
        profile.profilePicIdsPrivate.length === 0 ? (
          <p className="muted">{copy.noPrivate}</p>
        ) : (
          <AlbumPictures profileId={profile.id} />
        )
      ) : (
        <AlbumPanel profileId={profile.id} />
      )}
    </section>
  );
}

function PublicPictures({ profile, isOwn }: { profile: Profile; isOwn: boolean }) {
  const copy = useProfileCopy();
  const [nsfw] = useNsfw();
  const ids = profile.profilePicIds;
  if (ids.length === 0) return <p className="muted">{copy.noPublic}</p>;
  return (
    <>
      {/* biome-ignore lint/a11y/noRedundantRoles: Safari drops the list role where list-style is none */}
      <ul role="list" className="stack three-columns plain-list gap-hair">
        {ids.map((id, index) => (
          <li key={id}>
            <Link href={carouselPath(profile.id, id, ids)} aria-label={copy.picture(index + 1, ids.length)}>
              <Picture src={pictureSource(id, nsfw)} alt="" sizes="(width < 60rem) 33vw, 200px" />
            </Link>
          </li>
        ))}
      </ul>
      {!isOwn && (
        <div>
          <Button icon="star" href={ratePath(profile.id, ids[0])} label={copy.rate} />
        </div>
      )}
    </>
  );
}
