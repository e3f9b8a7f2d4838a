import { Problem } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { Fault } from "@lambda/ui/fault";
import { useEffect, useState } from "react";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { QueryState } from "../../../components/QueryState.tsx";
import { SisterBrands, useHomeBrand } from "../../../components/SisterBrands.tsx";
import { useReporting } from "../../places/positions/reporter.ts";
import { usePushSubscription } from "../settings/use-push-subscription.ts";
import { useWelcomeCopy } from "./copy.ts";
import css from "./welcome.module.css";

/** How long the last step waits for the member's position to be stored, which the next screen needs to find who is near. */
const PLACE_WAIT_MS = 3000;

/** Offers sharing on sister sites and push notifications. Nothing is preselected. */
export function SharingStep({ sharedOn, onDone }: { sharedOn: number; onDone: () => void }) {
  const { sharing: copy } = useWelcomeCopy();
  const [mask, setMask] = useState(sharedOn);
  const utils = trpc.useUtils();
  const finish = useAfterPlaceStored(onDone);
  const save = trpc.settings.setSharing.useMutation({
    onSuccess: () => {
      void utils.accounts.session.invalidate();
      finish.begin();
    },
  });
  const home = useHomeBrand(sharedOn);
  return (
    <div className={`column gap-4 grow mt-2 ${css.form}`}>
      <fieldset className="stack gap-2 items-start">
        <legend className="type-lead font-display">{copy.sisters}</legend>
        <p className="muted">{copy.sistersUse(home.name)}</p>
        <SisterBrands home={home} value={mask} onChange={setMask} />
      </fieldset>
      <Push />
      <div className="stack gap-2 items-start">
        <h3>{copy.exit}</h3>
        <p className="muted">{copy.exitUse}</p>
      </div>
      <Problem text={save.isError && errorText(save.error)} />
      <div className={css.primary}>
        <Button
          variant="primary"
          full
          busy={save.isPending || finish.waiting}
          label={copy.showNearby}
          onClick={() => save.mutate({ sharedOn: mask })}
        />
      </div>
    </div>
  );
}

function Push() {
  const { sharing: copy } = useWelcomeCopy();
  const { obstacle, failure, subscribe, busy, key } = usePushSubscription();
  const [subscribed, setSubscribed] = useState(false);
  const enablePush = async () => {
    const name = matchMedia("(pointer: coarse)").matches ? copy.phone : copy.computer;
    setSubscribed(await subscribe(name));
  };
  return (
    <div className="stack gap-2 items-start">
      <h3>{copy.push}</h3>
      <p className="muted">{obstacle ? copy.noPush : copy.pushUse}</p>
      <Fault text={failure} />
      {!obstacle && key.isLoadingError && <QueryState compact query={key} />}
      {!obstacle && (
        <Button
          icon="bell"
          busy={busy}
          disabled={!key.isSuccess || subscribed}
          label={subscribed ? copy.pushOn : copy.pushAsk}
          onClick={() => void enablePush()}
        />
      )}
    </div>
  );
}

/** After `begin`, calls `onDone` when the chosen place is stored, or after a timeout. */
function useAfterPlaceStored(onDone: () => void) {
  const { isSaving, saveDueAt, use, fix, shownError } = useReporting();
  const [waiting, setWaiting] = useState(false);
  const waitsForGps = use === "device" && fix === null && shownError === null;
  const isStored = !isSaving && saveDueAt === null && !waitsForGps;
  useEffect(() => {
    if (!waiting) return;
    if (isStored) return onDone();
    const timer = setTimeout(onDone, PLACE_WAIT_MS);
    return () => clearTimeout(timer);
  }, [waiting, isStored, onDone]);
  return { waiting, begin: () => setWaiting(true) };
}
