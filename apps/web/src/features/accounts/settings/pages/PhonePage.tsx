import { DISGUISE_IDS, DISGUISES } from "@lambda/contract/disguises";
import { Problem } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { Folds, FormSection } from "@lambda/ui/form-section";
import { useId, useState } from "react";
import { Limits } from "../../../../components/Limits.tsx";
import { OWN_PLAN } from "../../../../device/device-keys.ts";
import { useDeviceValue } from "../../../../device/device-storage.ts";
import { type DeviceDisguise, DISGUISE } from "../../../../device/disguise.ts";
import { quickExit } from "../../../../device/quick-exit.ts";
import { chooseDisguise } from "../../../../format/apply-disguise.ts";
import { useLocale } from "../../../../format/i18n.ts";
import { useBrand } from "../../../../format/site.ts";
import { useDisguiseCopy } from "../../lock/settings/disguise-copy.ts";
import { LockSection } from "../../lock/settings/LockSection.tsx";
import css from "../../lock/settings/lock.module.css";
import { usePagesCopy } from "../pages-copy.ts";
import type { AccountPageProps } from "./pages.ts";

export default function PhonePage({ open }: AccountPageProps) {
  return (
    <Folds open={open}>
      <LockSection />
      <DisguiseSection />
      <PlanSection />
    </Folds>
  );
}

/** Account page section: where a plan with a friend is made, and whether one is running. */
function PlanSection() {
  const copy = usePagesCopy();
  const [plan] = useDeviceValue(OWN_PLAN);
  return (
    <FormSection id="plan" title={copy.plan} text={copy.planText} value={plan ? copy.planRuns : copy.none}>
      <Button icon="chat" href="/chat/personal" label={copy.conversations} />
    </FormSection>
  );
}

/** Lets the member choose a neutral name and icon for this device, and try the quick exit. */
function DisguiseSection() {
  const copy = useDisguiseCopy();
  const [locale] = useLocale();
  const brand = useBrand();
  const group = useId();
  const [chosen] = useDeviceValue(DISGUISE);
  const [isNotStored, setIsNotStored] = useState(false);
  const choose = (disguise: DeviceDisguise | null) => {
    setIsNotStored(false);
    chooseDisguise(disguise).catch(() => setIsNotStored(true));
  };
  const disguises = [
    { id: null, name: brand.name, icon: brand.id },
    ...DISGUISE_IDS.map((id) => ({ id, name: DISGUISES[id].name[locale], icon: id })),
  ];
  return (
    <>
      <FormSection
        id="disguise"
        title={copy.title}
        text={copy.text}
        value={disguises.find(({ id }) => id === (chosen?.id ?? null))?.name}
      >
        <fieldset className={`stack gap-3 ${css.faces}`} aria-label={copy.title}>
          {disguises.map(({ id, name, icon }) => (
            <label key={icon} className={`stack gap-2 items-center radius-2 relative text-center ${css.face}`}>
              <input
                type="radio"
                className="over"
                name={group}
                checked={(chosen?.id ?? null) === id}
                onChange={() => choose(id && { id, name })}
              />
              <img src={`/icons/${icon}-192.png`} alt="" />
              {name}
            </label>
          ))}
        </fieldset>
        <Problem text={isNotStored && copy.notStored} />
        <Limits>
          <p>{copy.install}</p>
        </Limits>
      </FormSection>
      <FormSection id="exit" title={copy.exitTitle} text={copy.exitText}>
        <Button full icon="logout" label={copy.exitTry} onClick={quickExit} />
        <Limits>
          <p>{copy.exitLimit}</p>
        </Limits>
      </FormSection>
    </>
  );
}
