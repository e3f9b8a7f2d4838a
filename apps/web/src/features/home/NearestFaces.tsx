import type { NearbyBrief } from "@lambda/contract/positions";
import { Skeleton } from "@lambda/ui/skeleton";
import { MemberTiles } from "../../components/MemberTile/MemberTiles.tsx";
import { useCopy } from "../../format/i18n.ts";
import { isOnline } from "../../format/is-online.ts";
import { memberCopy } from "./member-copy.ts";
import css from "./member-home.module.css";

/** Two rows on a phone, one on a desktop. */
const FACES = 8;

/** The nearest members with a picture, those online first. Nothing if there are none. */
export function NearestFaces({ members, isLoading }: { members: readonly NearbyBrief[]; isLoading: boolean }) {
  const { member: copy } = useCopy(memberCopy);
  const faces = members.filter(({ profilePicIds }) => profilePicIds.length > 0).slice(0, FACES);
  if (faces.length === 0 && !isLoading) return null;
  return (
    <section className={css.faces} aria-label={copy.nearest}>
      {isLoading ? (
        <Skeleton shape="tiles" count={FACES} label={copy.nearest} />
      ) : (
        <MemberTiles
          members={faces.toSorted((a, b) => Number(isOnline(b)) - Number(isOnline(a)))}
          label={copy.nearest}
        />
      )}
    </section>
  );
}
