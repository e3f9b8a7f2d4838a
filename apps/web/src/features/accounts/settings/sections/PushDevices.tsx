import { DEVICE_NAME_MAX_CHARS } from "@lambda/contract/limits";
import { Banner, Problem } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { IconButton } from "@lambda/ui/icon-button";
import { TextField } from "@lambda/ui/text-field";
import { useState } from "react";
import { trpc } from "../../../../api/trpc.ts";
import { Form } from "../../../../components/Form.tsx";
import { QueryState } from "../../../../components/QueryState.tsx";
import { refreshAfter } from "../../../../components/use-action.ts";
import { useSettingsCopy } from "../copy.ts";
import type { PushObstacle } from "../push.ts";
import { usePushSubscription } from "../use-push-subscription.ts";
import css from "./settings.module.css";

/** The devices that receive push messages and a form to add this one. The browser asks for permission only on submit. */
export function PushDevices() {
  const { notifications: copy } = useSettingsCopy();
  const { obstacle, failure, subscribe, busy, key } = usePushSubscription();
  return (
    <div className="stack gap-3">
      <h3>{copy.devices}</h3>
      <DeviceRows />
      {obstacle ? (
        <Banner tone="warn">{obstacleText(obstacle, copy)}</Banner>
      ) : (
        <>
          <Problem text={failure} />
          {key.isLoadingError && <QueryState compact query={key} />}
          <DeviceForm busy={busy} ready={key.isSuccess} onSubscribe={subscribe} />
        </>
      )}
    </div>
  );
}

function obstacleText(obstacle: PushObstacle, copy: ReturnType<typeof useSettingsCopy>["notifications"]): string {
  return {
    notifications: copy.noNotifications,
    push: copy.noPush,
    denied: copy.denied,
    lookup: `${copy.lookFailed}...`,
  }[obstacle];
}

function DeviceRows() {
  const { notifications: copy } = useSettingsCopy();
  const utils = trpc.useUtils();
  const devices = trpc.push.list.useQuery();
  const remove = trpc.push.unsubscribe.useMutation({ onSettled: refreshAfter(() => utils.push.list.invalidate()) });
  return (
    <>
      {!devices.data && <QueryState compact query={devices} />}
      {devices.data?.items.length === 0 && <p className="muted">{copy.noDevices}</p>}
      <ul className="stack plain-list">
        {devices.data?.items.map((device) => (
          <li key={device.id} className="row gap-3 tall py-2 ruled">
            <span className="grow min-0 break-anywhere">
              {device.deviceName}
              {device.thisDevice && <span className="muted"> ({copy.thisDevice})</span>}
            </span>
            <IconButton
              icon="trash"
              label={copy.remove(device.deviceName)}
              onClick={() => remove.mutate({ id: device.id })}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

interface DeviceFormProps {
  busy: boolean;
  ready: boolean;
  onSubscribe: (deviceName: string) => Promise<boolean>;
}

function DeviceForm({ busy, ready, onSubscribe }: DeviceFormProps) {
  const { notifications: copy } = useSettingsCopy();
  const [name, setName] = useState("");
  const submit = async () => {
    if (name.trim() !== "" && (await onSubscribe(name.trim()))) setName("");
  };
  return (
    <Form className={`stack gap-3 align-end ${css.subscribe}`} onSubmit={submit}>
      <TextField
        autoComplete="off"
        label={copy.deviceName}
        placeholder={copy.deviceNamePlaceholder}
        maxLength={DEVICE_NAME_MAX_CHARS}
        value={name}
        onValue={setName}
      />
      <Button type="submit" icon="bell" busy={busy} disabled={name.trim() === "" || !ready} label={copy.subscribe} />
    </Form>
  );
}
