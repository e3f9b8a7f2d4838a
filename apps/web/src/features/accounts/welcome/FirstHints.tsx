import { Button } from "@lambda/ui/button";
import { Fault } from "@lambda/ui/fault";
import { useState } from "react";
import { QueryState } from "../../../components/QueryState.tsx";
import { usePushSubscription } from "../settings/use-push-subscription.ts";
import { useHintsCopy } from "./hints-copy.ts";

/** What a new member learns on the first visit to home: pushes, which are asked for only after a press, and the quick exit. */
export default function FirstHints({ onClose }: { onClose: () => void }) {
  const copy = useHintsCopy();
  return (
    <section className="stack gap-4 items-start pad-4 raised radius-3">
      <Push />
      <div className="stack gap-2 items-start">
        <h3>{copy.exit}</h3>
        <p className="muted">{copy.exitUse}</p>
      </div>
      <Button label={copy.close} onClick={onClose} />
    </section>
  );
}

function Push() {
  const copy = useHintsCopy();
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
