import { Segmented } from "@lambda/ui/segmented";
import { Select } from "@lambda/ui/select";
import { trpc } from "../../../../api/trpc.ts";
import { NsfwSwitch } from "../../../../components/NsfwSwitch.tsx";
import { useFailureToast } from "../../../../components/use-failure-toast.ts";
import { useUnits } from "../../../../format/distance.ts";
import { useLocale } from "../../../../format/i18n.ts";
import { THEME_CHOICES, useTheme } from "../../../../format/theme.ts";
import { useSettingsCopy } from "../copy.ts";

/** Settings stored on this device, which apply at once. The language is also saved with the account, for mails. */
export default function LookPage() {
  const { device: copy } = useSettingsCopy();
  const [theme, setTheme] = useTheme();
  const [locale, setLocale] = useLocale();
  const [units, setUnits] = useUnits();
  const update = trpc.settings.update.useMutation({ onError: useFailureToast() });
  return (
    <div className="stack gap-5">
      <p className="muted">{copy.text}</p>
      <div className="stack gap-2">
        <span className="bold">{copy.theme}</span>
        <Segmented
          label={copy.theme}
          options={THEME_CHOICES.map((value) => ({ value, label: copy.themes[value] }))}
          value={theme}
          onChange={setTheme}
        />
      </div>
      <Select
        label={copy.language}
        options={[
          { value: "en", label: copy.languages.en },
          { value: "es", label: copy.languages.es },
        ]}
        value={locale}
        onValue={(chosen) => {
          setLocale(chosen);
          update.mutate({ locale: chosen });
        }}
      />
      <div className="stack gap-2">
        <span className="bold">{copy.units}</span>
        <Segmented
          label={copy.units}
          options={[
            { value: "miles", label: copy.miles },
            { value: "kilometres", label: copy.kilometres },
          ]}
          value={units}
          onChange={setUnits}
        />
      </div>
      <NsfwSwitch />
    </div>
  );
}
