import type { OwnPersonCheck } from "@lambda/contract/person-check";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { useState } from "react";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { CheckedBadge } from "../../../components/Checked/CheckedLine.tsx";
import { useCheckedCopy } from "../../../components/Checked/copy.ts";
import { QueryState } from "../../../components/QueryState.tsx";
import { dateAndTime } from "../../../format/time.ts";
import { usePersonCheckCopy } from "./checked-copy.ts";
import { PoseCamera } from "./PoseCamera.tsx";
import css from "./person-check.module.css";

/** "Is it him?" for the member who wants to be checked. */
export default function CheckedScreen() {
  const copy = usePersonCheckCopy();
  const { proves } = useCheckedCopy();
  const mine = trpc.personCheck.mine.useQuery(undefined, { staleTime: 0 });
  const utils = trpc.useUtils();
  const [isPosing, setPosing] = useState(false);
  if (!mine.data) return <QueryState query={mine} failed={copy.loadFailed} label={copy.loading} />;
  if (isPosing)
    return (
      <PoseCamera
        onEnd={() => {
          setPosing(false);
          void utils.personCheck.invalidate();
        }}
      />
    );
  return (
    <div className={`stack gap-3 centered ${css.page}`}>
      <p className="type-lead">{copy.lead}</p>
      <State check={mine.data} />
      <Start check={mine.data} onStart={() => setPosing(true)} />
      <ol className="stack gap-2">
        {copy.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p>{copy.lasts}</p>
      <p className="muted">{proves}</p>
    </div>
  );
}

function State({ check }: { check: OwnPersonCheck }) {
  const copy = usePersonCheckCopy();
  const utils = trpc.useUtils();
  const withdraw = trpc.personCheck.withdraw.useMutation({ onSuccess: () => utils.personCheck.invalidate() });
  const { state, month } = check;
  const isPending = state === "judging" || state === "staff";
  return (
    <div className="stack gap-2 items-start" role="status">
      {month && <CheckedBadge month={month} />}
      {state !== "none" && state !== "posing" && <p>{copy.states[state === "him" && !month ? "changed" : state]}</p>}
      {(isPending || month) && (
        <Button
          variant="quiet"
          busy={withdraw.isPending}
          label={isPending ? copy.withdraw : copy.giveUp}
          onClick={() => withdraw.mutate()}
        />
      )}
      {withdraw.error && <p role="alert">{errorText(withdraw.error)}</p>}
    </div>
  );
}

function Start({ check, onStart }: { check: OwnPersonCheck; onStart: () => void }) {
  const copy = usePersonCheckCopy();
  const utils = trpc.useUtils();
  const start = trpc.personCheck.start.useMutation({
    onSuccess: (own) => {
      utils.personCheck.mine.setData(undefined, own);
      onStart();
    },
  });
  const { state, tsAgain, comparable, punishing } = check;
  if (state === "judging" || state === "staff") return null;
  if (!comparable)
    return <Banner action={<Button href="/profilePicEdit" label={copy.pictures} />}>{copy.noPicture}</Banner>;
  if (tsAgain) return <p>{copy.again(dateAndTime(tsAgain))}</p>;
  return (
    <>
      {punishing && <p role="note">{copy.punishing}</p>}
      <Button
        variant={punishing ? "secondary" : "primary"}
        icon="camera"
        full
        busy={start.isPending}
        label={punishing ? copy.startEvenHere : copy.start}
        onClick={() => start.mutate({ evenHere: punishing })}
      />
      {start.error && <p role="alert">{errorText(start.error)}</p>}
    </>
  );
}
