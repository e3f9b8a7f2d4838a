import { PRECISIONS, type Precision } from "@lambda/geo/grid";
import { Button } from "@lambda/ui/button";
import { FormSection } from "@lambda/ui/form-section";
import { RadioGroup } from "@lambda/ui/radio-group";
import { useState } from "react";
import { ClosableSheet } from "../../../components/ClosableSheet.tsx";
import { canDrag } from "../../position/machine.ts";
import { usePrecisionCopy } from "../../position/precision-copy.ts";
import { dispatchReporting, useReporting } from "../../position/reporter.ts";
import { useSettingsCopy } from "../copy.ts";

/** Lists "exact" last, because it is the exception. */
const PRECISION_ORDER: readonly Precision[] = [...PRECISIONS.filter((precision) => precision !== "exact"), "exact"];

export function PositionSection() {
  const { position: copy, cancel } = useSettingsCopy();
  const { options } = usePrecisionCopy();
  const [isConfirming, setConfirming] = useState(false);
  const state = useReporting();
  const walking = canDrag(state);
  const choose = (precision: Precision) => {
    if (precision === "exact") setConfirming(true);
    else dispatchReporting({ type: "precision", precision });
  };
  return (
    <div id="position">
      <FormSection title={copy.title} text={copy.text} value={options[state.precision].label}>
        <RadioGroup
          label={copy.label}
          options={PRECISION_ORDER.map((value) => {
            const { label, help } = options[value];
            const disabled = value === "exact" && !walking;
            return { value, label, help: disabled ? copy.exactWalk : help, disabled };
          })}
          value={state.precision}
          onChange={choose}
        />
        <ClosableSheet
          open={isConfirming}
          onClose={() => setConfirming(false)}
          title={copy.confirmTitle}
          footer={
            <div className="row wrap gap-3">
              <Button variant="primary" label={cancel} onClick={() => setConfirming(false)} />
              <Button
                variant="danger"
                label={copy.confirmYes}
                onClick={() => {
                  dispatchReporting({ type: "precision", precision: "exact" });
                  setConfirming(false);
                }}
              />
            </div>
          }
        >
          <p>{copy.confirmText}</p>
        </ClosableSheet>
      </FormSection>
    </div>
  );
}
