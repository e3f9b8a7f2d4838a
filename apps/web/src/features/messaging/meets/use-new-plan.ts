import { HOUR_MS } from "@lambda/contract/limits";
import { useCallback, useEffect, useRef, useState } from "react";
import { errorText } from "../../../api/error-text.ts";
import { trpc } from "../../../api/trpc.ts";
import { useAbortSignal } from "../../../components/use-abort-signal.ts";
import { OWN_PLAN, type OwnPlan } from "../../../device/device-keys.ts";
import { writeDeviceValue } from "../../../device/device-storage.ts";
import { requestGpsPosition } from "../../places/positions/gps.ts";
import { makePlan, type NewPlan, type Pins } from "./make-plan.ts";
import type { FriendLocale, PlanText } from "./plan-text.ts";

type Address = Pick<OwnPlan, "origin" | "isNeutral">;

/** The form's values. The texts survive its closing, the PINs do not. */
export interface PlanDraft extends Omit<PlanText, "point">, Pins {
  readonly addsPoint: boolean;
  readonly runsMs: number;
  readonly locale: FriendLocale;
  readonly sendsPosition: boolean;
}

const TWO_HOURS_MS = 2 * HOUR_MS;

export const EMPTY_PLAN: PlanDraft = {
  me: "",
  who: "",
  where: "",
  country: "",
  note: "",
  fine: "",
  help: "",
  addsPoint: false,
  runsMs: TWO_HOURS_MS,
  locale: "en",
  sendsPosition: false,
};

type Step = "locating" | "sending";

interface Attempt {
  readonly draft: PlanDraft;
  readonly plan: NewPlan;
  /** The position was asked for and not found. */
  readonly lacksPoint: boolean;
}

/**
 * Creates a plan on the server and stores on this device how to access it. An attempt ends with the form: whatever answers later creates
 * nothing, and what the server may have created is ended again. A second press with the same draft repeats the same plan.
 */
export function useNewPlan(account: number, address: Address, onMade: (made: { lacksPoint: boolean }) => void) {
  const { meets } = trpc.useUtils().client;
  const work = useAbortSignal();
  const last = useRef<Attempt>(undefined);
  const [step, setStep] = useState<Step>();
  const [problem, setProblem] = useState<string>();

  const prepare = async (draft: PlanDraft, signal: AbortSignal): Promise<Attempt> => {
    if (last.current?.draft === draft) return last.current;
    const { me, who, where, country, note } = draft;
    const trimmed = [me, who, where, note].map((text) => text.toWellFormed().trim());
    const [myName = "", otherName = "", place = "", trimmedNote = ""] = trimmed;
    if (draft.addsPoint) setStep("locating");
    const point = draft.addsPoint ? await requestGpsPosition(signal).catch(() => undefined) : undefined;
    signal.throwIfAborted();
    setStep("sending");
    const text: PlanText = { me: myName, who: otherName, where: place, country, note: trimmedNote, point };
    const plan = await makePlan(text, draft, draft.runsMs);
    signal.throwIfAborted();
    return { draft, plan, lacksPoint: draft.addsPoint && !point };
  };

  const withdraw = useCallback(() => {
    if (last.current) meets.answer.mutate(last.current.plan.withdrawal).catch(() => undefined);
    last.current = undefined;
  }, [meets]);
  useEffect(() => withdraw, [withdraw]);

  const make = async (draft: PlanDraft) => {
    const signal = work.begin();
    setStep("sending");
    setProblem(undefined);
    try {
      const attempt = await prepare(draft, signal);
      if (last.current !== attempt) withdraw();
      last.current = attempt;
      const { plan, lacksPoint } = attempt;
      const status = await meets.create.mutate(plan.request, { signal });
      signal.throwIfAborted();
      last.current = undefined;
      const { locale, sendsPosition } = draft;
      writeDeviceValue(OWN_PLAN, {
        ...plan.link,
        ...address,
        account,
        owner: plan.owner,
        locale,
        sendsPosition,
        status,
      });
      onMade({ lacksPoint });
    } catch (failure) {
      if (signal.aborted) return;
      setProblem(errorText(failure));
    }
    setStep(undefined);
  };
  return { make, step, problem };
}
