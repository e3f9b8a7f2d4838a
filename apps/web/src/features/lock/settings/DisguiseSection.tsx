import { DISGUISE_IDS, DISGUISES } from "@lambda/contract/disguises";
import { Button } from "@lambda/ui/button";
import { FormSection } from "@lambda/ui/form-section";
import { useId } from "react";
import { Limits } from "../../../components/Limits.tsx";
import { useDeviceValue } from "../../../device/device-storage.ts";
import { DISGUISE } from "../../../device/disguise.ts";
import { quickExit } from "../../../device/quick-exit.ts";
import { chooseDisguise } from "../../../format/apply-disguise.ts";
import { useLocale } from "../../../format/i18n.ts";
import { useBrand } from "../../../format/site.ts";
import { useDisguiseCopy } from "./disguise-copy.ts";
import css from "./lock.module.css";

/** Lets the member choose a neutral name and icon for this device, and try the quick exit. */
export function DisguiseSection() {
  const copy = useDisguiseCopy();
  const [locale] = useLocale();
  const brand = useBrand();
  const group = useId();
  const [chosen] = useDeviceValue(DISGUISE);
  const disguises = [
    { id: null, name: brand.name, icon: brand.id },
    ...DISGUISE_IDS.map((id) => ({ id, name: DISGUISES[id].name[locale], icon: id })),
  ];
  return (
    <>
      <div id="disguise">
        <FormSection
          title={copy.title}
          text={copy.text}
          value={disguises.find(({ id }) => id === (chosen?.id ?? null))?.name}
        >
          <fieldset className={`stack gap-3 ${css.faces}`} aria-label={copy.title}>
            {disguises.map(({ id, name, icon }) => (
              <label key={icon} className={`stack gap-2 items-center radius-2 relative text-center ${css.face}`}>
                <input
                  type="radio"
                  name={group}
                  checked={(chosen?.id ?? null) === id}
                  onChange={() => void chooseDisguise(id && { id, name })}
                />
                <img src={`/icons/${icon}-192.png`} alt="" />
                {name}
              </label>
            ))}
          </fieldset>
          <Limits>
            <p>{copy.install}</p>
          </Limits>
        </FormSection>
      </div>
      <div id="exit">
        <FormSection title={copy.exitTitle} text={copy.exitText}>
          <Button icon="logout" label={copy.exitTry} onClick={quickExit} />
          <Limits>
            <p>{copy.exitLimit}</p>
          </Limits>
        </FormSection>
      </div>
    </>
  );
}
