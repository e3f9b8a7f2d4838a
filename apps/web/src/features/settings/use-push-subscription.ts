import { useEffect, useState } from "react";
import { trpc } from "../../api/trpc.ts";
import { useCopy } from "../../format/i18n.ts";
import { settingsCopy } from "./copy.ts";
import { findPushObstacle, type PushObstacle, subscribeDevice, subscriptionDraft } from "./push.ts";

/** Subscribes this device to push; the browser is asked for nothing before that. */
export function usePushSubscription() {
  const { notifications: copy } = useCopy(settingsCopy);
  const utils = trpc.useUtils();
  const key = trpc.push.key.useQuery(undefined, { staleTime: Number.POSITIVE_INFINITY });
  const store = trpc.push.subscribe.useMutation({ onSuccess: () => utils.push.list.invalidate() });
  const [obstacle, setObstacle] = useState<PushObstacle | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  useEffect(() => {
    let gone = false;
    void findPushObstacle().then((found) => {
      if (!gone) setObstacle(found);
    });
    return () => {
      gone = true;
    };
  }, []);

  /** Answers whether this device is subscribed now. */
  const subscribe = async (deviceName: string): Promise<boolean> => {
    if (!key.data || busy) return false;
    setBusy(true);
    setFailure(null);
    try {
      const subscription = await subscribeDevice(key.data.applicationServerKey);
      await store.mutateAsync(subscriptionDraft(subscription, deviceName));
      return true;
    } catch (error) {
      setObstacle(await findPushObstacle());
      setFailure(copy.unable + (error instanceof Error ? error.message : copy.later));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { obstacle, failure, subscribe, busy, ready: key.data !== undefined };
}
