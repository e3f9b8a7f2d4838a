import { DISGUISES } from "@lambda/contract/disguises";
import { kindsOfGroup, NOTIFICATION_GROUPS } from "@lambda/contract/notification-kinds";
import type { Settings } from "@lambda/contract/settings";
import { trpc } from "../../../api/trpc.ts";
import { useNsfwState } from "../../../components/NsfwSwitch.tsx";
import { useChatPreferences } from "../../../components/use-chat-preferences.ts";
import { useDeviceValue } from "../../../device/device-storage.ts";
import { DISGUISE } from "../../../device/disguise.ts";
import { LOCK } from "../../../device/lock-record.ts";
import { useUnits } from "../../../format/distance.ts";
import { useLocale } from "../../../format/i18n.ts";
import { useTheme } from "../../../format/theme.ts";
import { usePrecisionCopy } from "../../places/positions/precision-copy.ts";
import { useReporting } from "../../places/positions/reporter.ts";
import type { AccountPageId } from "./account-pages.ts";
import { useSettingsCopy } from "./copy.ts";
import { usePagesCopy } from "./pages-copy.ts";

/** What is chosen at present on each page, in a few words; undefined until it is known. */
export function useRowValues(settings: Settings): Record<AccountPageId, string | undefined> {
  const copy = usePagesCopy();
  const { options } = usePrecisionCopy();
  const { precision } = useReporting();
  const visibility = useVisibilityValue(settings);
  return {
    visibility: `${visibility} · ${options[precision].label}`,
    contact: useContactValue(),
    notifications: useNotificationsValue(),
    phone: usePhoneValue(),
    look: useLookValue(),
    login: settings.email,
    data: copy.dataActs,
  };
}

export function useVisibilityValue(settings: Settings): string {
  const copy = usePagesCopy();
  const { hidden, pendingHide } = useReporting();
  if (hidden) return copy.nobody;
  if (pendingHide) return copy.hiding;
  return settings.discreet ? copy.chosen : copy.everybody;
}

function useContactValue(): string | undefined {
  const copy = usePagesCopy();
  const { preferences } = useChatPreferences();
  const who = useFirstContactValue();
  if (!preferences) return undefined;
  const count = preferences.unwantedWords.length;
  return count === 0 ? who : `${who} · ${copy.words(count)}`;
}

export function useFirstContactValue(): string | undefined {
  const copy = usePagesCopy();
  const { preferences } = useChatPreferences();
  if (!preferences) return undefined;
  const { matchesOnly, checkedOnly, ageMin, ageMax, distanceMaxMetres } = preferences.firstContact;
  if (matchesOnly) return copy.matches;
  return checkedOnly || [ageMin, ageMax, distanceMaxMetres].some((limit) => limit !== null)
    ? copy.some
    : copy.everybody;
}

function useNotificationsValue(): string | undefined {
  const copy = usePagesCopy();
  const { data: preferences } = trpc.notifications.preferences.useQuery();
  const { data: devices } = trpc.push.list.useQuery();
  if (!preferences || !devices) return undefined;
  const on = NOTIFICATION_GROUPS.filter((group) => kindsOfGroup(group).some((kind) => !preferences.off.includes(kind)));
  return `${copy.groups(on.length, NOTIFICATION_GROUPS.length)}, ${copy.devices(devices.items.length)}`;
}

function usePhoneValue(): string {
  const copy = usePagesCopy();
  const [locale] = useLocale();
  const [lock] = useDeviceValue(LOCK);
  const [disguise] = useDeviceValue(DISGUISE);
  const locked = lock ? copy.lockOn : copy.lockOff;
  return disguise ? `${locked} · ${DISGUISES[disguise.id].name[locale]}` : locked;
}

function useLookValue(): string {
  const { device: copy } = useSettingsCopy();
  const [theme] = useTheme();
  const [locale] = useLocale();
  const [units] = useUnits();
  const unit = units === "miles" ? copy.miles : copy.kilometres;
  return [copy.themes[theme], copy.languages[locale], unit, useNsfwState()].join(" · ");
}
