import { Button } from "@lambda/ui/button";
import { serverNow } from "../../device/server-clock.ts";
import { useTonightCopy } from "./copy.ts";
import { dayPart } from "./day-part.ts";
import css from "./tonight.module.css";
import { useOwnTonight } from "./use-own-tonight.tsx";

export function TonightRow() {
  const copy = useTonightCopy();
  const { text, label, openSheet, sheet } = useOwnTonight();
  return (
    <div className={`row wrap between py-2 muted ${css.row}`}>
      <p className={text && "accent bold"}>{text ?? copy.goOutHint}</p>
      <Button
        icon="moon"
        variant={text === undefined ? "secondary" : "quiet"}
        aria-haspopup="dialog"
        label={text === undefined ? copy.goOut[dayPart(serverNow())] : label}
        onClick={openSheet}
      />
      {sheet}
    </div>
  );
}
