import type { CootiesPlayer, CootiesState } from "@lambda/contract/games";
import { Button } from "@lambda/ui/button";
import { classes } from "@lambda/ui/classes";
import { useToast } from "@lambda/ui/toast";
import { trpc } from "../../../api/trpc.ts";
import { MemberAvatar } from "../../../components/MemberAvatar.tsx";
import { QueryState } from "../../../components/QueryState.tsx";
import { TableHead } from "../../../components/TableHead.tsx";
import { useFailureToast } from "../../../components/use-failure-toast.ts";
import { displayName } from "../../../format/display-name.ts";
import { useSession } from "../../../session/session.ts";
import { useGamesCopy } from "../copy.ts";
import { GameIllustration } from "../layout/GameIllustration.tsx";
import { HowItWorks } from "../layout/GameLayout.tsx";
import css from "./cooties.module.css";
import { useCootiesCopy } from "./copy.ts";

const REFETCH_MS = 30_000;

export default function CootiesScreen() {
  const copy = useCootiesCopy();
  const { loading, failed } = useGamesCopy();
  const { state, query, isTagging, tag, isJoining, setPlaying } = useCooties();
  if (!state) return <QueryState query={query} failed={failed} height="60dvh" width="100%" label={loading} />;
  return (
    <div className="stack gap-3 centered narrow mt-2">
      <section className={classes("stack gap-3 pad-4 radius-3", state.carrier ? "tint" : "raised")}>
        <GameIllustration game="cooties" height="24dvh" />
        <div className="stack gap-1 text-center" role="status">
          <h2>{!state.playing ? copy.intro : state.carrier ? copy.carrier : copy.clean}</h2>
          {state.playing && <p>{state.carrier ? copy.carrierText : copy.cleanText}</p>}
        </div>
      </section>
      {!state.playing && (
        <Button variant="primary" full busy={isJoining} label={copy.join} onClick={() => setPlaying(true)} />
      )}
      {state.carrier && (
        <section>
          <h3>{copy.near}</h3>
          <NearbyPlayers state={state} busy={isTagging} onTag={tag} />
        </section>
      )}
      <section>
        <h3>{copy.leaders}</h3>
        <Leaders players={state.leaders} />
      </section>
      {state.playing && (
        <div className="row wrap gap-2">
          <Button variant="quiet" busy={isJoining} label={copy.leave} onClick={() => setPlaying(false)} />
          <span className="muted">{copy.leaveNote}</span>
        </div>
      )}
      <HowItWorks text={copy.how} />
    </div>
  );
}

function useCooties() {
  const copy = useCootiesCopy();
  const toast = useToast();
  const showFailure = useFailureToast();
  const utils = trpc.useUtils();
  const query = trpc.games.cooties.useQuery(undefined, { refetchInterval: REFETCH_MS });
  const callbacks = {
    onSuccess: (next: CootiesState) => utils.games.cooties.setData(undefined, next),
    onError: (error: unknown) => {
      showFailure(error);
      void utils.games.cooties.invalidate();
    },
  };
  const play = trpc.games.cootiesPlay.useMutation(callbacks);
  const tag = trpc.games.cootiesTag.useMutation(callbacks);
  return {
    state: query.data,
    query,
    isJoining: play.isPending,
    setPlaying: (playing: boolean) => play.mutate({ playing }),
    isTagging: tag.isPending,
    tag: ({ profileId, name }: CootiesPlayer) =>
      tag.mutate({ profileId }, { onSuccess: () => toast({ text: copy.tagged(displayName(name)), tone: "success" }) }),
  };
}

interface NearbyPlayersProps {
  state: CootiesState;
  busy: boolean;
  onTag: (player: CootiesPlayer) => void;
}

function NearbyPlayers({ state, busy, onTag }: NearbyPlayersProps) {
  const copy = useCootiesCopy();
  if (!state.positioned) {
    return (
      <p className="muted">
        {copy.noPosition} <Button href="/search/map" label={copy.map} />
      </p>
    );
  }
  if (state.near.length === 0) return <p className="muted">{copy.nobody}</p>;
  return (
    <ul className="stack gap-3 three-columns mt-3 plain-list">
      {state.near.map((player) => (
        <li key={player.profileId}>
          <button
            type="button"
            className={`stack gap-1 items-center full-width radius-2 ${css.player}`}
            aria-label={copy.tag(displayName(player.name))}
            disabled={busy}
            onClick={() => onTag(player)}
          >
            <MemberAvatar name={player.name} picture={player.pictureId} size={84} />
            <span>{displayName(player.name)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function Leaders({ players }: { players: CootiesState["leaders"] }) {
  const copy = useCootiesCopy();
  const { profileId } = useSession();
  if (players.length === 0) return <p className="muted">{copy.nobodyYet}</p>;
  return (
    <table className="table mt-2">
      <TableHead columns={[copy.player, copy.tags, copy.caught]} />
      <tbody>
        {players.map((player) => (
          <tr key={player.profileId} className={player.profileId === profileId ? "accent" : undefined}>
            <th scope="row" className="row gap-3">
              <MemberAvatar name={player.name} picture={player.pictureId} size={36} />
              {displayName(player.name)}
              {player.profileId === profileId && ` (${copy.you})`}
            </th>
            <td>{player.tags}</td>
            <td>{player.caught}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
