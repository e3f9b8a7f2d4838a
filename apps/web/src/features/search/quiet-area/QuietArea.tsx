import { Button } from "@lambda/ui/button";
import { Link } from "@lambda/ui/link";
import { useToast } from "@lambda/ui/toast";
import { trpc } from "../../../api/trpc.ts";
import { invitationTo } from "../../../device/invited-area.ts";
import { METERS_PER_KILOMETER, METERS_PER_MILE, roundDistance, useUnits } from "../../../format/distance.ts";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { shownName } from "../../../format/shown-name.ts";
import { useBrand } from "../../../format/site.ts";
import { shortTime } from "../../../format/time.ts";
import { useReporting } from "../../position/reporter.ts";
import { countsAround } from "./area-counts.ts";
import { quietAreaCopy } from "./copy.ts";
import css from "./quiet-area.module.css";

/** Distances that are named, in the member's units; the last is once around. */
const ROUNDS = [50, 100, 200, 500, 1000, 2000, 5000, 12_500];
const WORDS_SHOWN = 3;

/** An area where hardly anybody is: who is how far away, how to bring others, and what was last said around here. */
export default function QuietArea() {
  const copy = useCopy(quietAreaCopy);
  const brand = useBrand();
  const here = useReporting().known?.published ?? brand.firstCity;
  return (
    <section className={css.area} aria-labelledby="quiet-area">
      <h2 id="quiet-area" className={css.title}>
        {copy.title}
      </h2>
      <Counts lat={here.lat} lon={here.lon} />
      <Invitation lat={here.lat} lon={here.lon} />
      <LastWords />
    </section>
  );
}

function Counts({ lat, lon }: { lat: number; lon: number }) {
  const copy = useCopy(quietAreaCopy);
  const brand = useBrand();
  const [units] = useUnits();
  const [locale] = useLocale();
  const { data } = trpc.positions.aggregates.useQuery({ most: 100 });
  if (!data) return null;
  const unit = units === "miles" ? METERS_PER_MILE : METERS_PER_KILOMETER;
  const lines = countsAround(
    { lat, lon },
    data.items,
    ROUNDS.map((round) => round * unit),
  );
  if (lines.length === 0) return <p>{copy.nobody(brand.name)}</p>;
  return (
    <>
      <ul className={css.counts}>
        {lines.map(({ meters, count }) => (
          <li key={meters}>
            <strong>{count.toLocaleString(locale)}</strong> {copy.within(count, roundDistance(meters, units))}
          </li>
        ))}
      </ul>
      <p className={css.note}>{copy.counted}</p>
    </>
  );
}

function Invitation({ lat, lon }: { lat: number; lon: number }) {
  const copy = useCopy(quietAreaCopy);
  const toast = useToast();
  const invite = async () => {
    const url = invitationTo({ lat, lon }, location.origin);
    try {
      if (navigator.share) await navigator.share({ url });
      else {
        await navigator.clipboard.writeText(url);
        toast({ text: copy.copied, tone: "success" });
      }
    } catch (error) {
      // Whoever closes the sheet of the system needs no message.
      if ((error as Error).name !== "AbortError") toast({ text: copy.byHand(url), tone: "info" });
    }
  };
  return (
    <div className={css.part}>
      <h3>{copy.invite}</h3>
      <p className={css.note}>{copy.inviteText}</p>
      <div>
        <Button icon="send" onClick={() => void invite()}>
          {copy.inviteAct}
        </Button>
      </div>
    </div>
  );
}

function LastWords() {
  const copy = useCopy(quietAreaCopy);
  const [locale] = useLocale();
  const { data } = trpc.messages.area.useQuery({});
  if (!data) return null;
  const said = data.items.filter(({ bodyText }) => bodyText !== "").slice(0, WORDS_SHOWN);
  return (
    <div className={css.part}>
      <h3>{copy.words}</h3>
      {said.length === 0 ? (
        <p className={css.note}>{copy.noWords}</p>
      ) : (
        <ul className={css.words}>
          {said.map((post) => (
            <li key={post.id}>
              <span className={css.who}>
                {shownName(post.senderProfileName)} · {shortTime(post.tsCreated, locale)}
              </span>
              <span className={css.said}>{post.bodyText}</span>
            </li>
          ))}
        </ul>
      )}
      <p>
        <Link href="/chat/broadcast">{said.length === 0 ? copy.speak : copy.chat}</Link>
      </p>
    </div>
  );
}
