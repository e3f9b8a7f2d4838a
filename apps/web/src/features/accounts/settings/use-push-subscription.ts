import { useEffect, useState } from "react";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { DeadlinePassed } from "../../../device/with-deadline.ts";
import { useSettingsCopy } from "./copy.ts";
import { findPushObstacle, type PushObstacle, subscribeToPush, subscriptionDraft } from "./push.ts";

/** Subscribes this device to push. The browser asks for permission only then. */
export function usePushSubscription() {
  const { notifications: copy } = useSettingsCopy();
  const utils = trpc.useUtils();
  const key = trpc.push.key.useQuery(undefined, { staleTime: Number.POSITIVE_INFINITY });
  const save = trpc.push.subscribe.useMutation({ onSuccess: () => utils.push.list.invalidate() });
  const [obstacle, setObstacle] = useState<PushObstacle | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  useEffect(() => void findPushObstacle().then(setObstacle), []);

  const subscribe = async (deviceName: string): Promise<boolean> => {
    if (!key.data || busy) return false;
    setBusy(true);
    setFailure(null);
    try {
      const subscription = await subscribeToPush(key.data.applicationServerKey);
      await save.mutateAsync(subscriptionDraft(subscription, deviceName));
      return true;
    } catch (error) {
      setObstacle(await findPushObstacle());
      // The browser's own messages are not in the member's language.
      const isOfBrowser = error instanceof DOMException || error instanceof DeadlinePassed;
      setFailure(copy.unable + (isOfBrowser ? copy.later : errorText(error)));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { obstacle, failure, subscribe, busy, key };
}
