import { EmptyState } from "@lambda/ui/empty-state";
import { Stat, StatRow } from "@lambda/ui/stat";
import { Switch } from "@lambda/ui/switch";
import { trpc } from "../../../api/trpc.ts";
import { QueryState } from "../../../components/QueryState.tsx";
import { useCopy } from "../../../format/i18n.ts";
import { gamesCopy } from "../copy.ts";
import css from "./arbitration.module.css";
import { arbitrationCopy } from "./copy.ts";
import { JuryCaseView } from "./JuryCaseView.tsx";

/** The first case waiting for the juror's vote, their record, and the switch for being drawn. */
export function JuryDuty() {
  const copy = useCopy(arbitrationCopy);
  const { loading, failed } = useCopy(gamesCopy);
  const utils = trpc.useUtils();
  const inbox = trpc.arbitration.inbox.useQuery();
  const setOptedOut = trpc.arbitration.setOptedOut.useMutation({
    onSuccess: () => utils.arbitration.inbox.invalidate(),
  });
  const { data } = inbox;
  if (!data) return <QueryState query={inbox} failed={failed} height="50dvh" width="100%" label={loading} />;
  const [firstCase] = data.cases;
  const { record } = data;
  return (
    <div className={css.seat}>
      {firstCase ? (
        <JuryCaseView key={firstCase.juryId} juryCase={firstCase} />
      ) : (
        <EmptyState figure="bench" title={copy.none} text={copy.noneText} />
      )}
      <section className={`stack gap-4 ruled ${css.record}`}>
        <h2>{copy.record}</h2>
        <StatRow>
          <Stat label={copy.summoned} value={record.summoned} />
          <Stat label={copy.voted} value={record.voted} />
          <Stat label={copy.majority} value={record.withMajority} />
          <Stat label={copy.overturned} value={record.overturned} />
        </StatRow>
        <Switch
          label={copy.serve}
          help={copy.serveHelp}
          checked={!data.optedOut}
          onChange={(isOptedIn) => setOptedOut.mutate({ optedOut: !isOptedIn })}
        />
      </section>
    </div>
  );
}
