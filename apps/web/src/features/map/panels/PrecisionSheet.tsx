import type { Precision } from "@lambda/geo/grid";
import { Button } from "@lambda/ui/button";
import { RadioGroup } from "@lambda/ui/radio-group";
import { Sheet } from "@lambda/ui/sheet";
import { useState } from "react";
import { useCopy } from "../../../format/i18n.ts";
import { useBrand } from "../../../format/site.ts";
import { mayDrag } from "../../position/machine.ts";
import { precisionCopy } from "../../position/precision-copy.ts";
import { send, useReporting } from "../../position/reporter.ts";
import { mapCopy } from "../copy.ts";
import css from "./precision-sheet.module.css";

const CHOICES = ["street", "district", "city", "exact"] as const satisfies readonly Precision[];

/** How precisely others see the member. The exact spot needs a second, explicit yes. */
export function PrecisionSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { precision: copy, close } = useCopy(mapCopy);
  const [asking, setAsking] = useState(false);
  const end = () => {
    setAsking(false);
    onClose();
  };
  const chooseExact = () => {
    send({ type: "precision", precision: "exact" });
    end();
  };
  const answers = (
    <>
      <Button ref={(button) => button?.focus()} onClick={() => setAsking(false)}>
        {copy.exactNo}
      </Button>
      <Button variant="danger" onClick={chooseExact}>
        {copy.exactYes}
      </Button>
    </>
  );
  const done = (
    <Button variant="primary" onClick={end}>
      {copy.done}
    </Button>
  );
  return (
    <Sheet
      open={open}
      onClose={end}
      title={asking ? copy.exactTitle : copy.title}
      closeLabel={close}
      footer={asking ? answers : done}
    >
      {asking ? <p>{copy.exactText}</p> : <Choices onExact={() => setAsking(true)} onEnd={end} />}
    </Sheet>
  );
}

function Choices({ onExact, onEnd }: { onExact: () => void; onEnd: () => void }) {
  const brand = useBrand();
  const { precision: copy } = useCopy(mapCopy);
  const { options } = useCopy(precisionCopy);
  const state = useReporting();
  const mayBeExact = mayDrag(state);
  const choose = (precision: Precision) => {
    if (precision === "exact") onExact();
    else send({ type: "precision", precision });
  };
  const scatter = () => {
    send({ type: "random" });
    onEnd();
  };
  return (
    <div className={css.body}>
      <p>{copy.text}</p>
      <RadioGroup
        label={copy.label}
        value={state.precision}
        onChange={choose}
        options={CHOICES.map((value) => ({
          value,
          label: options[value].label,
          help: value === "exact" && !mayBeExact ? copy.exactWalk : options[value].help,
          disabled: value === "exact" && !mayBeExact,
        }))}
      />
      {state.use !== "random" && (
        <div className={css.random}>
          <p>{copy.randomHelp(brand.firstCity.name)}</p>
          <Button icon="dice" onClick={scatter}>
            {copy.random}
          </Button>
        </div>
      )}
    </div>
  );
}
