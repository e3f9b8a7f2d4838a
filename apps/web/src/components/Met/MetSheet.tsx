import { MET_MESSAGES_EACH_MIN, MET_SHOWN_MIN } from "@lambda/contract/limits";
import { Button } from "@lambda/ui/button";
import { errorText } from "../../api/error-text.ts";
import { trpc } from "../../api/trpc.ts";
import { ClosableSheet } from "../ClosableSheet.tsx";
import { QueryState } from "../QueryState.tsx";
import { useMetCopy } from "./copy.ts";

interface MetSheetProps {
  open: boolean;
  onClose: () => void;
  profileId: number;
}

/** The question whether a member's pictures are real, asked only of whoever opens it. */
export default function MetSheet({ open, onClose, profileId }: MetSheetProps) {
  const copy = useMetCopy();
  return (
    <ClosableSheet open={open} onClose={onClose} title={copy.title}>
      {open && <Answer profileId={profileId} />}
    </ClosableSheet>
  );
}

function Answer({ profileId }: { profileId: number }) {
  const copy = useMetCopy();
  const utils = trpc.useUtils();
  const query = trpc.met.state.useQuery({ profileId });
  const onSuccess = () => utils.met.state.invalidate({ profileId });
  const say = trpc.met.say.useMutation({ onSuccess });
  const takeBack = trpc.met.takeBack.useMutation({ onSuccess });
  const failure = say.error ?? takeBack.error;
  if (!query.data) return <QueryState query={query} failed={copy.failed} shape="rows" count={2} />;
  const { said, canSay } = query.data;
  return (
    <div className="stack gap-4">
      <p role="status">{said ? copy.said : !canSay && copy.tooEarly(MET_MESSAGES_EACH_MIN)}</p>
      <p>{copy.privately(MET_SHOWN_MIN)}</p>
      {failure && <p role="alert">{errorText(failure)}</p>}
      {said ? (
        <Button full busy={takeBack.isPending} label={copy.takeBack} onClick={() => takeBack.mutate({ profileId })} />
      ) : (
        canSay && (
          <Button
            variant="primary"
            full
            busy={say.isPending}
            label={copy.yes}
            onClick={() => say.mutate({ profileId })}
          />
        )
      )}
    </div>
  );
}
