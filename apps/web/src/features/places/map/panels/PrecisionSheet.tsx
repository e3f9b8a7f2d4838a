import type { Precision } from "@lambda/geo/grid";
import { Button } from "@lambda/ui/button";
import { RadioGroup } from "@lambda/ui/radio-group";
import { useState } from "react";
import { ClosableSheet } from "../../../../components/ClosableSheet.tsx";
import { useBrand } from "../../../../format/site.ts";
import { canDrag } from "../../positions/machine.ts";
import { usePrecisionCopy } from "../../positions/precision-copy.ts";
import { dispatchReporting, useReporting } from "../../positions/reporter.ts";
import { useMapCopy } from "../copy.ts";
import css from "./panels.module.css";

const CHOICES = ["street", "district", "city", "exact"] as const satisfies readonly Precision[];

/** As a ref callback of the same identity it runs once, not at every render of the map. */
const focus = (button: HTMLButtonElement | null) => button?.focus();

/** Lets the member choose how precisely others see them. Exact precision needs an explicit confirmation. */
export function PrecisionSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { precision: copy } = useMapCopy();
  const [isConfirming, setConfirming] = useState(false);
  const closeSheet = () => {
    setConfirming(false);
    onClose();
  };
  const chooseExact = () => {
    dispatchReporting({ type: "precision", precision: "exact" });
    closeSheet();
  };
  const confirmButtons = (
    <>
      <Button ref={focus} label={copy.exactNo} onClick={() => setConfirming(false)} />
      <Button variant="danger" label={copy.exactYes} onClick={chooseExact} />
    </>
  );
  const doneButton = <Button variant="primary" label={copy.done} onClick={closeSheet} />;
  return (
    <ClosableSheet
      open={open}
      onClose={closeSheet}
      title={isConfirming ? copy.exactTitle : copy.title}
      footer={isConfirming ? confirmButtons : doneButton}
    >
      {isConfirming ? <p>{copy.exactText}</p> : <Choices onExact={() => setConfirming(true)} onClose={closeSheet} />}
    </ClosableSheet>
  );
}

function Choices({ onExact, onClose }: { onExact: () => void; onClose: () => void }) {
  const brand = useBrand();
  const { precision: copy } = useMapCopy();
  const { options } = usePrecisionCopy();
  const state = useReporting();
  const canBeExact = canDrag(state);
  const choose = (precision: Precision) => {
    if (precision === "exact") onExact();
    else dispatchReporting({ type: "precision", precision });
  };
  const showAtRandom = () => {
    dispatchReporting({ type: "random" });
    onClose();
  };
  return (
    <div className="column gap-5">
      <p>{copy.text}</p>
      <RadioGroup
        label={copy.label}
        value={state.precision}
        onChange={choose}
        options={CHOICES.map((value) => ({
          value,
          label: options[value].label,
          help: value === "exact" && !canBeExact ? copy.exactWalk : options[value].help,
          disabled: value === "exact" && !canBeExact,
        }))}
      />
      {state.use !== "random" && (
        <div className={`column gap-3 ruled muted ${css.random}`}>
          <p>{copy.randomHelp(brand.firstCity.name)}</p>
          <Button icon="dice" label={copy.random} onClick={showAtRandom} />
        </div>
      )}
    </div>
  );
}
