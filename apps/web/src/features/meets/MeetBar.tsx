import { MEET_CHECK_IN_MS, MEET_POLL_MS } from "@lambda/contract/limits";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { useEffect, useReducer, useState } from "react";
import { errorBodyOf } from "../../api/error-body.ts";
import { trpc } from "../../api/trpc.ts";
import { ClosableSheet } from "../../components/ClosableSheet.tsx";
import { OWN_PLAN, type OwnPlan } from "../../device/device-keys.ts";
import { readDeviceValue, writeDeviceValue } from "../../device/device-storage.ts";
import { isServerTimeSure, serverNow } from "../../device/server-clock.ts";
import { useCopy, useLocale } from "../../format/i18n.ts";
import { dueTime } from "../../format/time.ts";
import { AnswerPlan } from "./AnswerPlan.tsx";
import { meetsCopy } from "./copy.ts";
import css from "./meets.module.css";
import { useSendPositions } from "./use-send-positions.ts";

/** The running plan, shown on every screen: when it is due, a question shortly before, and a button to answer. */
export default function MeetBar({ plan }: { plan: OwnPlan }) {
  const copy = useCopy(meetsCopy);
  const [locale] = useLocale();
  const [open, setOpen] = useState(false);
  useTick();
  // Asked at each render, because the first answer may have told how wrong the device's clock is.
  const now = serverNow();
  useSendPositions(plan);
  const { deadline, alarmAt } = plan.status;
  const time = dueTime(deadline, locale);
  const isNear = now >= deadline - MEET_CHECK_IN_MS;
  const isRaised = now >= alarmAt;
  useStatusRefresh(plan, isRaised ? "raised" : isNear ? "near" : "running");
  const isSure = isServerTimeSure();
  const due = dueTime(alarmAt, locale);
  const text = !isNear ? copy.barDue(time) : !isSure ? copy.unsure(due) : isRaised ? copy.raised : copy.asked(due);
  const action = (
    <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
      {copy.answer}
    </Button>
  );
  return (
    <aside className={css.bar} aria-label={copy.running}>
      {isNear ? (
        <Banner tone={isRaised && isSure ? "danger" : "warn"} role="alert" action={action}>
          {text}
        </Banner>
      ) : (
        <Banner action={action}>{text}</Banner>
      )}
      <ClosableSheet open={open} onClose={() => setOpen(false)} title={copy.running}>
        <AnswerPlan plan={plan} onEnded={() => setOpen(false)} />
      </ClosableSheet>
    </aside>
  );
}

/** How often the bar rerenders; its text changes by the minute. */
const TICK_MS = 5000;

function useTick(): void {
  const [, tick] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, []);
}

/**
 * Refreshes the status on mount, when the page becomes visible, because the plan may have been answered on another device, and at each
 * phase, because the device's clock may have been set ahead.
 */
function useStatusRefresh({ id, owner }: OwnPlan, phase: string): void {
  const { mutate } = trpc.meets.status.useMutation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new phase asks again
  useEffect(() => {
    let refreshedAt = Number.NEGATIVE_INFINITY;
    const refresh = () => {
      const now = performance.now();
      if (document.visibilityState !== "visible" || now - refreshedAt < MEET_POLL_MS) return;
      refreshedAt = now;
      mutate(
        { id, owner },
        {
          onSuccess: (status) => updateStoredPlan(id, (plan) => ({ ...plan, status })),
          onError: (failure) => {
            if (errorBodyOf(failure)?.code === "NOT_FOUND") updateStoredPlan(id, () => null);
          },
        },
      );
    };
    refresh();
    document.addEventListener("visibilitychange", refresh);
    return () => document.removeEventListener("visibilitychange", refresh);
  }, [id, owner, phase, mutate]);
}

/** Does nothing if another plan has replaced this one. */
function updateStoredPlan(id: string, change: (plan: OwnPlan) => OwnPlan | null): void {
  const plan = readDeviceValue(OWN_PLAN);
  if (plan?.id === id) writeDeviceValue(OWN_PLAN, change(plan));
}
