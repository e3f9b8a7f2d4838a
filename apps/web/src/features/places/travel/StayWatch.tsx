import { useToast } from "@lambda/ui/toast";
import { useEffect, useEffectEvent, useRef } from "react";
import { trpc } from "../../../api/trpc.ts";
import { deviceKey, readDeviceValue, writeDeviceValue } from "../../../device/device-storage.ts";
import { defineCopyHook, useLocale } from "../../../format/i18n.ts";
import { goTo } from "../../../routing/navigation.ts";
import { subscribeStay } from "../positions/reporter.ts";
import { countryName } from "./country-name.ts";

/** Apart from the page's texts, because it is loaded with every screen. */
const useWatchCopy = defineCopyHook({
  en: { left: (country: string) => `You've left ${country}. Everything's as it was before.` },
  es: { left: (country: string) => `Saliste de ${country}. Todo está como antes.` },
});

/** The country whose page was opened automatically on this device, which happens once per stay. */
const OPENED_FOR = deviceKey("stay_opened", "", (value) => typeof value === "string");

/** Opens the safety page on arrival in a country that punishes, and announces once that the stay is over. Renders nothing. */
export default function StayWatch() {
  const copy = useWatchCopy();
  const [locale] = useLocale();
  const toast = useToast();
  const utils = trpc.useUtils();
  const { data } = trpc.travel.whereabouts.useQuery(undefined, { enabled: false });
  /** The country in the last position report, until it is known to match the whereabouts. */
  const reportedCountry = useRef<string | null>(undefined);
  const { mutate: refreshStay } = trpc.travel.refreshStay.useMutation({
    onSuccess: (whereabouts) => {
      utils.travel.whereabouts.setData(undefined, whereabouts);
      updateIfOutdated();
    },
  });
  const { mutate: acknowledgeStayEnd } = trpc.travel.acknowledgeStayEnd.useMutation();

  /** A position report during the call may have returned a newer country. */
  const updateIfOutdated = useEffectEvent(() => {
    const whereabouts = utils.travel.whereabouts.getData();
    const country = reportedCountry.current;
    if (!whereabouts || country === undefined || country === (whereabouts.stay?.country ?? null)) return;
    reportedCountry.current = undefined;
    refreshStay();
  });
  useEffect(() => refreshStay(), [refreshStay]);
  useEffect(
    () =>
      subscribeStay((country) => {
        reportedCountry.current = country;
        updateIfOutdated();
      }),
    [],
  );

  const stay = data?.stay;
  const country = stay?.country;
  const needsChoice = stay?.chosen === false;
  useEffect(() => {
    if (country === undefined || !needsChoice) return;
    if (readDeviceValue(OPENED_FOR) === country) return;
    writeDeviceValue(OPENED_FOR, country);
    void utils.accounts.session.invalidate();
    goTo("/travel/here");
  }, [country, needsChoice, utils]);

  const left = data?.left ?? null;
  useEffect(() => {
    if (left === null) return;
    writeDeviceValue(OPENED_FOR, "");
    toast({ text: copy.left(countryName(left, locale)), tone: "info" });
    acknowledgeStayEnd();
    utils.travel.whereabouts.setData(undefined, { stay: null, left: null });
    void utils.accounts.session.invalidate();
  }, [left, copy, locale, toast, acknowledgeStayEnd, utils]);

  return null;
}
