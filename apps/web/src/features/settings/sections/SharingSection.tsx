import { BRANDS } from "@lambda/brands";
import type { Settings } from "@lambda/contract/settings";
import { FormSection } from "@lambda/ui/form-section";
import { Switch } from "@lambda/ui/switch";
import { trpc } from "../../../api/trpc.ts";
import { useFailureToast } from "../../../components/use-failure-toast.ts";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { settingsCopy } from "../copy.ts";

/** On which sister brands the member is visible. Shows the state that the server returns, without optimistic updates. */
export function SharingSection({ settings }: { settings: Settings }) {
  const { sharing: copy } = useCopy(settingsCopy);
  const [locale] = useLocale();
  const showFailure = useFailureToast();
  const utils = trpc.useUtils();
  const save = trpc.settings.setSharing.useMutation({
    onSuccess: ({ sharedOn }) => {
      utils.settings.get.setData(undefined, (known) => known && { ...known, sharedOn });
      void utils.accounts.session.invalidate();
    },
    onError: showFailure,
  });
  const home = BRANDS.find((brand) => brand.id === settings.homeBrand);
  const shown = BRANDS.filter((brand) => (settings.sharedOn & brand.bit) !== 0);
  return (
    <div id="sharing">
      <FormSection
        title={copy.title}
        text={copy.text(home?.name ?? "")}
        value={shown.map(({ name }) => name).join(", ")}
      >
        {BRANDS.map((brand) => (
          <Switch
            key={brand.id}
            label={brand.name}
            help={brand.id === settings.homeBrand ? copy.home : brand.tagline[locale]}
            checked={(settings.sharedOn & brand.bit) !== 0}
            disabled={brand.id === settings.homeBrand || save.isPending}
            onChange={() => save.mutate({ sharedOn: settings.sharedOn ^ brand.bit })}
          />
        ))}
      </FormSection>
    </div>
  );
}
