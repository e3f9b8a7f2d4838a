import { DEVICE_NAME_MAX_CHARS } from "@lambda/contract/limits";
import {
  kindsOfGroup,
  NOTIFICATION_GROUPS,
  type NotificationGroup,
  type NotificationKind,
  PROTECTED_NOTIFICATION_KINDS,
} from "@lambda/contract/notification-kinds";
import { Banner, Problem } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { IconButton } from "@lambda/ui/icon-button";
import { Switch } from "@lambda/ui/switch";
import { TextField } from "@lambda/ui/text-field";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { trpc } from "../../../../api/trpc.ts";
import { Form } from "../../../../components/Form.tsx";
import { QueryState } from "../../../../components/QueryState.tsx";
import { refreshAfter } from "../../../../components/use-action.ts";
import { useFailureToast } from "../../../../components/use-failure-toast.ts";
import { useSettingsCopy } from "../copy.ts";
import css from "../sections/settings.module.css";
import { usePushSubscription } from "../use-push-subscription.ts";

const SCOPE = { id: "notification-preferences" };

export default function NotificationsPage() {
  const { notifications: copy } = useSettingsCopy();
  const showFailure = useFailureToast();
  const utils = trpc.useUtils();
  const preferences = trpc.notifications.preferences.useQuery();
  const cache = utils.notifications.preferences;
  const queryClient = useQueryClient();
  const save = trpc.notifications.updatePreferences.useMutation({
    // Each change contains the whole list, so the one made last must arrive last.
    scope: SCOPE,
    onMutate: async (next) => {
      await cache.cancel();
      const previous = cache.getData();
      cache.setData(undefined, next);
      return { previous };
    },
    onError: (error, _next, context) => {
      cache.setData(undefined, context?.previous);
      showFailure(error);
    },
    onSettled: () => {
      const isLast = queryClient.isMutating({ predicate: ({ options }) => options.scope === SCOPE }) === 1;
      if (isLast) void cache.invalidate();
    },
  });
  const off = preferences.data?.off;
  const namesOf = useKindNames();
  return (
    <div id="notifications" className="stack gap-5">
      <p className="muted">{copy.text}</p>
      {off === undefined ? (
        <QueryState query={preferences} height="12rem" />
      ) : (
        <div>
          {NOTIFICATION_GROUPS.map((group) => (
            <GroupSwitch key={group} group={group} off={off} onChange={(next) => save.mutate({ off: next })} />
          ))}
          <p className="muted small">{copy.always(namesOf(PROTECTED_NOTIFICATION_KINDS))}</p>
        </div>
      )}
      <PushDevices />
    </div>
  );
}

interface GroupSwitchProps {
  group: NotificationGroup;
  off: readonly NotificationKind[];
  onChange: (off: NotificationKind[]) => void;
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
      onChange={(on) => {
        const others = off.filter((kind) => !kinds.includes(kind));
        onChange(on ? others : [...others, ...kinds]);
      }}
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
