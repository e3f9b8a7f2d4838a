import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { Link } from "@lambda/ui/link";
import { trpc } from "../../api/trpc.ts";
import { useGamesCopy } from "./copy.ts";
import css from "./games.module.css";
import { GAMES, GameIllustration, type GameName } from "./layout/GameIllustration.tsx";

/** The games that fewest come for. */
const MORE: readonly GameName[] = ["photocrop", "identify", "cooties"];

export default function GamesScreen() {
  const copy = useGamesCopy();
  const { data: ledger } = trpc.games.credits.useQuery();
  const { data: inbox } = trpc.arbitration.inbox.useQuery();
  const waitingCases = inbox?.cases.length ?? 0;
  return (
    <div className="stack gap-4">
      <div className={`wrap between align-baseline ${css.head}`}>
        <p className="measure muted">{copy.lead}</p>
        {ledger && <p className="bold">{copy.credits(ledger.credits)}</p>}
      </div>
      {waitingCases > 0 && (
        <Banner action={<Button href="/games/arbitration" label={copy.serve} />}>{copy.summons(waitingCases)}</Banner>
      )}
      <Cards games={GAMES.filter((game) => !MORE.includes(game))} />
      <h2 className="type-lead">{copy.more}</h2>
      <Cards games={MORE} />
    </div>
  );
}

function Cards({ games }: { games: readonly GameName[] }) {
  const { cards } = useGamesCopy();
  return (
    <ul className={`stack plain-list ${css.games}`}>
      {games.map((game) => (
        <li key={game}>
          <Link href={`/games/${game}`} className={`stack gap-2 radius-2 undecorated ${css.game}`}>
            <span className={`block radius-2 clip ${css.scene}`}>
              <GameIllustration game={game} />
            </span>
            <span className="stack gap-hair">
              <span className={`type-lead bold font-display ${css.name}`}>{cards[game].title}</span>
              <span className={`muted ${css.text}`}>{cards[game].text}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
