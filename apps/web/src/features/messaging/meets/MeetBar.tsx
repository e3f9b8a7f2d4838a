import { MEET_CHECK_IN_MS, MEET_POLL_MS } from "@lambda/contract/limits";
import { NOTIFICATION_KINDS } from "@lambda/contract/notification-kinds";
import { Banner } from "@lambda/ui/banner";
import { Button } from "@lambda/ui/button";
import { useEffect, useReducer, useState } from "react";
import { errorBodyOf } from "../../../api/error-body.ts";
import { trpc } from "../../../api/trpc.ts";
import { ClosableSheet } from "../../../components/ClosableSheet.tsx";
import { OWN_PLAN, type OwnPlan } from "../../../device/device-keys.ts";
import { readDeviceValue, writeDeviceValue } from "../../../device/device-storage.ts";
import { repeatWhileVisible } from "../../../device/repeat-while-visible.ts";
import { isServerTimeSure, serverNow } from "../../../device/server-clock.ts";
import { useCopy, useLocale } from "../../../format/i18n.ts";
import { dueTime } from "../../../format/time.ts";
import { currentAddress, useAddress } from "../../../routing/address.ts";
import { goTo } from "../../../routing/navigation.ts";
import { AnswerPlan } from "./AnswerPlan.tsx";
import { meetsCopy } from "./copy.ts";
import css from "./meets.module.css";
import { useSendPositions } from "./use-send-positions.ts";

const PLAN_HASH = new URL(NOTIFICATION_KINDS.plan.url, location.origin).hash;

/** The running plan, shown on every screen: when it is due, a question shortly before, and a button to answer. */
export default function MeetBar({ plan }: { plan: OwnPlan }) {
  const copy = useCopy(meetsCopy);
  const [locale] = useLocale();
  const [open, setOpen] = useOpenedByAddress();
  useTick();
  // Asked at each render, because the first answer may have told how wrong the device's clock is.
  const now = serverNow();
  useSendPositions(plan);
  const { deadline, alarmAt, phones = 0 } = plan.status;
  const time = dueTime(deadline, locale);
  const isNear = now >= deadline - MEET_CHECK_IN_MS;
  const isRaised = now >= alarmAt;
  const isKnown = useStatusRefresh(plan, isRaised ? "raised" : isNear ? "near" : "running");
  const isSure = isKnown && isServerTimeSure();
  const due = dueTime(alarmAt, locale);
  let text = isKnown ? copy.barDue(time) : copy.barUnsure(time);
  if (isNear) text = !isSure ? copy.unsure(due) : isRaised ? copy.raised : copy.asked(due);
  const action = <Button aria-haspopup="dialog" label={copy.answer} onClick={() => setOpen(true)} />;
  return (
    <aside className={css.bar} aria-label={copy.running}>
      {isNear ? (
        <Banner tone={isRaised && isSure ? "danger" : "warn"} role="alert" action={action}>
          {text}
        </Banner>
      ) : (
        <Banner action={action}>{isKnown ? `${text} · ${copy.phones(phones)}` : text}</Banner>
      )}
      <ClosableSheet open={open} onClose={() => setOpen(false)} title={copy.running}>
        <AnswerPlan plan={plan} onEnded={() => setOpen(false)} />
      </ClosableSheet>
    </aside>
  );
}

/** The reminder leads to any page with this fragment, which is taken out of the address at once. */
function useOpenedByAddress() {
  const [open, setOpen] = useState(false);
  const isAsked = useAddress(({ hash }) => hash === PLAN_HASH);
  useEffect(() => {
    if (!isAsked) return;
    setOpen(true);
    const { pathname, search } = currentAddress();
    goTo(pathname + search, { replace: true });
  }, [isAsked]);
  return [open, setOpen] as const;
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
 * Refreshes the status, because the plan may have been answered on another device, and at each phase, because the device's clock may have
 * been set ahead. False after the server could not be asked: then this device does not know whether the plan still runs.
 */
function useStatusRefresh({ id, owner }: OwnPlan, phase: string): boolean {
  const { meets } = trpc.useUtils().client;
  const [isKnown, setKnown] = useState(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new phase asks again
  useEffect(
    () =>
      repeatWhileVisible(MEET_POLL_MS, async (signal) => {
        try {
          const status = await meets.status.mutate({ id, owner }, { signal });
          // A plan is only ever extended: this answer was asked for before one that has come already.
          const isOlder = (plan: OwnPlan) => status.deadline < plan.status.deadline;
          updateStoredPlan(id, (plan) => (isOlder(plan) ? plan : { ...plan, status }));
        } catch (failure) {
          signal.throwIfAborted();
          if (errorBodyOf(failure)?.code === "NOT_FOUND") return updateStoredPlan(id, () => null);
          setKnown(false);
          throw failure;
        }
        setKnown(true);
      }),
    [id, owner, phase, meets],
  );
  return isKnown;
}

/** Does nothing if another plan has replaced this one. */
function updateStoredPlan(id: string, change: (plan: OwnPlan) => OwnPlan | null): void {
  const plan = readDeviceValue(OWN_PLAN);
  if (plan?.id === id) writeDeviceValue(OWN_PLAN, change(plan));
}
