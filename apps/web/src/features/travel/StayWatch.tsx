import { useToast } from "@lambda/ui/toast";
import { useEffect, useEffectEvent, useRef } from "react";
import { trpc } from "../../api/trpc.ts";
import { type DeviceKey, readDevice, writeDevice } from "../../device/device-storage.ts";
import { useCopy, useLocale } from "../../format/i18n.ts";
import { goTo } from "../../routing/navigation.ts";
import { hearStay } from "../position/reporter.ts";
import { countryName } from "./country-name.ts";
import { watchCopy } from "./watch-copy.ts";

/** The country whose page this device has opened by itself: it does so once in a stay. */
const OPENED_FOR: DeviceKey<string> = {
  name: "stay_opened",
  fallback: "",
  accepts: (value): value is string => typeof value === "string",
};

/** Opens the page about a country that punishes on arriving, and says once that a stay is over. Draws nothing. */
export default function StayWatch() {
  const copy = useCopy(watchCopy);
  const [locale] = useLocale();
  const toast = useToast();
  const utils = trpc.useUtils();
  const { data } = trpc.travel.whereabouts.useQuery(undefined, { enabled: false });
  const heard = useRef<string | null>(undefined);
  const { mutate: look } = trpc.travel.look.useMutation({
    onSuccess: (whereabouts) => {
      utils.travel.whereabouts.setData(undefined, whereabouts);
      lookAgain();
    },
  });
  const { mutate: told } = trpc.travel.told.useMutation();

  /** A report that was answered while the other call was under way may know more. */
  const lookAgain = useEffectEvent(() => {
    const known = utils.travel.whereabouts.getData();
    const stay = heard.current;
    if (!known || stay === undefined || stay === (known.stay?.country ?? null)) return;
    heard.current = undefined;
    look();
  });
  useEffect(() => look(), [look]);
  useEffect(
    () =>
      hearStay((told) => {
        heard.current = told;
        lookAgain();
      }),
    [],
  );

  const stay = data?.stay;
  const country = stay?.country;
  const untold = stay?.chosen === false;
  useEffect(() => {
    if (country === undefined || !untold) return;
    if (readDevice(OPENED_FOR) === country) return;
    writeDevice(OPENED_FOR, country);
    void utils.accounts.session.invalidate();
    goTo("/travel/here");
  }, [country, untold, utils]);

  const left = data?.left ?? null;
  useEffect(() => {
    if (left === null) return;
    writeDevice(OPENED_FOR, "");
    toast({ text: copy.left(countryName(left, locale)), tone: "info" });
    told();
    utils.travel.whereabouts.setData(undefined, { stay: null, left: null });
    void utils.accounts.session.invalidate();
  }, [left, copy, locale, toast, told, utils]);

  return null;
}
