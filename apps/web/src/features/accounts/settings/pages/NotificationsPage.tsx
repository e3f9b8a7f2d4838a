import type { NotificationKind } from "@lambda/contract/notifications";
import { Switch } from "@lambda/ui/switch";
import { useQueryClient } from "@tanstack/react-query";
import { trpc } from "../../../../api/trpc.ts";
import { QueryState } from "../../../../components/QueryState.tsx";
import { useFailureToast } from "../../../../components/use-failure-toast.ts";
import { useSettingsCopy } from "../copy.ts";
import { NOTIFICATION_GROUPS, type NotificationGroup } from "../notification-groups.ts";
import { PushDevices } from "../sections/PushDevices.tsx";

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
  return (
    <div id="notifications" className="stack gap-5">
      <p className="muted">{copy.text}</p>
      {off === undefined ? (
        <QueryState query={preferences} height="12rem" />
      ) : (
        <div>
          {NOTIFICATION_GROUPS.map(({ id, kinds }) => (
            <GroupSwitch key={id} id={id} kinds={kinds} off={off} onChange={(next) => save.mutate({ off: next })} />
          ))}
        </div>
      )}
      <PushDevices />
    </div>
  );
}

interface GroupSwitchProps {
  id: NotificationGroup["id"];
  kinds: readonly NotificationKind[];
  off: readonly NotificationKind[];
  onChange: (off: NotificationKind[]) => void;
}

/** Switches all kinds of a group. What was switched off one by one stays off, and is named, until the group is switched. */
function GroupSwitch({ id, kinds, off, onChange }: GroupSwitchProps) {
  const { notifications: copy } = useSettingsCopy();
  const isOn = kinds.some((kind) => !off.includes(kind));
  const without = isOn ? kinds.filter((kind) => off.includes(kind)) : [];
  const names = (some: readonly NotificationKind[]) => some.map((kind) => copy.kinds[kind]).join(" · ");
  return (
    <Switch
      label={copy.groups[id]}
      help={without.length > 0 ? `${names(kinds)}. ${copy.without(names(without))}` : names(kinds)}
      checked={isOn}
      onChange={(on) => {
        const others = off.filter((kind) => !kinds.includes(kind));
        onChange(on ? others : [...others, ...kinds]);
      }}
    />
  );
}
