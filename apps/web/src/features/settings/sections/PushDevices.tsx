import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { IconButton } from "@lambda/ui/icon-button";
import { TextField } from "@lambda/ui/text-field";
import { type FormEvent, useEffect, useState } from "react";
import { trpc } from "../../../api/trpc.ts";
import { useCopy } from "../../../format/i18n.ts";
import { settingsCopy } from "../copy.ts";
import { findPushObstacle, type PushObstacle, subscribeDevice, subscriptionDraft } from "../push.ts";
import css from "./settings.module.css";

/** Devices that get push, and the button that adds this one: nothing is asked of the browser before it is pressed. */
export function PushDevices() {
  const { notifications: copy } = useCopy(settingsCopy);
  const utils = trpc.useUtils();
  const devices = trpc.push.list.useQuery();
  const key = trpc.push.key.useQuery(undefined, { staleTime: Number.POSITIVE_INFINITY });
  const store = trpc.push.subscribe.useMutation({ onSuccess: () => utils.push.list.invalidate() });
  const remove = trpc.push.unsubscribe.useMutation({ onSettled: () => utils.push.list.invalidate() });
  const [name, setName] = useState("");
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

  const subscribe = async (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === "" || !key.data || busy) return;
    setBusy(true);
    setFailure(null);
    try {
      const subscription = await subscribeDevice(key.data.applicationServerKey);
      await store.mutateAsync(subscriptionDraft(subscription, name.trim()));
      setName("");
    } catch (error) {
      setObstacle(await findPushObstacle());
      setFailure(copy.unable + (error instanceof Error ? error.message : copy.later));
    } finally {
      setBusy(false);
    }
  };

  const obstacleText =
    obstacle &&
    {
      notifications: copy.noNotifications,
      push: copy.noPush,
      denied: copy.denied,
      lookup: `${copy.lookFailed}...`,
    }[obstacle];

  return (
    <div className={css.stack}>
      <h3>{copy.devices}</h3>
      {devices.data?.items.length === 0 && <p className={css.muted}>{copy.noDevices}</p>}
      <ul className={css.rows}>
        {devices.data?.items.map((device) => (
          <li key={device.id} className={css.row}>
            <span className={css.words}>
              {device.deviceName}
              {device.thisDevice && <span className={css.muted}> ({copy.thisDevice})</span>}
            </span>
            <IconButton
              icon="trash"
              label={copy.remove(device.deviceName)}
              onClick={() => remove.mutate({ id: device.id })}
            />
          </li>
        ))}
      </ul>
      {obstacleText && <Banner tone="warn">{obstacleText}</Banner>}
      {failure && !obstacleText && (
        <Banner tone="danger" role="alert">
          {failure}
        </Banner>
      )}
      {!obstacle && (
        <form className={css.subscribe} onSubmit={subscribe}>
          <TextField
            label={copy.deviceName}
            placeholder={copy.deviceNamePlaceholder}
            maxLength={60}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <Button type="submit" icon="bell" busy={busy} disabled={name.trim() === "" || !key.data}>
            {copy.subscribe}
          </Button>
        </form>
      )}
    </div>
  );
}
