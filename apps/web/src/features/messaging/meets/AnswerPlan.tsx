import { HOUR_MS, MEET_PIN_MAX_DIGITS } from "@lambda/contract/limits";
import { Button } from "@lambda/ui/button";
import { useToast } from "@lambda/ui/toast";
import { useState } from "react";
import { errorBodyOf } from "../../../api/error-body.ts";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { PinField } from "../../../components/PinField.tsx";
import { OWN_PLAN, type OwnPlan } from "../../../device/device-keys.ts";
import { writeDeviceValue } from "../../../device/device-storage.ts";
import { serverNow } from "../../../device/server-clock.ts";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { dueTime } from "../../../format/time.ts";
import { meetsCopy } from "./copy.ts";
import { isPin } from "./is-pin.ts";
import css from "./meets.module.css";
import { SendLink } from "./SendLink.tsx";
import { pinToken, readerToken } from "./sealing.ts";

/** Answers a plan with either PIN. Neither this device nor its traffic reveals which of the two was entered. */
export function AnswerPlan({ plan, onEnded }: { plan: OwnPlan; onEnded: () => void }) {
  const copy = useCopy(meetsCopy);
  const [locale] = useLocale();
  const { deadline, alarmAt, latest } = plan.status;
  const { pin, setPin, problem, busy, send } = useAnswer(plan, onEnded);
  return (
    <div className="stack gap-4">
      <p className={`type-name ${css.due}`}>{copy.due(dueTime(deadline, locale))}</p>
      <p className="muted">{copy.alarmAt(dueTime(alarmAt, locale))}</p>
      <PinField
        label={copy.yourPin}
        maxDigits={MEET_PIN_MAX_DIGITS}
        value={pin}
        error={problem}
        onChange={setPin}
        hasInitialFocus
      />
      <div className={`wrap gap-2 ${css.acts}`}>
        <Button variant="primary" icon="check" busy={busy} label={copy.fine} onClick={() => void send("fine")} />
        {latest > Math.max(deadline, serverNow()) && (
          <Button icon="clock" busy={busy} label={copy.longer} onClick={() => void send("extend")} />
        )}
      </div>
      {plan.sendsPosition && <p className="muted">{copy.sendsPosition}</p>}
      <details>
        <summary>{copy.again}</summary>
        <div className="stack gap-4">
          <SendLink plan={plan} />
        </div>
      </details>
    </div>
  );
}

function useAnswer(plan: OwnPlan, onEnded: () => void) {
  const copy = useCopy(meetsCopy);
  const [locale] = useLocale();
  const [pin, setPin] = useState("");
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const toast = useToast();
  const answer = trpc.meets.answer.useMutation();

  const endPlan = (text: string) => {
    writeDeviceValue(OWN_PLAN, null);
    toast({ text, tone: "success" });
    onEnded();
  };
  const send = async (type: "fine" | "extend") => {
    if (busy) return;
    if (!isPin(pin)) return setProblem(copy.badPin);
    setBusy(true);
    setProblem(undefined);
    try {
      const { id, owner, status } = plan;
      const act = type === "fine" ? ({ type } as const) : ({ type, from: status.deadline, byMs: HOUR_MS } as const);
      const [reader, token] = [await readerToken(plan), await pinToken(plan, pin)];
      const reply = await answer.mutateAsync({ id, reader, owner, pin: token, act });
      setPin("");
      if (!reply.accepted) return setProblem(copy.wrong(reply.triesLeft));
      if (!reply.status) return endPlan(copy.ended);
      writeDeviceValue(OWN_PLAN, { ...plan, status: reply.status });
      toast({ text: copy.extended(dueTime(reply.status.deadline, locale)), tone: "success" });
      onEnded();
    } catch (failure) {
      if (errorBodyOf(failure)?.code === "NOT_FOUND") return endPlan(copy.noPlan);
      setProblem(errorText(failure));
    } finally {
      setBusy(false);
    }
  };
  return { pin, setPin, problem, busy, send };
}
