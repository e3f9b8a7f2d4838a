import type { Settings } from "@lambda/contract/settings";
import { FormSection } from "@lambda/ui/form-section";
import { Switch } from "@lambda/ui/switch";
import { trpc } from "../../../api/trpc.ts";
import { Limits } from "../../../components/Limits.tsx";
import { useFailureToast } from "../../../components/use-failure-toast.ts";
import { useCopy } from "../../../format/i18n.ts";
import { dispatchReporting, useReporting } from "../../position/reporter.ts";
import { settingsCopy } from "../copy.ts";
import { useVisibilityValue } from "../use-visibility-value.ts";

/** Who sees the member: everybody, only those they chose, or nobody. Shows the state that the server returns. */
export function VisibilitySection({ settings }: { settings: Settings }) {
  const { visibility: copy } = useCopy(settingsCopy);
  const showFailure = useFailureToast();
  const utils = trpc.useUtils();
  const reporting = useReporting();
  const value = useVisibilityValue(settings);
  const save = trpc.settings.setDiscreet.useMutation({
    onSuccess: ({ discreet }) => {
      utils.settings.get.setData(undefined, (known) => known && { ...known, discreet });
      void utils.accounts.session.invalidate();
    },
    onError: showFailure,
  });
  return (
    <div id="visibility">
      <FormSection title={copy.title} text={copy.text} value={value}>
        <Switch
          label={copy.hide}
          help={copy.hideHelp}
          checked={reporting.pendingHide ?? reporting.hidden}
          disabled={!reporting.isReady}
          onChange={(hide) => dispatchReporting({ type: "hide", hide })}
        />
        <Switch
          label={copy.discreet}
          help={copy.discreetHelp}
          checked={settings.discreet}
          disabled={save.isPending}
          onChange={(discreet) => save.mutate({ discreet })}
        />
        <Limits>
          <p>{copy.acts}</p>
        </Limits>
      </FormSection>
    </div>
  );
}
