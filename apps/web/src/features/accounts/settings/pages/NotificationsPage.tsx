import { DEVICE_NAME_MAX_CHARS } from "@lambda/contract/limits";
import {
  kindsOfGroup,
  NOTIFICATION_GROUPS,
  type NotificationGroup,
  type NotificationKind,
  PROTECTED_NOTIFICATION_KINDS,
} from "@lambda/contract/notification-kinds";
import type { PushSubscriptionEntry } from "@lambda/contract/push";
import { Banner, Problem } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { IconButton } from "@lambda/ui/icon-button";
import { Switch } from "@lambda/ui/switch";
import { TextField } from "@lambda/ui/text-field";
import { useMutation } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { useState } from "react";
import { trpcClient } from "../../../../api/client.ts";
import { trpc } from "../../../../api/trpc.ts";
import { Form } from "../../../../components/Form.tsx";
import { QueryState } from "../../../../components/QueryState.tsx";
import { refreshAfter } from "../../../../components/use-action.ts";
import { useFailureToast } from "../../../../components/use-failure-toast.ts";
import { useSavedWhole } from "../../../../components/use-saved-whole.ts";
import { isDeclined, useOwnerProof } from "../../proof/use-owner-proof.tsx";
import { useSettingsCopy } from "../copy.ts";
import { forgetDevice } from "../renew-push.ts";
import css from "../sections/settings.module.css";
import { usePushSubscription } from "../use-push-subscription.ts";

export default function NotificationsPage() {
  const { notifications: copy } = useSettingsCopy();
  const { query, off, save } = useKindsOff();
  const namesOf = useKindNames();
  return (
    <div id="notifications" className="stack gap-5">
      <p className="muted">{copy.text}</p>
      {off === undefined ? (
        <QueryState query={query} height="12rem" />
      ) : (
        <div>
          {NOTIFICATION_GROUPS.map((group) => (
            <GroupSwitch key={group} group={group} off={off} onChange={(on) => save(kindsOfGroup(group), on)} />
          ))}
          <p className="muted">{copy.always(namesOf(PROTECTED_NOTIFICATION_KINDS))}</p>
        </div>
      )}
      <PushDevices />
    </div>
  );
}

function useKindsOff() {
  const showFailure = useFailureToast();
  const query = trpc.notifications.preferences.useQuery();
  const { mutateAsync } = trpc.notifications.updatePreferences.useMutation();
  const key = getQueryKey(trpc.notifications.preferences, undefined, "query");
  const [preferences, saveWhole] = useSavedWhole(key, query.data);
  const save = (kinds: readonly NotificationKind[], on: boolean) => {
    const change = ({ off }: { off: NotificationKind[] }) => {
      const others = off.filter((kind) => !kinds.includes(kind));
      return { off: on ? others : [...others, ...kinds] };
    };
    saveWhole(change, (known) => mutateAsync(change(known))).catch(showFailure);
  };
  return { query, off: preferences?.off, save };
}

interface GroupSwitchProps {
  group: NotificationGroup;
  off: readonly NotificationKind[];
  onChange: (on: boolean) => void;
}

function useKindNames() {
  const { kinds } = useSettingsCopy().notifications;
  return (some: readonly NotificationKind[]) => some.map((kind) => kinds[kind]).join(" · ");
}

/** Switches all kinds of a group. What was switched off one by one stays off, and is named, until the group is switched. */
function GroupSwitch({ group, off, onChange }: GroupSwitchProps) {
  const { notifications: copy } = useSettingsCopy();
  const kinds = kindsOfGroup(group);
  const isOn = kinds.some((kind) => !off.includes(kind));
  const without = isOn ? kinds.filter((kind) => off.includes(kind)) : [];
  const names = useKindNames();
  return (
    <Switch
      label={copy.groups[group]}
      help={without.length > 0 ? `${names(kinds)}. ${copy.without(names(without))}` : names(kinds)}
      checked={isOn}
      onChange={onChange}
    />
  );
}

/** The devices that receive push messages and a form to add this one. The browser asks for permission only on submit. */
function PushDevices() {
  const { notifications: copy } = useSettingsCopy();
  const { obstacle, failure, subscribe, busy, key } = usePushSubscription();
  return (
    <div className="stack gap-3">
      <h3>{copy.devices}</h3>
      <DeviceRows />
      {obstacle ? (
        <Banner tone="warn">{copy.obstacles[obstacle]}</Banner>
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

function DeviceRows() {
  const { notifications: copy } = useSettingsCopy();
  const utils = trpc.useUtils();
  const devices = trpc.push.list.useQuery();
  const showFailure = useFailureToast();
  const proof = useOwnerProof();
  const remove = useMutation({
    mutationFn: ({ id }: PushSubscriptionEntry) => proof.run(() => trpcClient.push.unsubscribe.mutate({ id })),
    onSuccess: (_, { thisDevice }) => {
      if (thisDevice) forgetDevice();
    },
    onError: (error) => {
      if (!isDeclined(error)) showFailure(error);
    },
    onSettled: refreshAfter(() => utils.push.list.invalidate()),
  });
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
            <IconButton icon="trash" label={copy.remove(device.deviceName)} onClick={() => remove.mutate(device)} />
          </li>
        ))}
      </ul>
      {proof.dialog}
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
