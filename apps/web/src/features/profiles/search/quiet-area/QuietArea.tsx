import { Button } from "@lambda/ui/button";
import { Link } from "@lambda/ui/link";
import { trpc } from "../../../../api/trpc.ts";
import { QueryState } from "../../../../components/QueryState.tsx";
import { useShareLink } from "../../../../components/use-share-link.ts";
import { invitationUrl } from "../../../../device/invited-area.ts";
import { displayName } from "../../../../format/display-name.ts";
import { formatRadius, METERS_PER_KILOMETER, METERS_PER_MILE, useUnits } from "../../../../format/distance.ts";
import { currentLocale } from "../../../../format/i18n.ts";
import { useBrand } from "../../../../format/site.ts";
import { shortTime } from "../../../../format/time.ts";
import { useReporting } from "../../../places/positions/reporter.ts";
import { countsByDistance } from "./area-counts.ts";
import { useQuietAreaCopy } from "./copy.ts";
import css from "./quiet-area.module.css";

/** The distances to show counts for, in the member's units. The last reaches around the globe. */
const DISTANCES = [50, 100, 200, 500, 1000, 2000, 5000, 12_500];
const POSTS_SHOWN = 3;

/** For an area with hardly any members: shows how many are how far away, an invitation link, and the last map chat posts. */
export default function QuietArea() {
  const copy = useQuietAreaCopy();
  const brand = useBrand();
  const here = useReporting().serverPosition?.published ?? brand.firstCity;
  return (
    <section className={`stack gap-5 measure centered ${css.area}`} aria-labelledby="quiet-area">
      <h2 id="quiet-area" className="type-title">
        {copy.title}
      </h2>
      <Counts lat={here.lat} lon={here.lon} />
      <Invitation lat={here.lat} lon={here.lon} />
      <LastPosts />
    </section>
  );
}

function Counts({ lat, lon }: { lat: number; lon: number }) {
  const copy = useQuietAreaCopy();
  const brand = useBrand();
  const [units] = useUnits();
  const query = trpc.positions.aggregates.useQuery({ most: 100 });
  if (!query.data) return <QueryState compact query={query} />;
  const unit = units === "miles" ? METERS_PER_MILE : METERS_PER_KILOMETER;
  const lines = countsByDistance(
    { lat, lon },
    query.data.items,
    DISTANCES.map((distance) => distance * unit),
  );
  if (lines.length === 0) return <p>{copy.nobody(brand.name)}</p>;
  return (
    <>
      <ul className={`stack gap-2 plain-list ${css.counts}`}>
        {lines.map(({ meters, count }) => (
          <li key={meters}>
            <strong>{count.toLocaleString(currentLocale())}</strong> {copy.within(count, formatRadius(meters, units))}
          </li>
        ))}
      </ul>
      <p className="muted">{copy.counted}</p>
    </>
  );
}

function Invitation({ lat, lon }: { lat: number; lon: number }) {
  const copy = useQuietAreaCopy();
  const url = invitationUrl({ lat, lon }, location.origin);
  const link = useShareLink({ copied: copy.copied, byHand: copy.byHand(url) });
  return (
    <div className="stack gap-2">
      <h3>{copy.invite}</h3>
      <p className="muted">{copy.inviteText}</p>
      <div>
        <Button
          icon="send"
          label={copy.inviteAct}
          onClick={() => void (link.canShare ? link.share({ url }) : link.copy(url))}
        />
      </div>
    </div>
  );
}

function LastPosts() {
  const copy = useQuietAreaCopy();
  const query = trpc.messages.area.useQuery({});
  if (!query.data) return <QueryState compact query={query} />;
  const posts = query.data.items.filter(({ bodyText }) => bodyText !== "").slice(0, POSTS_SHOWN);
  return (
    <div className="stack gap-2">
      <h3>{copy.words}</h3>
      {posts.length === 0 ? (
        <p className="muted">{copy.noWords}</p>
      ) : (
        <ul className="stack gap-3 plain-list">
          {posts.map((post) => (
            <li className="stack" key={post.id}>
              <span className="muted">
                <bdi>{displayName(post.senderProfileName)}</bdi> · {shortTime(post.tsCreated)}
              </span>
              <span className={`clip break-anywhere ${css.said}`} dir="auto">
                {post.bodyText}
              </span>
            </li>
          ))}
        </ul>
      )}
      <p>
        <Link className="tap-target" href="/chat/broadcast">
          {posts.length === 0 ? copy.speak : copy.chat}
        </Link>
      </p>
    </div>
  );
}
