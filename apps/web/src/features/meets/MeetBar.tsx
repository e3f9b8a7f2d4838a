import { MEET_ASK_MS, MEET_POLL_MS } from "@lambda/contract/limits";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { Sheet } from "@lambda/ui/sheet";
import { useEffect, useState } from "react";
import { errorBodyOf } from "../../api/error-body.ts";
import { trpc } from "../../api/trpc.ts";
import { OWN_PLAN, type OwnPlan } from "../../device/device-keys.ts";
import { readDevice, writeDevice } from "../../device/device-storage.ts";
import { useCopy, useLocale } from "../../format/i18n.ts";
import { dueTime } from "../../format/time.ts";
import { AnswerPlan } from "./AnswerPlan.tsx";
import { meetsCopy } from "./copy.ts";
import css from "./meets.module.css";
import { usePositions } from "./use-positions.ts";

/** The running plan on every screen: when it is due, the question when it is near, and the way to answer. */
export default function MeetBar({ plan }: { plan: OwnPlan }) {
  const copy = useCopy(meetsCopy);
  const [locale] = useLocale();
  const [open, setOpen] = useState(false);
  const now = useNow();
  useStatus(plan);
  usePositions(plan);
  const { deadline, alarmAt } = plan.status;
  const time = dueTime(deadline, locale);
  const isNear = now >= deadline - MEET_ASK_MS;
  const text = now >= alarmAt ? copy.raised : isNear ? copy.asked(dueTime(alarmAt, locale)) : copy.barDue(time);
  const action = <Button onClick={() => setOpen(true)}>{copy.answer}</Button>;
  return (
    <aside className={css.bar} aria-label={copy.running}>
      {isNear ? (
        <Banner tone={now >= alarmAt ? "danger" : "warn"} role="alert" action={action}>
          {text}
        </Banner>
      ) : (
        <Banner action={action}>{text}</Banner>
      )}
      <Sheet open={open} onClose={() => setOpen(false)} title={copy.running} closeLabel={copy.close}>
        <AnswerPlan plan={plan} onEnded={() => setOpen(false)} />
      </Sheet>
    </aside>
  );
}

/** Drawn anew this often: the bar changes by the minute. */
const TICK_MS = 5000;

function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Asks at the start and on coming back whether the plan still runs: it may have been answered on another device. */
function useStatus({ id, owner }: OwnPlan): void {
  const { mutate } = trpc.meets.status.useMutation();
  useEffect(() => {
    let asked = 0;
    const ask = () => {
      if (document.visibilityState !== "visible" || Date.now() - asked < MEET_POLL_MS) return;
      asked = Date.now();
      mutate(
        { id, owner },
        {
          onSuccess: (status) => keepIfSame(id, (plan) => ({ ...plan, status })),
          onError: (failure) => {
            if (errorBodyOf(failure)?.code === "NOT_FOUND") keepIfSame(id, () => null);
          },
        },
      );
    };
    ask();
    document.addEventListener("visibilitychange", ask);
    return () => document.removeEventListener("visibilitychange", ask);
  }, [id, owner, mutate]);
}

function keepIfSame(id: string, change: (plan: OwnPlan) => OwnPlan | null): void {
  const plan = readDevice(OWN_PLAN);
  if (plan?.id === id) writeDevice(OWN_PLAN, change(plan));
}
