import { FormSection } from "@lambda/ui/form-section";
import { Skeleton } from "@lambda/ui/skeleton";
import { Switch } from "@lambda/ui/switch";
import { useToast } from "@lambda/ui/toast";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { useCopy } from "../../../format/i18n.ts";
import { settingsCopy } from "../copy.ts";
import { NOTIFICATION_KINDS_SHOWN } from "../notification-kinds.ts";
import { PushDevices } from "./PushDevices.tsx";
import css from "./settings.module.css";

export function NotificationsSection() {
  const { notifications: copy } = useCopy(settingsCopy);
  const toast = useToast();
  const utils = trpc.useUtils();
  const preferences = trpc.notifications.preferences.useQuery();
  const save = trpc.notifications.updatePreferences.useMutation({
    onMutate: (next) => {
      const previous = utils.notifications.preferences.getData();
      utils.notifications.preferences.setData(undefined, next);
      return { previous };
    },
    onError: (error, _next, context) => {
      utils.notifications.preferences.setData(undefined, context?.previous);
      toast({ text: errorText(error), tone: "danger" });
    },
  });
  const off = preferences.data?.off;
  return (
    <div id="notifications" className={css.anchor}>
      <FormSection title={copy.title} text={copy.text}>
        <PushDevices />
        {off === undefined ? (
          <Skeleton height="12rem" />
        ) : (
          <div>
            {NOTIFICATION_KINDS_SHOWN.map((kind) => (
              <Switch
                key={kind}
                label={copy.kinds[kind]}
                checked={!off.includes(kind)}
                onChange={(on) => save.mutate({ off: on ? off.filter((other) => other !== kind) : [...off, kind] })}
              />
            ))}
          </div>
        )}
      </FormSection>
    </div>
  );
}
