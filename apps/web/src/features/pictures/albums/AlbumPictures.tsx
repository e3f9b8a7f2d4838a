import { Link } from "@lambda/ui/link";
import { Picture } from "@lambda/ui/picture";
import { pictureSource } from "../../../api/picture-url.ts";
import { trpc } from "../../../api/trpc.ts";
import { AgeNotice } from "../../../components/AgeNotice.tsx";
import { QueryState } from "../../../components/QueryState.tsx";
import { useNsfw } from "../../../device/nsfw.ts";
import { carouselPath } from "../../../routing/paths.ts";
import { usePicturesCopy } from "../copy.ts";
import css from "./album-panel.module.css";

export function AlbumPictures({ profileId }: { profileId: number }) {
  const copy = usePicturesCopy();
  const [nsfw] = useNsfw();
  const query = trpc.pictures.list.useQuery({ profileId });
  if (!query.data) return <QueryState query={query} failed={copy.loadFailed} shape="tiles" count={2} />;
  const pictures = query.data.items.filter((picture) => picture.audience === "private");
  if (pictures.length === 0) return <p className="muted">{copy.noPrivate}</p>;
  const ids = pictures.map(({ id }) => id);
  return (
    <>
      {pictures.some(({ covered }) => covered) && <AgeNotice />}
      <ul className={`stack plain-list gap-hair ${css.grid}`}>
        {pictures.map((picture, index) => (
          <li key={picture.id}>
            <Link href={carouselPath(profileId, picture.id, ids)} aria-label={copy.album.picture(index + 1)}>
              <Picture
                src={pictureSource(picture.id, nsfw, picture.version)}
                alt=""
                sizes="(width < 40rem) 33vw, 200px"
                placeholder={picture.placeholder}
                pixelated={picture.covered || (picture.nsfw && !nsfw)}
                pixelLabel={copy.nsfw}
              />
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
